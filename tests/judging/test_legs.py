"""Evaluation, export and checkpoints after the last step: what is said of each."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge
from codemod.training.sides import Gap
from tests.judging.sides import first, other, sided
from tests.parity.builders import plain, record

if TYPE_CHECKING:
    from codemod.training.record import Record


NAN = math.nan


def line(leg: str, outcome: str, **fields: Any) -> dict[str, Any]:
    """A line of the recorder."""
    return {"t": "leg", "leg": leg, "net": "Net", "outcome": outcome, **fields}


def ran(leg: str, far: float) -> dict[str, Any]:
    """A leg whose output of norm 2 is so far off."""
    differs = {"0": ["d", 2.0, far]} if far else {}
    return line(leg, "ran", batch=3, outputs={"0": ["d", 2.0]}, differs=differs)


def judged(*lines: dict[str, Any], reading: Record | None = None) -> Any:
    """The judgement of equal steps with these legs."""
    steps = plain(3)
    static = replace(record(steps, caught=True), legs=lines)
    return judge(Comparison("ast", record(steps), static, record(steps), reading=reading))


@pytest.mark.parametrize(
    ("after", "outcome", "words"),
    [
        (
            (ran("eval", 0.0),),
            "pass",
            "Compared after the last step and equal: evaluation on another batch size.",
        ),
        ((ran("eval", 2e-6),), "pass-tolerance", "after the last step and equal"),
        ((ran("eval", 0.2),), "differs", "(Net, relative difference 1.0e-01)"),
        ((line("eval", "fails", error="E: no"),), "fails", "Fails only with the hook"),
        ((line("eval", "dynamic-fails", error="E"),), "dynamic-fails", "without the hook too"),
        ((line("eval", "begun"),), "crash", "The process crashed"),
    ],
)
def test_a_leg_has_a_verdict_of_its_own(
    after: tuple[dict[str, Any], ...], outcome: str, words: str
) -> None:
    told = judged(line("eval", "begun"), *after)
    assert told.verdict == "pass"
    assert told.legs == {"eval": outcome, "export": "not-run"}
    assert words in told.reason


def test_the_worst_net_is_named() -> None:
    told = judged(ran("export", 0.0), {**ran("export", 1.0), "net": "Other"})
    assert told.legs == {"eval": "not-run", "export": "differs"}
    assert "(Other, relative" in told.reason


def reading(**changed: Gap) -> Record:
    """Both modes read the other one's checkpoint; the static side is a little off by itself."""
    off = {"head.weight": Gap("d", 0.5, 1e-9)}
    turns = []
    for pair in range(3):
        turns += [first(pair), other(pair, "static", grads=off)]
        turns += [other(pair, "dynamic-read", grads=dict(changed))]
        turns += [other(pair, "static-read", grads=off)]
    return replace(sided(), turns=tuple(turns))


def test_the_step_after_a_checkpoint_is_that_of_the_mode_that_read_it() -> None:
    assert judged(reading=reading()).legs["read"] == "pass"
    lost = judged(reading=reading(**{"head.bias": Gap("d", 1e-3, 1e-3)}))
    assert lost.legs["read"] == "differs"
    assert (
        "the step after reading the other mode's checkpoint (read by dynamic training"
        in lost.reason
    )


def test_a_side_that_was_compared_at_no_update_says_nothing() -> None:
    """A trainer that updates at every second pass of its loop has each second side's alone."""
    run = reading()
    lone = [turn for turn in run.turns if turn.side.startswith("static")]
    alone = judged(reading=replace(run, turns=tuple(lone)))
    assert alone.legs["read"] == "not-run"
    assert "not run or gave no finite numbers: evaluation on another batch size" in alone.reason
    # No checkpoint is read before the first update.
    early = [turn for turn in run.turns if turn.pair == 0]
    assert judged(reading=replace(run, turns=tuple(early))).legs["read"] == "not-run"


def test_a_checkpoint_that_no_mode_can_read_is_not_the_hooks() -> None:
    failed = {"t": "leg", "leg": "read", "outcome": "fails", "error": "KeyError: 'x'"}
    one = replace(reading(), legs=({**failed, "net": "static-read"},))
    assert judged(reading=one).legs["read"] == "fails"
    both = replace(one, legs=(*one.legs, {**failed, "net": "dynamic-read"}))
    assert judged(reading=both).legs["read"] == "dynamic-fails"


@pytest.mark.parametrize(
    ("outputs", "differs", "outcome"),
    [
        (
            {"0": ["d", 2.0], "1": ["d", 1.0]},
            {"0": ["d", 2.0, 1e-9], "1": ["d", NAN, NAN]},
            "differs",
        ),
        (
            {"0": ["d", 2.0], "1": ["d", 1.0]},
            {"1": ["d", NAN, NAN], "0": ["d", 2.0, 1e-9]},
            "differs",
        ),
        ({"0": ["d", NAN]}, {}, "not-run"),
        ({"0": ["d", math.inf]}, {"0": ["d", 1.0, math.inf]}, "not-run"),
        ({}, {}, "not-run"),
        # What dynamic mode gives in a form that the recorder does not read, such as a named tuple.
        ({}, {"0": ["d", 5.2, 5.2]}, "not-run"),
    ],
)
def test_outputs_that_are_no_numbers_are_not_equal(
    outputs: dict[str, Any], differs: dict[str, Any], outcome: str
) -> None:
    told = judged(line("eval", "ran", batch=3, outputs=outputs, differs=differs))
    assert told.legs["eval"] == outcome


@pytest.mark.parametrize(
    "changed",
    [
        {"updates": {"head.weight": Gap("d", NAN, NAN)}},
        {"buffers": {"norm.mean": Gap("d", 0.0, 1.0)}},
    ],
)
def test_an_update_or_a_buffer_that_reading_a_checkpoint_spoils(changed: dict[str, Any]) -> None:
    run = reading()
    turns = (replace(t, **changed) if t.side.endswith("-read") else t for t in run.turns)
    assert judged(reading=replace(run, turns=tuple(turns))).legs["read"] == "differs"


def test_a_leg_that_never_ran_is_told_and_a_probe_has_none() -> None:
    told = judged(line("checkpoint", "", holds="1"))
    assert told.legs == {"eval": "not-run", "export": "not-run"}
    assert judged().legs == {}
