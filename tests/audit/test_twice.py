"""Nets that are hooked twice, and specs that the loop's calls are too short for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.audit.faults import redecorated, wrong_length
from codemod.base.changeset import Source
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path

TRAINER = """\
import paddle


class Trainer:
    def __init__(self, model, args):
        if args.to_static:
            model = paddle.jit.to_static(model)
        self.model = paddle.DataParallel(model)
        self.optimizer = paddle.optimizer.SGD(args.lr, parameters=model.parameters())

    def train(self, data):
        for x in data:
            self.model(x).backward()


class Other(Trainer):
    pass
"""
SCRIPT = """\
import paddle
from trainer import {name}


def main(args):
    model = build(args)
    {hook}
    optimizer = paddle.optimizer.SGD(args.lr, parameters=model.parameters())
    {name}(model=model, args=args).train(load())
    for x, y in load():
        loss = model({call})
        loss.backward()
"""
HOOK = "if args.to_static: model = paddle.jit.to_static(model{spec})"


def found(root: Path, name: str, hook: str, call: str = "x, y") -> list[str]:
    (root / "trainer.py").write_text(TRAINER)
    (root / "main.py").write_text(SCRIPT.format(name=name, hook=hook or "pass", call=call))
    project = Project(Tree(root))
    change_set = plan_change(Source(None, root, None)).change_set()
    rows = (*redecorated(project, change_set), *wrong_length(project, change_set))
    return [f"{one.id} {one.file}:{one.line}" for one in rows]


@pytest.mark.parametrize("name", ["Trainer", "Other"])
def test_a_net_is_hooked_by_the_script_and_by_its_trainer(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, name, HOOK.format(spec="")) == ["hooked-twice main.py:9"]
    assert found(tmp_path, name, "") == []


@pytest.mark.parametrize(
    ("spec", "call", "wrong"),
    [
        ("[a, b]", "x, y", False),
        ("[a]", "x, y", False),
        ("[a, b, c]", "x, y", True),
        ("[a, b, None]", "x, y", False),
        ("[a, b, c]", "x, data=y", True),
        ("[a, b, c]", "*x", False),
        ("specs", "x", False),
    ],
)
def test_the_length_of_a_spec(tmp_path: Path, spec: str, call: str, wrong: bool) -> None:
    rows = found(tmp_path, "print", HOOK.format(spec=f", input_spec={spec}"), call)
    assert rows == (["spec-length main.py:11"] if wrong else [])
