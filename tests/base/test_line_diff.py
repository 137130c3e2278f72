"""Where two lists of lines differ: rightly, and with few steps."""

from __future__ import annotations

import random

import pytest

from codemod.base.files import line_diff
from codemod.base.files.line_diff import changed_spans
from tests.attack.counting import Calls


def rebuilt(old: list[bytes], new: list[bytes]) -> list[bytes]:
    """The new lines, from the old ones and the spans."""
    made, at = [], 0
    for span in changed_spans(old, new):
        made += old[at : span.start] + new[span.new_start : span.new_stop]
        at = span.stop
    return made + old[at:]


@pytest.mark.parametrize("seed", range(50))
def test_the_spans_lead_from_the_old_lines_to_the_new(seed: int) -> None:
    draw = random.Random(seed)
    old = [draw.choice((b"a", b"b", b"c")) for _ in range(draw.randint(0, 30))]
    new = list(old)
    for _ in range(draw.randint(0, 4)):
        at = draw.randint(0, len(new))
        new[at : at + draw.randint(0, 3)] = [b"x"] * draw.randint(0, 3)
    assert rebuilt(old, new) == new
    assert changed_spans(old, old) == []


def test_like_lines_cost_what_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """With insertions far apart, between them the same lines over and over."""
    monkeypatch.setattr(line_diff, "MOST_PAIRS", 100)
    counted = []
    for count in (500, 1000, 2000):
        old = [b"pass\n", b"\n"] * count
        new = [b"first\n", *old, b"last\n"]
        with Calls() as calls:
            assert [span[2:] for span in changed_spans(old, new)] == [
                (0, 1),
                (len(new) - 1, len(new)),
            ]
        counted.append(calls.count)
    assert counted[2] - counted[1] <= 2.2 * (counted[1] - counted[0]) + 10


def test_a_real_change_among_like_lines_is_one_span(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_diff, "MOST_PAIRS", 100)
    old = [b"a\n"] + [b"pass\n"] * 50 + [b"b\n"]
    new = [b"x\n"] + [b"pass\n"] * 49 + [b"y\n"]
    assert changed_spans(old, new) == [(0, 52, 0, 51)]
    assert rebuilt(old, new) == new
