"""Which rewritten statements were executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.base.changeset import ChangeSet, FileChange, Source
from codemod.engine.rewrite.rewritten import unexecuted

OLD = b"""\
def f(x):
    y = x + 1
    if y:
        z = 1
    return y
"""


@pytest.mark.parametrize(
    ("new", "lines", "partly", "found"),
    [
        (OLD.replace(b"x + 1", b"x + 2"), {2, 3, 5}, set(), ()),
        (OLD.replace(b"z = 1", b"z = 2"), {2, 3, 5}, set(), ("a.py:4",)),
        (OLD.replace(b"x + 1", b"g(\n        x,\n    )"), {3}, set(), ()),
        (OLD.replace(b"x + 1", b"x if x else 2"), {2}, {2}, ("a.py:2",)),
        (OLD.replace(b"x + 1", b"x if x else 2"), {2}, set(), ()),
        (OLD.replace(b"x + 1", b"x + 2"), {2}, {2}, ()),
        (OLD.replace(b"if y:", b"if y and x:"), {3}, {4}, ()),
        (OLD.replace(b"    y = x", b'    """Says."""\n    y = x'), {3}, set(), ()),
        (b"import os\n" + OLD, set(), set(), ()),
        (b"def f(:\n", set(), set(), ()),
    ],
)
def test_rewritten_statements_that_were_not_executed(
    new: bytes, lines: set[int], partly: set[int], found: tuple[str, ...]
) -> None:
    change = ChangeSet(Source(None, Path(), None), changes=(FileChange("a.py", OLD, new),))
    places = [{("a.py", line) for line in some} for some in (lines, partly)]
    assert unexecuted(change, *places) == found
