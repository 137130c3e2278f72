"""The Python interface: the examples of its docstrings and of the README run on a small kit."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import codemod.work
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.work import FixRequest, Request, check, fix, plan, prove, survey
from tests.fixes.test_fix import HERE, NETS, NETS_CODE, TRAINS, VIEW, proved

TOP = Path(__file__).parent.parent
WINGS = sorted(path.parent.name for path in (TOP / "codemod").glob("*/__init__.py"))


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a trainer, two nets and, for one of them, a proved fix; next to the workspace."""
    monkeypatch.setenv("CODEMOD_DATA", str(HERE / "data"))
    monkeypatch.chdir(tmp_path)
    found = tmp_path / "MendKit"
    texts = {"train.py": TRAINS, "mini/__init__.py": "", NETS: NETS_CODE}
    texts |= {f"configs/{net.lower()}.yaml": json.dumps({"net": net}) for net in ("View", "Sum")}
    for path, text in texts.items():
        (found / path).parent.mkdir(parents=True, exist_ok=True)
        (found / path).write_text(text)
    proved(found, Workspace.at())
    return found


def fails(text: str, names: dict[str, Any]) -> str:
    """What the examples in a text print otherwise than they show."""
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(text, names, "example", None, 0)
    assert test.examples
    doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    return "".join(told)


@pytest.mark.parametrize("case", [plan, check, survey, prove, fix], ids=lambda case: case.__name__)
def test_the_example_of_a_use_case_is_true(case: Any, kit: Path) -> None:
    names = {**vars(inspect.getmodule(case)), "Path": Path}
    assert fails(case.__doc__, names) == ""


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_the_readme_s_program_runs(
    page: str, kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (TOP / page).read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    exec(program.replace("PaddleSeg", kit.name), {})
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "train.py:13 inserted"
    assert out[-3:] == ["View 1", f"{VIEW} proved", "1"]
    assert ".reshape([2, -1, 3])" in (kit / NETS).read_text(), "`fix` has written it"
    assert "to_static" not in (kit / "train.py").read_text(), "and nothing else has"


def test_a_hazard_without_a_fix_is_refused_as_on_the_command_line(kit: Path) -> None:
    with pytest.raises(UsageError, match=r"no mechanical fix for D-5\.") as refused:
        fix(FixRequest(Request("MendKit", kit), hazards=("D-5",)))
    assert "D-57" in refused.value.remedy


def test_every_name_of_the_interface_is_there_and_no_other() -> None:
    for name in codemod.work.__all__:
        assert getattr(codemod.work, name).__module__.startswith("codemod.work.")
    with pytest.raises(AttributeError, match="no_such"):
        _ = codemod.work.no_such


def test_the_interface_is_loaded_when_it_is_asked_for() -> None:
    told = "import sys, codemod.work; print([m for m in sys.modules if m.startswith('codemod.w')])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['codemod.work']"


@pytest.mark.parametrize("wing", WINGS)
def test_the_example_of_a_wing_is_true(wing: str) -> None:
    module = import_module(f"codemod.{wing}")
    assert fails(module.__doc__ or "", {**vars(module)}) == ""
