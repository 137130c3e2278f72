"""PaddleNLP's own package on a Paddle that lacks names: placeholders, and how a script is run."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from codemod.kits.folder import LAUNCH, kit_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = {
    "paddle/__init__.py": "from paddle import parts\n",
    "paddle/parts.py": "",
    "kit/__init__.py": "",
    "kit/a.py": "from paddle.parts import Layer\nclass Own(Layer): ...\n",
    "kit/b.py": "import paddle\nfrom kit.a import Own\nimport paddle.gone.far\n"
    "DTYPES = [paddle.int3]\n",
    "kit/broken.py": "import nowhere\n",
}
# Wraps a function of another package, as the kit does: a second import would wrap it again.
WRAPS = """
import other
from paddle.distributed.checkpoint.load_state_dict import get_rank_to_read_files
first = other.read
other.read = lambda: first() + 1
import paddle
TYPES = [paddle.float8_e5m2]
"""
PACKAGE = {
    "paddle/__init__.py": "",
    "paddle/distributed/__init__.py": "",
    "other.py": "def read():\n    return 0\n",
    "paddlenlp/__init__.py": WRAPS,
    "llm/near.py": "NAME = 'near'\n",
    "llm/train.py": "import sys, near\nbefore = 'paddlenlp' in sys.modules\nimport other, paddlenlp\n"
    "print(sys.argv[1:], before, other.read(), paddlenlp.__file__, near.NAME, __name__)\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


@pytest.fixture
def placeholders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module, beside toys in the places of Paddle and the kit."""
    launcher = kit_file("PaddleNLP", LAUNCH)
    assert launcher is not None
    spec = importlib.util.spec_from_file_location(
        "own_placeholders", launcher.with_name("placeholders.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    write(tmp_path, FILES)
    monkeypatch.syspath_prepend(tmp_path)
    toys = ("paddle", "kit")
    for name in [key for key in sys.modules if key.split(".")[0] in toys]:
        monkeypatch.delitem(sys.modules, name)
    yield module
    for name in [key for key in sys.modules if key.split(".")[0] in toys]:
        del sys.modules[name]


def test_what_a_paddle_lacks_is_held_a_place_for(
    placeholders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placeholders, "_KNOWN", ("paddle.old.Part", "paddle.parts.__name__"))
    made = placeholders.imported("kit.b", KeyError)
    assert sorted(placeholders.LACKING) == [
        "paddle.gone",
        "paddle.gone.far",
        "paddle.int3",
        "paddle.old",
        "paddle.old.Part",
        "paddle.parts.Layer",
    ]
    with pytest.raises(KeyError, match="no Layer"):
        made.Own()
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        placeholders.imported("kit.broken")


def test_a_script_runs_with_the_kit_s_own_package_imported_once(tmp_path: Path) -> None:
    write(tmp_path, PACKAGE)
    launcher = kit_file("PaddleNLP", LAUNCH)
    command = [sys.executable, str(launcher), "train.py", "--to_static"]
    done = subprocess.run(
        command,
        cwd=tmp_path / "llm",
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    held, printed = done.stdout.splitlines()
    assert held.startswith("placeholders for what this Paddle lacks: paddle.float8_e5m2, ")
    assert "paddle.distributed.checkpoint.load_state_dict.get_rank_to_read_files" in held
    own = tmp_path / "paddlenlp" / "__init__.py"
    assert printed == f"['--to_static'] False 1 {own} near __main__"
