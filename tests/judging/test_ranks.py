"""Of several ranks that do not pass, which one the verdict is taken from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.ranks import judge_ranks
from codemod.judging.verdict import Verdict
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from codemod.training.record import Record


def off(number: int) -> Record:
    """A static run with one gradient off at one step."""
    steps = plain()
    steps[number] = step(number, {**gradients(number), "a": gradients(number)["a"] * 2})
    return record(steps, caught=True)


@pytest.mark.parametrize(
    ("ranks", "taken"),
    [
        ([off(2), off(1)], 1),
        ([off(1), off(2)], 0),
        ([off(1), off(1)], 0),
        ([record(plain(), caught=True), off(3)], 1),
        # A rank without a step of its own parts at the start, before a later rank does.
        ([record(plain()), off(0)], 0),
        ([off(1), record(plain())], 1),
    ],
)
def test_the_rank_that_parts_first_is_told(ranks: list[Record], taken: int) -> None:
    dynamic = replace(record(plain()), others=(record(plain()),))
    static = replace(ranks[0], others=tuple(ranks[1:]))
    rank, found = judge_ranks(Comparison("ast", dynamic, static))
    assert rank == taken
    assert not found.verdict.passed
    assert found.reason.startswith(f"Rank {taken} of 2: ")


def test_one_rank_is_told_without_a_number() -> None:
    rank, found = judge_ranks(Comparison("ast", record(plain()), off(1)))
    assert (rank, found.verdict) == (0, Verdict.GRADIENT_DIFFERS)
    assert "Rank" not in found.reason
