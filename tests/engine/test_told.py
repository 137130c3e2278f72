"""What is said of an operation: code to its last bracket."""

from __future__ import annotations

import pytest

from codemod.base.changeset import EditKind
from codemod.engine.rewrite.ops import Insert, Op
from codemod.engine.rewrite.told import origin_of


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "parser.add_argument('--to_static',\n    action='store_true',\n    help='Off (no).')\nx = 1",
            "`parser.add_argument('--to_static', action='store_true', help='Off (no).')` is added",
        ),
        ("names = [\n    'a',\n    'b']", "`names = ['a', 'b']` is added"),
        ("say('(')\nx = 1", "`say('(')` is added"),
        (
            "if static:\n    net = f(\n        net)\n    say(1)",
            "`if static: net = f(net)` is added",
        ),
        ("if (static and\n        train):\n    go()", "`if (static and train): go()` is added"),
    ],
)
def test_what_is_added_is_told_to_its_last_bracket(code: str, told: str) -> None:
    op = Op("train.py", EditKind.PLUMBING, Insert((), "body", 0, code))
    assert origin_of(op, None).does.text() == told
