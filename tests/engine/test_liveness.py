"""Names that a run of statements needs, and those that it surely binds."""

from __future__ import annotations

import ast

import pytest

from codemod.code.liveness import closed_over, flow, stores


def body(code: str) -> list[ast.stmt]:
    return ast.parse(code).body


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        ("y = f(x)\nz = y", ["f", "x"]),
        ("for i in xs:\n    y = g(y, i)\nz = y", ["xs", "g", "y"]),
        ("if a:\n    y = 1\nz = y", ["a", "y"]),
        ("if a:\n    y = 1\nelse:\n    y = 2\nz = y", ["a"]),
        ("if a:\n    raise E\nelse:\n    y = 2\nz = y", ["a", "E"]),
        ("y += x", ["x", "y"]),
        ("y = [a * i for i in xs if i > b]", ["xs", "a", "b"]),
        ("y = lambda i, j=c: i + k", ["c", "k"]),
        ("a[i], o.b = x", ["x", "a", "i", "o"]),
        ("while t:\n    t = n(t)", ["t", "n"]),
        ("with o(p) as q:\n    r = q\nz = r", ["o", "p"]),
        ("try:\n    y = x\nexcept E as e:\n    y = e\nz = y", ["x", "e", "E", "y"]),
        ("match s:\n    case [a, *b] if a > c:\n        y = b\nz = a", ["s", "a", "c", "b"]),
        ("(y := x) and z\nw = y", ["x", "z", "y"]),
        ("del y\nz = y", ["y"]),
        ("import a.b\nz = a", []),
        ("y: int\nz = y", ["int", "y"]),
    ],
)
def test_names_are_needed_in_the_order_of_reading(code: str, needed: list[str]) -> None:
    assert sorted(flow(body(code)).needed) == sorted(needed)


@pytest.mark.parametrize(
    ("code", "bound"),
    [
        ("y = 1", {"y"}),
        ("for i in xs:\n    y = 1", set()),
        ("if a:\n    y = z = 1\nelse:\n    y = 2", {"y"}),
        ("y = 1\ndel y", set()),
        ("while a:\n    y = 1\nelse:\n    z = 1", {"z"}),
        ("try:\n    y = 1\nfinally:\n    pass", set()),
        ("def y():\n    z = 1", {"y"}),
        ("y = [i for i in xs]", {"y"}),
        ("a and (y := 1)", set()),
        ("y: int", set()),
    ],
)
def test_only_what_is_bound_on_every_way_is_bound(code: str, bound: set[str]) -> None:
    assert flow(body(code)).bound == frozenset(bound)


def test_what_follows_a_return_is_never_reached() -> None:
    assert flow(body("raise E\ny = x")).bound is None
    assert flow(body("raise E\ny = x")).needed == ("E",)


def test_a_scope_s_own_names() -> None:
    code = "x = [i for i in a]\ndef f(p):\n    q = 1\nfor b, c in d:\n    import e as g"
    assert stores(body(code)) == {"x", "f", "b", "c", "g"}
    assert stores(body("x = [y := i for i in a]")) == {"x", "y"}


def test_names_that_are_read_later_on() -> None:
    assert closed_over(body("f = lambda: x\ny = [z for z in w]")) == {"x"}
    assert closed_over(body("def f():\n    y = x")) == {"x"}
    assert closed_over(body("y = (z * v for z in w)")) >= {"v", "w"}
