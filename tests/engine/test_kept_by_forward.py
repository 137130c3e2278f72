"""A loss that reads what a forward kept, and which files are parsed to see that it did."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine.find.unsound.kept import kept_by_forward

if TYPE_CHECKING:
    from pathlib import Path


TRAIN = """
def train(model, batch):
    loss = criterion(model(batch)) + model.aux
    loss.backward()
"""
INIT = "def __init__(self):\n    self.aux = made()\n"
FORWARD = "def forward(self, x):\n    return x\n"


@pytest.mark.parametrize(
    ("methods", "kept", "parsed"),
    [
        ("def forward(self, x):\n    self.aux = x.mean()\n    return x\n", True, True),
        (
            "def __call__(self, x):\n    if x:\n        self.aux = x.mean()\n    return x\n",
            True,
            True,
        ),
        ("async def forward(self, x):\n    self.aux = x.mean()\n", True, True),
        (
            "def forward(self, x):\n    def inner(y):\n        return y\n    self.aux = inner(x)\n",
            True,
            True,
        ),
        ("def forward(self, x):\n    self.aux = 0\n    return x\n", False, True),
        (INIT + FORWARD, False, False),
        (FORWARD + INIT, False, False),
        ("def forward_aux(self, x):\n    self.aux = x.mean()\n" + FORWARD, False, False),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_a_forward_that_keeps_is_read(
    tmp_path: Path, methods: str, kept: bool, parsed: bool, end: str
) -> None:
    net = f"class Net(Layer):\n{textwrap.indent(methods, '    ')}"
    (tmp_path / "net.py").write_bytes(net.replace("\n", end).encode())
    (tmp_path / "train.py").write_text(TRAIN)
    asked: list[str] = []

    class Noting(Project):
        def module(self, path: str):  # type: ignore[no-untyped-def]
            asked.append(path)
            return super().module(path)

    project = Noting(Tree(tmp_path))
    module = project.module("train.py")
    assert module is not None
    scope = module.scope("train")
    assert scope is not None
    found = kept_by_forward(project, scope, frozenset({"model"}))
    assert found == ((3, "model.aux") if kept else None)
    assert ("net.py" in asked) is parsed
