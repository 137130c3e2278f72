"""Parameters that are never updated: a difference of their gradients changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from codemod.experiments.parity.curves import gradients as summary
from codemod.experiments.parity.experiment import JudgedMode
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.idle import idle_parameters
from codemod.judging.judge import HARMLESS, judge
from codemod.judging.verdict import Verdict
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from codemod.training.record import Record

STARTS = {name: f"{name}0" for name in "abcd"}


def trained(still: str = "", rates: dict[str, float] | None = None, **fields: Any) -> Record:
    """A run that updates all parameters but `still`, and whose gradient `b` may be off."""
    ends = {name: text if name in still else f"{name}1" for name, text in STARTS.items()}
    lines = {
        "params": ({"opt": 0, "start": STARTS, "rates": rates or {}},),
        "weights": ({"opt": 0, "end": ends},),
    }
    steps = plain()
    if fields.pop("off", False):
        values = gradients(1)
        steps[1] = step(1, {**values, "b": values["b"] * np.float32(1.5)}, **fields)
    return record(steps, caught=bool(fields.get("caught", True)), **lines)


def dynamic(**fields: Any) -> Record:
    made = trained(**fields)
    return record(plain(), params=made.params, weights=made.weights)


def test_what_no_run_updates_is_idle() -> None:
    assert idle_parameters(trained(), trained()) == frozenset()
    assert idle_parameters(trained("b"), trained("bc")) == {"b"}
    assert idle_parameters(trained(rates={"a": 0.0, "c": 0.5}), trained("a")) == {"a"}
    assert idle_parameters(trained("abcd"), trained("abcd")) == frozenset(), "nothing was updated"
    cut = record(plain(), params=trained("b").params)
    assert idle_parameters(trained("b"), cut) == frozenset(), "it did not come to its end"


def test_a_difference_that_harms_nothing_is_told_apart() -> None:
    case = Comparison("ast", dynamic(still="b"), trained("b", off=True))
    found = judge(case)
    assert found.verdict is Verdict.GRADIENT_DIFFERS
    assert found.reason.endswith(str(HARMLESS))
    (row,) = summary(JudgedMode(case, found)).furthest
    assert (row.name, row.updated) == ("b", False)


def test_a_difference_of_what_is_updated_is_not() -> None:
    case = Comparison("ast", dynamic(), trained(off=True))
    found = judge(case)
    assert found.verdict is Verdict.GRADIENT_DIFFERS
    assert str(HARMLESS) not in found.reason
    assert summary(JudgedMode(case, found)).furthest[0].updated is True
    lost = Comparison("ast", dynamic(still="b"), trained("b", off=True, loss=1.5))
    assert str(HARMLESS) not in judge(lost).reason
