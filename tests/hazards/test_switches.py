"""Arguments, off by default, that a config must set for a line of a forward to run."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from codemod.code.tree import Tree
from codemod.hazards import scan

if TYPE_CHECKING:
    from pathlib import Path

NET = """\
import random
import paddle
import paddle.nn as nn


class Net(nn.Layer):
    def __init__(self, noisy=False, head=None, loud=True, seed=0, *, late=False):
        super().__init__()
        self.noisy = noisy
        self.head = head
        self.loud = loud
        self.seed = seed
        self.late = late
        self.given = make(noisy)
        self.never = False
        self.always = True
        self.none = None
        self.part = nn.Linear(3, 3)
        self.twice = noisy
        self.inner = self.noisy
        self.part.extra = False
        other.extra = False

    def louder(self):
        self.twice = True

    def forward(self, x, now=False):
{body}
"""
USE = "x = x * random.random()"


def switches(root: Path, body: str) -> tuple[str, ...]:
    (root / "net.py").write_text(NET.format(body=indent(body, " " * 8)))
    (found,) = (one for one in scan(Tree(root), ["net.py:Net"]) if one.id == "D-43")
    return found.switches


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        ("self.noisy", ("noisy",)),
        ("self.head is not None", ("head",)),
        ("self.head", ("head",)),
        ("self.late", ("late",)),
        ("self.never", ("never",)),
        ("self.none is not None", ("none",)),
        ("self.noisy and self.head", ("noisy", "head")),
        ("x.any() and self.noisy", ("noisy",)),
        ("self.noisy or self.head", ()),
        ("self.noisy == 1", ()),
        ("self.head is None", ()),
        ("not self.noisy", ()),
        ("self.loud", ()),
        ("self.always", ()),
        ("self.given", ()),
        ("self.twice", ()),
        ("self.inner", ()),
        ("self.part", ()),
        ("self.noisy.any", ()),
        ("self.part.extra", ()),
        ("noisy", ()),
        ("now", ()),
        ("other.extra", ()),
        ("self.absent", ()),
        ("x[0]", ()),
    ],
)
def test_what_a_condition_asks_for(tmp_path: Path, test: str, wanted: tuple[str, ...]) -> None:
    assert switches(tmp_path, f"if {test}:\n    {USE}\nreturn x") == wanted


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"if self.noisy:\n    pass\nelse:\n    {USE}\nreturn x", ()),
        (f"if self.noisy:\n    pass\nelif self.head:\n    {USE}\nreturn x", ("head",)),
        (f"if self.noisy:\n    if self.head:\n        {USE}\nreturn x", ("head", "noisy")),
        (f"if self.noisy:\n    if self.noisy:\n        {USE}\nreturn x", ("noisy",)),
        (f"while self.noisy:\n    {USE}\nreturn x", ()),
        ("return x * random.random() if self.noisy else x", ("noisy",)),
        ("return x if self.noisy else x * random.random()", ()),
        ("return x * (2 if random.random() else self.noisy)", ()),
        (
            f"for i in x:\n    if self.noisy:\n        with y:\n            {USE}\nreturn x",
            ("noisy",),
        ),
        (USE, ()),
    ],
)
def test_where_a_line_stands(tmp_path: Path, body: str, wanted: tuple[str, ...]) -> None:
    assert switches(tmp_path, body) == wanted


def test_a_function_of_no_class_has_no_switch(tmp_path: Path) -> None:
    body = (
        "return noise(x)\n\n\ndef noise(self):\n    if self.noisy:\n        return random.random()"
    )
    (tmp_path / "net.py").write_text(NET.format(body=f"        {body}"))
    (found,) = scan(Tree(tmp_path), ["net.py:Net"])
    assert (found.scope, found.switches) == ("noise", ())
