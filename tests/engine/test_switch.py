"""The switch of last resort: where it is taken, and how it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.base.changeset import ChangeSet, Source
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path

TRAINER = """\
\"\"\"Trains.\"\"\"
from __future__ import annotations
import argparse
import paddle


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    args = parser.parse_args()
    model = build()
    optimizer = paddle.optimizer.SGD(parameters=model.parameters())
    for _ in range(args.epochs):
        model(1).backward()
"""
OS = TRAINER.replace("import argparse", "import os\nimport argparse")


def planned(root: Path, text: str, switch: str) -> ChangeSet:
    (root / "train.py").write_text(text)
    return plan_change(Source(None, root, None), (), switch).change_set()


def test_the_variable_is_asked_for(tmp_path: Path) -> None:
    found = planned(tmp_path, TRAINER, "env")
    (hook,) = found.hooks
    assert hook.switch == "PADDLE_TO_STATIC=1"
    assert "variable" not in str(hook.reason)
    text = found.changes[0].new.decode()
    assert text.index("from __future__") < text.index("import os\n") < text.index("import argparse")
    assert 'add_argument("--to_static"' not in text


def test_os_is_imported_once(tmp_path: Path) -> None:
    text = planned(tmp_path, OS, "env").changes[0].new.decode()
    assert text.count("import os") == 1


def test_an_option_comes_before_the_variable(tmp_path: Path) -> None:
    (hook,) = planned(tmp_path, TRAINER, "config").hooks
    assert hook.switch == "--to_static"


def test_another_thing_called_os_is_not_read(tmp_path: Path) -> None:
    found = planned(tmp_path, TRAINER.replace("import argparse", "import argparse as os"), "env")
    (hook,) = found.hooks
    assert "under the name `os`" in str(hook.reason)
    assert found.changes == ()
