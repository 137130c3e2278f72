"""Executed lines that a row tells by those with the switch off come back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemod.judging.evidence.line_changes import shortened, whole
from codemod.training.reads import as_ranges

LINES = st.frozensets(st.integers(1, 60))


@given(LINES, LINES, st.sampled_from(["a1", "b2"]))
def test_all_come_back(ran: frozenset[int], off: frozenset[int], state: str) -> None:
    now, then = {"t.py": f"a1 {as_ranges(ran)}"}, {"t.py": f"{state} {as_ranges(off)}"}
    assert whole(shortened(now, then), then) == now
    assert whole(shortened(now, {}), {}) == now


def test_what_is_the_same_is_not_told_again() -> None:
    off = {"t.py": "a1 1-30 33-40 42 50-60"}
    ran = {"t.py": "a1 1-30 33-40 43 50-60"}
    assert shortened(ran, off) == {"t.py": "a1 but 42 and 43"}


@pytest.mark.parametrize("off", [{}, {"t.py": "b2 1-40"}])
def test_lines_of_a_file_that_off_lacks_are_refused(off: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="`off` lacks"):
        whole({"t.py": "a1 but 42 and 43"}, off)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError):
        whole({"t.py": "a1 but x and 43"}, {"t.py": "a1 1-40"})
