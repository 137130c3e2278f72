"""What is carried from update to update: seen where no single update differs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from codemod.experiments.parity.experiment import judge_case, waits_for_course
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge
from codemod.judging.rounding.course import other_course
from codemod.training.sides import Gap
from tests.judging.sides import first, other, sided, visit
from tests.parity.builders import plain, record, step


def case(parts_at: int = 3, **runs: object) -> Comparison:
    """Free runs that part from a step on, and sides that are all equal to the bit before."""
    steps = plain(6)
    steps[parts_at] = replace(steps[parts_at], losses=(1 + 1e-6,))
    dynamic, static = record(plain(6)), record(steps, caught=True)
    equal = {pair: other(pair, "static") for pair in range(6)}
    single = sided(changed=equal, double=False)
    sides = Comparison("ast", dynamic, static, dynamic, lockstep=single, lockstep_double=sided())
    return replace(sides, **runs)  # type: ignore[arg-type]


def test_a_free_run_that_parts_before_any_update_differs() -> None:
    told = judge(case())
    assert told.verdict == "state-differs"
    assert told.first is not None
    assert (told.first.kind, told.first.step) == ("carried", 3)
    assert "optimizer state, an average or a counter (carried)" in told.reason
    assert "由之前的更新带入" in told.said[0].text("zh")


@pytest.mark.parametrize("pair", [0, 2, 3])
def test_an_update_that_differs_up_to_there_is_rounding(pair: int) -> None:
    gap = {"head.weight": Gap("d", 0.5, 1e-9)}
    equal = {at: other(at, "static") for at in range(6)}
    changed = {**equal, pair: other(pair, "static", grads=gap)}
    assert judge(case(lockstep=sided(changed=changed, double=False))).verdict == "pass-tolerance"


def test_what_a_visit_leaves_otherwise_before_is_rounding_too() -> None:
    left = replace(visit(2, "static"), end={"head.weight": Gap("d", 0.05, 1e-9)})
    equal = {at: other(at, "static") for at in range(6)}
    single = sided(changed=equal, ends={2: left}, double=False)
    assert judge(case(lockstep=single)).verdict == "pass-tolerance"
    later = replace(left, pair=3, step=3)
    single = sided(changed=equal, ends={3: later}, double=False)
    assert judge(case(lockstep=single)).verdict == "state-differs"


def test_a_difference_between_dynamic_runs_says_nothing() -> None:
    noisy = plain(6)
    noisy[2] = replace(noisy[2], losses=(1 + 1e-6,))
    assert judge(case(repeat=record(noisy))).verdict == "pass-tolerance"


def switched(at: int | None) -> Comparison:
    """Rounding in every update, and a dynamic side that leaves its course at one."""

    run = sided(double=False)
    turns = (replace(t, losses=(0.5,)) if at is not None and t.pair >= at else t for t in run.turns)
    return case(lockstep=replace(run, turns=tuple(turns)))


def test_the_dynamic_side_s_own_course_is_asked_for() -> None:
    assert judge(switched(None)).verdict == "pass-tolerance"
    assert not waits_for_course(judge_case(switched(None)))
    judged = judge_case(switched(2))
    assert judged.judgement.verdict == "not-run"
    assert "another course than by itself from step 2 on" in judged.judgement.reason
    assert waits_for_course(judged)


def test_the_run_with_the_switch_on_decides() -> None:
    alone = record([])
    equal = replace(alone, turns=tuple(first(pair) for pair in range(6)))
    assert judge(replace(switched(2), switched=equal)).verdict == "pass-tolerance"
    turns = [first(pair) for pair in range(6)]
    turns[4] = replace(turns[4], losses=(0.75,))
    told = judge(replace(switched(2), switched=replace(alone, turns=tuple(turns))))
    assert told.verdict == "state-differs"
    assert told.first is not None
    assert (told.first.kind, told.first.step) == ("carried", 4)
    # A run that did not come to its end tells nothing of what it did not reach.
    cut = replace(equal, outcome="timeout", turns=equal.turns[:4])
    assert judge(replace(switched(2), switched=cut)).verdict == "not-run"
    # Nor does one that made no update.
    assert judge(replace(switched(2), switched=alone)).verdict == "not-run"


@pytest.mark.parametrize("what", ["losses", "lr", "opt", "norm"])
def test_a_course_is_losses_rates_and_norms(what: str) -> None:
    free = record([step(0, {"body.weight": np.array([3.0, 4.0], "float32")})])
    norm = 5.0 * (1 + 1e-8) if what == "norm" else 5.0
    turn = replace(first(0), grads={"body.weight": Gap("d", norm)}, opt=int(what == "opt"))
    turn = replace(turn, losses=(0.5,)) if what == "losses" else turn
    turn = replace(turn, lr=0.2) if what == "lr" else turn
    found = other_course(free, replace(record([]), turns=(turn,)))
    assert found is free.steps[0]
    same = replace(first(0), grads={"body.weight": Gap("d", 5.0 * (1 + 1e-15))})
    assert other_course(free, replace(record([]), turns=(same,))) is None


@pytest.mark.parametrize(("end", "verdict"), [("b", "pass-tolerance"), ("c", "not-run")])
def test_where_the_dynamic_side_ends_is_asked_for(end: str, verdict: str) -> None:
    ends = tuple(({"opt": 0, "end": {"teacher": one}},) for one in ("b", end))
    known = switched(None)
    assert known.lockstep is not None
    dynamic = replace(
        known.dynamic, weights=ends[0], params=({"opt": 0, "start": {}, "shapes": {}},)
    )
    static = replace(known.static, weights=ends[0], params=dynamic.params)
    sides = replace(known.lockstep, weights=ends[1])
    judged = replace(known, dynamic=dynamic, static=static, repeat=dynamic, lockstep=sides)
    assert judge_case(judged).judgement.verdict == verdict
