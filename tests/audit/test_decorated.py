"""A method decorated for an export is a hook without a gate where training runs it."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from codemod.audit.faults import decorated
from codemod.code.project import Project
from codemod.code.tree import Tree

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "import paddle\nimport paddle.nn as nn\nfrom paddle.static import InputSpec\n"
TRAIN = "from model import Net\n\n\ndef main(x):\n    Net()(x).backward()\n"
SPEC = "@paddle.jit.to_static(input_spec=[InputSpec([None, 8])])"
NET = """
    class Base(nn.Layer):
        {mark}
        def embed(self, x):
            return self.table(x)

        def pair(self, x):
            return self.embed(x) * 2

        def forward(self, x):
            return {own}
"""
HEIR = """
    from base import Base


    class Net(Base):
        def forward(self, x):
            return {heir}
"""


def found(root: Path, train: str = TRAIN, **files: str) -> list[tuple[str, int | None]]:
    for name, text in {"train": train, **files}.items():
        (root / f"{name}.py").write_text(HEAD + dedent(text), encoding="utf-8")
    return [(one.file, one.line) for one in decorated(Project(Tree(root)))]


@pytest.mark.parametrize(
    ("mark", "own", "wanted"),
    [
        (SPEC, "self.embed(x)", True),
        (SPEC, "self.pair(x)", True),
        ("@paddle.jit.to_static", "self.embed(x)", True),
        (SPEC, "self.table(x)", False),
        ("@paddle.jit.not_to_static", "self.embed(x)", False),
        ("@staticmethod", "self.embed(x)", False),
    ],
    ids=["called", "called by what is called", "bare", "for the export alone", "kept out", "other"],
)
def test_a_method_of_the_net(tmp_path: Path, mark: str, own: str, wanted: bool) -> None:
    assert found(tmp_path, model=NET.format(mark=mark, own=own)) == [("model.py", 7)] * wanted


@pytest.mark.parametrize(("heir", "wanted"), [("self.embed(x)", True), ("self.table(x)", False)])
def test_a_method_that_an_heir_calls(tmp_path: Path, heir: str, wanted: bool) -> None:
    base = NET.format(mark=SPEC, own="self.table(x)")
    assert found(tmp_path, base=base, model=HEIR.format(heir=heir)) == [("base.py", 7)] * wanted


def test_a_forward_that_is_decorated_itself(tmp_path: Path) -> None:
    model = """
    class Net(nn.Layer):
        @paddle.jit.to_static
        def forward(self, x):
            return x
    """
    assert found(tmp_path, model=model) == [("model.py", 7)]


def test_a_net_that_nothing_beside_it_trains(tmp_path: Path) -> None:
    model = NET.format(mark=SPEC, own="self.embed(x)")
    assert found(tmp_path, train="from model import Net\n", model=model) == []
