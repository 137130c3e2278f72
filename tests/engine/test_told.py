"""What is said of an operation: code to its last bracket."""

from __future__ import annotations

import ast

import pytest

from codemod.base.changeset import EditKind
from codemod.engine.rewrite.ops import Insert, Op, Replace
from codemod.engine.rewrite.told import origin_of


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "parser.add_argument('--to_static',\n    action='store_true',\n    help='')\nx = 1",
            "lines that begin with `parser.add_argument('--to_static', action='store_true', help='')` are added",
        ),
        ("names = [\n    'a',\n    'b']", "`names = ['a', 'b']` is added"),
        ("say('(')\nx = 1", "lines that begin with `say('(')` are added"),
        ("say('(')  # (\n# x", "`say('(')` is added"),
        (
            "if static:\n    net = f(\n        net)\n    say(1)",
            "lines that begin with `if static: net = f(net)` are added",
        ),
        ("if (static and\n        train):\n    go()", "`if (static and train): go()` is added"),
    ],
)
def test_what_is_added_is_told_to_its_last_bracket(code: str, told: str) -> None:
    op = Op("train.py", EditKind.PLUMBING, Insert((), "body", 0, code))
    assert origin_of(op, None).does.text() == told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("known = a in b", "`known = a in b` takes the place of the kit's `assert a in b`"),
        (
            "known = a in b\nif not known:\n    warn(a)",
            "lines that begin with `known = a in b` take the place of the kit's `assert a in b`",
        ),
    ],
)
def test_a_first_line_is_not_told_as_all_that_comes(code: str, told: str) -> None:
    """A text named the first of seven lines as what took the place of an assertion."""
    tree = ast.parse("assert a in b")
    op = Op("train.py", EditKind.PLUMBING, Replace((("body", 0),), code))
    assert origin_of(op, tree).does.text() == told
