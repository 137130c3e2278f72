"""The attributes of a class that lead to what must stay dynamic."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.base.reason import Refusal
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine.rewrite.ops import Extract
from codemod.engine.split.heldback import ClassAttributes, Finder
from codemod.engine.split.splits import split_ops
from codemod.kits.rule import Split

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD = """\
import paddle
from paddle.nn import Hash, Layer, Linear
from elsewhere import Strange

class Net(Layer):
    "A net."
    SIZE = 4
"""
STAYS = ("Table(...)", "Hash(..., sparse=$_)")
UNLESS = ("Hash(..., sparse=False)",)
Held = ClassAttributes | Refusal


@pytest.fixture
def held(tmp_path: Path) -> Callable[..., Held]:
    """What the class of these methods holds."""

    def held_(init: str, methods: str = "", after: str = "") -> Held:
        inner = textwrap.indent(init, " " * 8)
        text = f"{HEAD}    def __init__(self, key):\n{inner}\n{methods}\n{after}"
        (tmp_path / "net.py").write_text(text)
        project = Project(Tree(tmp_path))
        module = project.module("net.py")
        assert module is not None
        return Finder(project, STAYS, UNLESS).held(module, module.classes["Net"])

    return held_


@pytest.mark.parametrize(
    ("init", "tables"),
    [
        ("self.a = Table(8)", {"a"}),
        ("self.a = Hash(8, sparse=key)", {"a"}),
        ("self.a = Hash(8, sparse=False)", set()),
        ("self.a = Linear(4, 4)\nself.b = 3", set()),
        ("self.a = [Table(8), Linear(4, 4)]", {"a"}),
        ("self.b = self.a = Table(8)\nself.c = self.b\nself.d = key", {"a", "b", "c"}),
        ("one = Table(8)\nself.a = one\nself.b = Linear(4, 4)", {"a"}),
        ("self.b = Linear(4, 4)\nself.a = Wrapped(self.b, Table(8))", {"a"}),
        ("self.a = []\nself.a.append(Table(8))", {"a"}),
        ("self.a = []\nself.a.append(Linear(4, 4))", set()),
        ("for one in [Table(8)]:\n    self.a = one", {"a"}),
        ("many.rows.append(Table(8))\nself.a = many\nself.rows = 3", {"a"}),
        ("self.add_sublayer('a', Table(8))\nself.add_sublayer('b', Linear(4, 4))", {"a"}),
        ("self.add_sublayer(key, Linear(4, 4))", set()),
        ("self.a: Layer\nself.a = Table(8)", {"a"}),
        ("print(one := Table(8))\nself.a = one", {"a"}),
        ("key.add_sublayer('a', Table(8))", set()),
        ("self.add_sublayer(name='b', sublayer=Linear(4, 4))", set()),
        # What cannot be followed counts; Python's own, Paddle and its like do not.
        ("self.a = Strange(8)\nself.b = paddle.nn.ReLU()\nself.c = Exception(1)", {"a"}),
        ("self.a = Unknown(8)\nself.b = lower(8)\nself.c = some.Unknown(8)", {"a"}),
    ],
)
def test_attributes_that_lead_to_a_table(
    held: Callable[..., Held], init: str, tables: set[str]
) -> None:
    found = held(init)
    assert isinstance(found, ClassAttributes)
    assert found.tables == tables


def test_of_the_classes_and_functions_of_the_kit_what_they_make_decides(
    held: Callable[..., Held],
) -> None:
    more = """
class Inner(Layer):
    def __init__(self):
        self.rows = Table(8)

class Heir(Inner):
    pass

class Plain(Layer):
    def __init__(self):
        self.fc = Linear(4, 4)

def made(n):
    return [Table(n)]

def dense(n):
    return [Linear(n, n)]
"""
    init = (
        "self.a = Inner()\nself.b = Plain()\nself.c = made(8)\nself.d = dense(8)\nself.e = Heir()"
    )
    found = held(init, after=more)
    assert isinstance(found, ClassAttributes)
    assert found.tables == {"a", "c", "e"}


def test_what_is_assigned_late_and_what_is_known(held: Callable[..., Held]) -> None:
    more = """
    def late(self, x):
        self.seen = self.a(x)
        self.new = Table(8)
    """
    added = "self.add_sublayer('fc', Linear(4, 4))\nself.say('word', Linear(4, 4))"
    found = held(f"self.a = Table(8)\n{added}", more)
    assert isinstance(found, ClassAttributes)
    assert found.tables == {"a", "new"}
    assert found.late == {"seen", "new"}
    assert found.known == {"a", "fc", "seen", "new"}
    assert set(found.methods) == {"__init__", "late"}


@pytest.mark.parametrize(
    ("init", "code"),
    [
        ("setattr(self, key, Table(8))", "engine.table-by-setattr"),
        ("self.add_sublayer(key, Table(8))", "engine.table-at-run-time"),
    ],
)
def test_a_table_that_cannot_be_followed_is_a_refusal(
    held: Callable[..., Held], init: str, code: str
) -> None:
    found = held(init)
    assert isinstance(found, Refusal)
    assert found.reason.code == code


def test_only_classes_with_a_forward_that_hold_a_table_are_split(tmp_path: Path) -> None:
    layers = """\
    from paddle.nn import Layer, Linear

    class Holder(Layer):
        def __init__(self):
            self.table = Table(8)

    class Dense(Layer):
        def __init__(self):
            self.fc = Linear(4, 4)

        def forward(self, x):
            return self.fc(self.fc(x))

    class Left(Holder):
        def forward(self, x):
            return Table(x)

    class Heir(Holder):
        def __init__(self):
            self.holder = Holder()

        def forward(self, x):
            return self.holder(x)

    class Net(Layer):
        def __init__(self):
            self.table = Table(8)
            self.fc = Linear(4, 4)

        def forward(self, x):
            y = self.table(x)
            return self.fc(self.fc(y))
    """
    (tmp_path / "net.py").write_text(textwrap.dedent(layers))
    project = Project(Tree(tmp_path))
    split = Split(("*.py",), STAYS, "dense", "why", leave=("Le*",))
    ops, skipped = split_ops(project, (split,))
    assert [(op.file, op.action.name) for op in ops if isinstance(op.action, Extract)] == [
        ("net.py", "dense")
    ]
    assert not skipped
    ops, skipped = split_ops(project, (replace(split, leave=("Le*", "Net")),))
    assert not ops
    assert [skip.reason["scope"] for skip in skipped] == ["Heir.forward"]
