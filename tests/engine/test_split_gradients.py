"""Statements that, as a program with inputs and outputs, would train on other gradients."""

from __future__ import annotations

import ast

import pytest

from codemod.engine.split.gradients import differs


@pytest.mark.parametrize(
    ("code", "results"),
    [
        # An input that is changed in place.
        ("x += 1\ny = f(x)", ("y",)),
        ("x.relu_()\ny = f(x)", ("y",)),
        ("x.append(1)\ny = f(x)", ("y",)),
        ("x[0] = 1\ny = f(x)", ("y",)),
        ("z = x\nz[0] = 1\ny = f(x)", ("y",)),
        ("for i in x:\n    i += 1\ny = f(x)", ("y",)),
        ("z = f(x)\nfor i in r:\n    z += 1\n    z = x\ny = f(x)", ("y",)),
        # An input that is given back as it came.
        ("y = x", ("y",)),
        ("y = x[0]", ("y",)),
        ("y = list(x)", ("y",)),
        ("y = x if a else f(x)", ("y",)),
        ("if a:\n    y = x\nelse:\n    y = f(x)", ("y",)),
        ("if a:\n    return x\nx = f(x)\nreturn x", ()),
        ("return {'k': [f(x), *x]}", ()),
        ("y = []\ny.append(x)", ("y",)),
        # The last operation reads an output that it does not make.
        ("y = f(x)\nz = g(y)", ("y", "z")),
        ("y = f(x)\nz = -y", ("y", "z")),
        ("y = f(x)\nz = g(y)\nif a:\n    w = g(z)", ("y", "z")),
        ("y = f(x)\nz = g(y)\nif a:\n    return z\nreturn y, z", ()),
        ("y = f(x)\nz = []\nz.append(y)\nw = g(y)", ("z",)),
    ],
)
def test_a_program_would_differ(code: str, results: tuple[str, ...]) -> None:
    assert differs(ast.parse(code).body, ("x",), results)


@pytest.mark.parametrize(
    ("code", "results"),
    [
        ("y = f(x)", ("y",)),
        ("y = x.relu()", ("y",)),
        ("y = x.__len_()", ("y",)),
        ("y = x[0] + 1", ("y",)),
        ("y = f(x)\ny += 1\ny.relu_()\ny[0] = 1", ("y",)),
        ("x = f(x)\nx += 1\nreturn x", ()),
        ("y = f(x)\nz = g(y)", ("z",)),
        ("y = f(x)\nz = g(x)", ("y", "z")),
        ("y = f(x)\nz = g(y)\nw = g(x)", ("y", "z", "w")),
        ("y = f(x)\nreturn g(y)", ()),
        ("y = []\ny.append(f(x))", ("y",)),
    ],
)
def test_a_program_computes_the_same(code: str, results: tuple[str, ...]) -> None:
    assert not differs(ast.parse(code).body, ("x",), results)
