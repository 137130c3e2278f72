"""Two dynamic runs are the same training only if nothing that a run records differs."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from codemod.judging.comparing.same_training import first_deviation
from tests.parity.builders import mark, plain, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.training.record import Record, Step

ONE = np.ones(3, "float32")
STEPS, CHANGED = 4, 2


def run(change: Callable[[Step], Step] = lambda step: step, **fields: Any) -> Record:
    """Four steps with all that is recorded of one; `change` is made to one of them."""
    steps = [
        replace(one, buffers={"mean": mark(ONE)}, state={"decay": "0.5"}) for one in plain(STEPS)
    ]
    steps[CHANGED] = change(steps[CHANGED])
    begun = {"opt": 0, "start": {"a": "1", "b": "2"}}
    whole = {"params": (begun,), "weights": ({"opt": 0, "end": {"a": "3", "b": "4"}},)}
    return record(steps, **whole | fields)


# What one change of a run is told as: everything that the judge says it looks at.
CHANGES = {
    "the loss (1.0e+00 relative)": run(lambda one: replace(one, losses=(2.0,))),
    "the gradient of b": run(lambda one: replace(one, grads={**one.grads, "b": mark(ONE)})),
    "the buffer mean": run(lambda one: replace(one, buffers={"mean": mark(2 * ONE)})),
    "the learning rate": run(lambda one: replace(one, lr=0.2)),
    "the attribute decay": run(lambda one: replace(one, state={"decay": "0.4"})),
    "the random numbers of numpy": run(
        lambda one: replace(one, random={**one.random, "numpy": "z"})
    ),
}
WHOLE = {
    "4 steps before and 3 after": replace(run(), steps=run().steps[:3]),
    "the parameters have other names": run(params=({"opt": 0, "start": {"a": "1", "c": "2"}},)),
    "the weight b at step 0": run(params=({"opt": 0, "start": {"a": "1", "b": "0"}},)),
    "the weight a at step 3": run(weights=({"opt": 0, "end": {"a": "0", "b": "4"}},)),
}


def test_a_run_is_the_same_training_as_itself() -> None:
    assert first_deviation(run(), run()) is None
    # How long it took, and how much memory, are no part of a training.
    slower = run(lambda one: replace(one, seconds=9.0, rss_kb=9, recorder_seconds=9.0))
    assert first_deviation(run(), slower) is None


@pytest.mark.parametrize("told", CHANGES)
def test_each_difference_of_a_step_is_told_with_its_number(told: str) -> None:
    assert str(first_deviation(run(), CHANGES[told])) == f"{told} at step {CHANGED}"


@pytest.mark.parametrize("told", WHOLE)
def test_each_difference_of_the_whole_is_told(told: str) -> None:
    assert str(first_deviation(run(), WHOLE[told])) == told


def test_what_differs_one_way_differs_the_other() -> None:
    runs = [run(), *CHANGES.values(), *WHOLE.values()]
    for (i, one), (j, other) in itertools.product(enumerate(runs), repeat=2):
        assert (first_deviation(one, other) is None) == (i == j)
