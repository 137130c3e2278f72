"""Shortcuts in Paddle's tracing give what the long way gives."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

from codemod.probe.server import INSIDE
from tests.parity.conftest import PADDLES, paddle_python

if str(INSIDE) not in sys.path:
    sys.path.append(str(INSIDE))
shortcuts: Any = importlib.import_module("probe_inside.shortcuts")

PROGRAM = Path(__file__).parent / "programs" / "shortcuts_agree.py"
MODULE = '''\
"""A module of which one function is edited."""


class Holder:
    @staticmethod
    def many(items):
        """Two lines
        of words."""
        count = len(list(items))
        if count > 2:
            raise ValueError(count)
        return count
'''


def _module(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (folder / "edited_by_a_test.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    sys.modules.pop("edited_by_a_test", None)
    return importlib.import_module("edited_by_a_test")


def test_an_edit_keeps_the_function_its_file_and_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = _module(tmp_path, monkeypatch)
    many = module.Holder.many
    found = shortcuts._function("edited_by_a_test", "Holder.many")
    assert found is many
    assert shortcuts._edit(found, "len(list(items))", "len(items) + 0")
    assert module.Holder.many is many
    assert many([1, 2]) == 2
    with pytest.raises(TypeError):
        many(iter([1, 2]))
    with pytest.raises(ValueError, match="3") as caught:
        many([1, 2, 3])
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.filename, frame.lineno, frame.name) == (module.__file__, 11, "many")


def test_other_text_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = _module(tmp_path, monkeypatch)
    code = module.Holder.many.__code__
    assert not shortcuts._edit(module.Holder.many, "len(tuple(items))", "len(items)")
    assert module.Holder.many.__code__ is code
    sourceless: dict[str, Any] = {}
    exec(compile("def many(items): return len(list(items))", "<none>", "exec"), sourceless)
    assert not shortcuts._edit(sourceless["many"], "len(list(items))", "len(items)")
    assert shortcuts._function("edited_by_a_test", "Holder.few") is None
    assert shortcuts._function("no_such_module", "few") is None


def test_the_stack_is_that_of_the_standard_library() -> None:
    def both() -> tuple[Any, Any]:
        return traceback.extract_stack(), shortcuts._extract_stack()

    for _ in range(2):
        long, short = both()
        assert type(short) is type(long)
        assert [tuple(frame) for frame in short] == [tuple(frame) for frame in long]
    assert len(shortcuts._extract_stack(sys._getframe(), 2)) == 2


def test_source_lines_are_those_of_the_standard_library() -> None:
    lines = shortcuts._lines_once(inspect.getsourcelines)
    for thing in (_module, _module, Path, inspect, sys._getframe()):
        assert lines(thing) == inspect.getsourcelines(thing)
    lines(_module)[0].clear()
    assert lines(_module) == inspect.getsourcelines(_module)
    with pytest.raises(TypeError):
        lines(len)


def test_a_frame_s_module_is_that_of_the_standard_library() -> None:
    find = shortcuts._module_once(inspect.getmodule)
    nowhere: dict[str, Any] = {"sys": sys}
    exec(compile("frame = sys._getframe()", "<nowhere>", "exec"), nowhere)
    for thing in (sys._getframe(), nowhere["frame"], _module, Path, nowhere["frame"]):
        assert find(thing) is inspect.getmodule(thing)


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
@pytest.mark.parametrize("mode", ["ast", "sot"])
def test_programs_numbers_and_errors_are_the_same(paddle: str, mode: str) -> None:
    def run(way: str) -> dict[str, Any]:
        env = {**os.environ, "PYTHONPATH": str(INSIDE), "PYTHONHASHSEED": "0"}
        command = [str(paddle_python(paddle)), str(PROGRAM), mode, way]
        ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr[-2000:]
        found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
        return found

    long, short = run("long"), run("short")
    assert long.pop("edited") == []
    edited = " ".join(short.pop("edited"))
    assert "OrderedSet" in edited
    assert "is_unsupported" in edited
    assert short == long
    assert long["words"]
