"""Cutting a program: what shows the fault stays, everything else goes. No Paddle is needed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemod.experiments.reduce.answers import Answers
from codemod.experiments.reduce.cutting import cuts
from codemod.experiments.reduce.cutting.edits import applied
from codemod.experiments.reduce.cutting.reducer import OutOfTime, Reducer, ddmin, size
from codemod.experiments.reduce.cutting.tidy import dangles, reachable, tidied, written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROGRAM = '''
import os

import paddle
from paddle import nn


class Part(nn.Layer):
    """A part."""

    def __init__(self, width, scale=3):
        super().__init__()
        self.body = nn.Linear(width, width)
        self.scale = scale

    def forward(self, x):
        y = self.body(x)
        for i in range(4):
            if x.mean() > i:
                y = fault(y * self.scale, 64)
            else:
                y = y + 1
        return y


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.part = Part(64)
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.part(x))


def build():
    return Net()


def step(net):
    return net(paddle.rand([2, 64])).sum()
'''


def calls(text: str) -> list[str]:
    tree = ast.parse(text)
    return [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]


def at_fault(text: str) -> bool:
    """Whether it has both functions, and the call is in what they name."""
    bound = {getattr(node, "name", "") for node in ast.parse(text).body}
    return {"build", "step"} <= bound and "fault" in calls(written(reachable(ast.parse(text))))


TWO_WAYS = """
def step(net):
    a = net(1)
    b = net(2)
    print(a, b)
    return a


def build():
    return step
"""


def test_two_programs_that_are_as_small_are_not_cut_to_each_other_for_ever() -> None:
    asked: list[str] = []

    def shows(text: str) -> bool:
        asked.append(text)
        assert len(asked) < 500
        return all(part in text for part in ("print(a, b)", "= net(1)", "= net(2)", "return "))

    reduced = Reducer(shows).reduce(TWO_WAYS)
    assert "print(a, b)" in reduced


def test_what_shows_it_is_all_that_stays() -> None:
    reduced = Reducer(at_fault).reduce(PROGRAM)
    assert len([line for line in reduced.splitlines() if line]) <= 8
    assert "fault" in calls(reduced)


def test_a_branch_that_is_needed_keeps_its_condition() -> None:
    def shows(text: str) -> bool:
        branches = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.If)]
        return at_fault(text) and any("fault" in calls(ast.unparse(branch)) for branch in branches)

    reduced = Reducer(shows).reduce(PROGRAM)
    assert "if " in reduced
    assert "for " not in reduced
    assert "head" not in reduced


def test_numbers_shrink_together() -> None:
    def shows(text: str) -> bool:
        numbers = [
            node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)
        ]
        widths = {n for n in numbers if isinstance(n, int) and n >= 8}
        return (
            text.count("nn.Linear") == 2
            and len(widths) <= 1
            and "rand([" in text
            and at_fault(text)
        )

    start = PROGRAM.replace("10)", "64)")
    assert shows(start)
    reduced = Reducer(shows).reduce(start)
    assert "64" not in reduced


def test_what_was_refused_is_never_the_result() -> None:
    reducer = Reducer(lambda _text: False)
    assert reducer.reduce(PROGRAM) == written(ast.parse(PROGRAM))


def test_the_time_is_over() -> None:
    asked: list[str] = []

    def shows(text: str) -> bool:
        if len(asked) == 3:
            raise OutOfTime
        asked.append(text)
        return at_fault(text)

    reduced = Reducer(shows).reduce(PROGRAM)
    assert at_fault(reduced)
    assert len(asked) == 3


def test_every_candidate_is_smaller_than_what_it_came_from() -> None:
    best = [size(ast.parse(PROGRAM))]

    def told(text: str) -> None:
        best.append(size(ast.parse(text)))
        assert best[-1] <= best[-2]

    Reducer(at_fault, told).reduce(PROGRAM)
    assert len(best) > 3


def test_no_candidate_is_run_that_lacks_a_name() -> None:
    asked: list[str] = []

    def shows(text: str) -> bool:
        asked.append(text)
        return at_fault(text)

    Reducer(shows).reduce(PROGRAM)
    whole = ast.parse(PROGRAM)
    assert asked
    assert not any(dangles(ast.parse(text), whole) for text in asked)


def test_side_by_side_is_as_one_after_another() -> None:
    assert Reducer(at_fault, at_once=3).reduce(PROGRAM) == Reducer(at_fault).reduce(PROGRAM)


@given(st.lists(st.integers(0, 40), unique=True, max_size=30), st.sets(st.integers(0, 40)))
def test_ddmin_keeps_what_is_needed_and_no_more(units: list[int], wanted: set[int]) -> None:
    needed = wanted & set(units)

    def first(parts: Iterator[list[int]]) -> int | None:
        return next((n for n, part in enumerate(parts) if needed <= set(part)), None)

    kept = ddmin(units, first)
    assert kept == [unit for unit in units if unit in needed]


def test_definitions_that_nothing_names_go() -> None:
    text = "import os\nimport a\nx = 1\ndef build():\n    return a.b\nclass C: pass\n"
    assert written(reachable(ast.parse(text))) == "import a\n\n\ndef build():\n    return a.b\n"


AROUND = """
class A:
    def forward(self, x):
        self.b({given})
class B:
    def forward(self, x{more}):
        g()
net(1, 2)
"""


@pytest.mark.parametrize(
    ("edits", "before", "after"),
    [
        (cuts.unwrapped, "while a:\n    b()\n", "b()\n"),
        (cuts.unwrapped, "for i in range(3):\n    b(i)\n", "i = 0\nb(i)\n"),
        (cuts.unwrapped, "for i in a:\n    b(i)\n", "i = next(iter(a))\nb(i)\n"),
        (
            cuts.earlier_returns,
            "def f():\n    a = g()\n    return h(a)\n",
            "def f():\n    a = g()\n    return a\n",
        ),
        (cuts.parts, "f(a, b=[1])\n", "f(a)\n"),
        (cuts.parts, "f([1, 2])\n", "f([1])\n"),
        (cuts.small_tables, "E(100001)\nf([70001, 3])\n", "E(64)\nf([49, 3])\n"),
        (cuts.simplified, "f(a)\n", "a\n"),
        (cuts.simplified, "x.f(a)\n", "x\n"),
        (cuts.plainer, "getattr(x, 'f')(a)\n", "x.f(a)\n"),
        (cuts.plainer, "f(0 + 1)\n", "f(1)\n"),
        (cuts.simplified, "y = a + b\n", "y = b\n"),
        (cuts.shortened, "f(a, b)\n", "f(a)\n"),
        (cuts.shortened, "x = [1, 2]\n", "x = [1]\n"),
        (cuts.unpaired, "a, b = c, d\n", "a = c\n"),
        (cuts.unpaired, "a, b, c = d, e, f\n", "a, c = d, f\n"),
        (
            cuts.unused_parameters,
            "def f(a, b=2):\n    g(b)\nf(1, 3)\n",
            "def f(a):\n    g(2)\nf(1)\n",
        ),
        # A layer around another one calls it with what `step` gives.
        (
            cuts.unused_parameters,
            "class A:\n    def forward(self, x, y):\n        self.b(x, y)\nnet(1, 2)\n",
            "class A:\n    def forward(self, x):\n        self.b(x, y)\nnet(1)\n",
        ),
        (
            cuts.unused_parameters,
            AROUND.format(given="x, x", more=", y"),
            AROUND.format(given="x", more=""),
        ),
        (cuts.settled_names, "def f():\n    a = g()\n    h(a)\n", "def f():\n    h(g())\n"),
        (cuts.smaller_numbers, "f(8, 8)\n", "f(4, 4)\n"),
        (cuts.settled_names, "def f():\n    a.b = g()\n    h(a.b)\n", "def f():\n    h(g())\n"),
        (
            cuts.other_roots,
            "class A:\n    b = B()\ndef build():\n    return A()\n",
            "class A:\n    b = B()\ndef build():\n    return B()\n",
        ),
    ],
)
def test_an_edit(edits: object, before: str, after: str) -> None:
    tree = ast.parse(before)
    found = [applied(tree, each) for each in edits(tree)]  # type: ignore[operator]
    assert written(ast.parse(after)) in [written(one) for one in found]
    assert ast.unparse(tree) == ast.unparse(ast.parse(before))


def test_an_interrupted_reduction_asks_nothing_twice(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(text: str) -> bool:
        if len(asked) == 20:
            raise OutOfTime
        asked.append(text)
        return at_fault(text)

    file = tmp_path / "answers.jsonl"
    Reducer(Answers(file, "q", ask)).reduce(PROGRAM)
    first = list(asked)
    again: list[str] = []

    def ask_again(text: str) -> bool:
        again.append(text)
        return at_fault(text)

    Reducer(Answers(file, "q", ask_again)).reduce(PROGRAM)
    assert len(first) == 20
    assert not set(first) & set(again)
    assert len(Answers(file, "another", ask)) == 0


def test_what_a_line_computes_may_be_drawn() -> None:
    text = "def f(x):\n    y = g(x)\n    return h(y)\n"
    here = {"x": ([2], "float32", True), "y": ([2, 3], "float64", True)}
    shapes: cuts.Shapes = {2: here, 3: {**here, "": ([1], "int64", False)}}
    tree = ast.parse(text)

    def found(grown: bool) -> list[str]:
        edits = cuts.made_up(tree, shapes, grown)
        return [ast.unparse(applied(tree, each)) for each in edits]

    alone = "def f(x):\n    y = paddle.rand([2, 3])\n    return h(y)"
    given = "def f(x):\n    y = paddle.rand([2, 3]) * x.mean()\n    return h(y)"
    last = "def f(x):\n    y = g(x)\n    return paddle.ones([1], 'int64')"
    assert found(grown=False) == [alone, last]
    assert found(grown=True) == [given, last]


def test_methods_and_names_that_nothing_reads_go() -> None:
    text = """
class C:
    def __init__(self):
        self.a = 1
        self.b = 2

    def lost(self):
        return self.b

    def forward(self):
        c = self.a
        d = c
        return c

def build():
    return C()
"""
    assert written(tidied(ast.parse(text))) == written(
        ast.parse(
            """
class C:
    def __init__(self):
        self.a = 1

    def forward(self):
        c = self.a
        return c

def build():
    return C()
"""
        )
    )


@pytest.mark.parametrize(
    ("cut", "lacks"),
    [
        ("def build():\n    x = 1\n    return x\ndef step(net):\n    return net.a\n", True),
        ("def build():\n    return C()\ndef step(net):\n    return 1\n", True),
        ("def build():\n    return [x for x in ()]\ndef step(net):\n    return net.b\n", False),
        ("def build():\n    return lambda *y: y\n", True),
        ("class C:\n    a = 1\ndef build():\n    return C()\ndef step(net):\n    net.a\n", False),
    ],
)
def test_what_names_nothing_that_is_there(cut: str, lacks: bool) -> None:
    before = "class C:\n    a = 1\ndef build():\n    return C()\ndef step(net):\n    net.a\n"
    assert dangles(ast.parse(cut), ast.parse(before)) == lacks


def test_a_name_that_getattr_reads_is_given_elsewhere() -> None:
    before = "def build():\n    return getattr(p, 'a')\ndef step(net):\n    return net\n"
    cut = before.replace("getattr(p, 'a')", "p.a")
    assert not dangles(ast.parse(cut), ast.parse(before))
    given = before.replace("getattr(p, 'a')", "setattr(p, 'a', 1)")
    assert dangles(ast.parse(cut), ast.parse(given))
