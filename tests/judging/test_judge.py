"""Each verdict from records made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from codemod.judging.comparing.classify import weights_finding
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge, wants_controls
from codemod.judging.verdict import Judgement, Verdict, ended_from_outside
from codemod.training.inject.parity_recorder.values.digests import Sparse
from codemod.training.record import Mark
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from codemod.training.record import Record, Step


def judged(static: list[Step], dynamic: list[Step] | None = None, **fields: Any) -> tuple[str, str]:
    """Verdict and class of two runs."""
    base = record(dynamic if dynamic is not None else plain())
    found = judge(Comparison("ast", base, record(static, caught=True), base, **fields))
    return found.verdict, found.first.kind if found.first else ""


def changed(number: int, name: str, value: Any) -> list[Step]:
    """The plain steps with one gradient exchanged in one step."""
    steps = plain()
    steps[number] = step(number, {**gradients(number), name: value})
    return steps


def test_equal_runs_pass() -> None:
    assert judged(plain()) == ("pass", "")
    found = judge(Comparison("ast", record(plain()), record(plain(), caught=True)))
    assert found.reason == (
        "4 steps are equal to the bit in losses, gradients, buffers, learning rates and "
        "watched state."
    )


def test_a_thousandth_in_one_gradient_is_found() -> None:
    fault = gradients(2)["b"] * np.float32(1.001)
    assert judged(changed(2, "b", fault)) == ("gradient-differs", "isolated")


def test_rounding_in_one_gradient_is_tolerated_and_said() -> None:
    static = changed(2, "b", np.nextafter(gradients(2)["b"], np.float32(9)))
    ulp = record(changed(1, "b", np.nextafter(gradients(1)["b"], np.float32(9))))
    assert judged(static, ulp=ulp) == ("pass-tolerance", "")


def test_missing_is_not_zero() -> None:
    assert judged(changed(1, "b", None)) == ("gradient-differs", "missing")
    dynamic = changed(1, "b", None)
    zeros = np.zeros(30, "float32")
    assert judged(changed(1, "b", zeros), dynamic) == ("gradient-differs", "none-against-zero")
    assert judged(plain(), dynamic) == ("gradient-differs", "extra")


def test_sparse_made_dense_is_told_though_the_numbers_agree() -> None:
    dense = np.zeros((50, 4), "float32")
    dense[[3, 7]] = 1.5
    sparse = Sparse(np.array([7, 3, 3]), np.array([[1.5] * 4, [0.5] * 4, [1.0] * 4], "f4"), 50)
    found = judged(changed(0, "b", dense), changed(0, "b", sparse))
    assert found == ("gradient-differs", "sparse-made-dense")
    assert judged(changed(0, "b", sparse), changed(0, "b", sparse)) == ("pass", "")


def test_loss_comes_with_its_step() -> None:
    static = plain()
    static[3] = replace(static[3], losses=(1.01,))
    case = Comparison("ast", record(plain()), record(static, caught=True))
    found = judge(case)
    assert found.verdict == "loss-differs"
    assert found.first is not None
    assert found.first.step == 3


def test_another_number_of_losses_is_other_code() -> None:
    static = plain()
    static[0] = replace(static[0], losses=(1.0, 2.0))
    assert judged(static) == ("loss-differs", "number")


def test_random_state_explains_a_loss() -> None:
    static = plain()
    static[1] = replace(static[1], losses=(2.0,), random={**static[1].random, "python": "z"})
    assert judged(static) == ("loss-differs", "frozen-randomness")


def test_buffer_and_state() -> None:
    dynamic = [replace(one, buffers=one.grads) for one in plain()]
    frozen = [replace(one, buffers=dynamic[0].buffers) for one in plain()]
    assert judged(frozen, dynamic) == ("buffer-differs", "frozen-buffer")
    counted = [replace(one, state={"Net.seen": str(one.number)}) for one in plain()]
    assert judged(plain(), counted) == ("state-differs", "frozen-state")


def test_a_tensor_that_is_kept_and_not_used_is_no_difference() -> None:
    kept = [replace(one, state={"Net.pairs": f"['tensor:{one.number}']"}) for one in plain()]
    assert judged(plain(), kept) == ("pass", "")
    used = [replace(one, losses=(one.losses[0] + one.number,)) for one in plain()]
    assert judged(used, kept) == ("loss-differs", "frozen-state")


def test_state_that_differs_between_dynamic_runs_says_nothing() -> None:
    first = record([replace(one, state={"Net.clock": "1"}) for one in plain()])
    again = record([replace(one, state={"Net.clock": "2"}) for one in plain()])
    static = [replace(one, state={"Net.clock": "3"}) for one in plain()]
    found = judge(Comparison("ast", first, record(static, caught=True), again))
    assert found.verdict == "pass-tolerance"


def test_nothing_captured_is_never_a_pass() -> None:
    dynamic = record(plain())
    hooks = ({"t": "hook", "file": "engine.py", "line": 232},)
    unreached = judge(Comparison("sot", dynamic, record(plain()), dynamic))
    unused = judge(Comparison("sot", dynamic, record(plain(), hooks=hooks), dynamic))
    assert unreached.verdict == unused.verdict == "not-static"
    assert "no to_static was reached" in unreached.reason
    assert "engine.py:232" in unused.reason


def test_a_program_of_something_else_than_what_is_hooked_is_not_static() -> None:
    steps = [replace(one, static={"ast_runs": 1}) for one in plain()]
    static = record(steps, hooks=({"t": "hook", "file": "train.py", "line": 3},))
    found = judge(Comparison("ast", record(plain()), static))
    assert found.verdict == "not-static"


def test_a_gate_that_does_not_switch_off_is_told() -> None:
    always = record(plain(), caught=True)
    found = judge(Comparison("ast", always, always, always))
    assert found.verdict == "dynamic-fails"
    assert "gate" in found.reason


def test_part_of_the_steps_static_is_partial() -> None:
    static = record(plain(), caught=True)
    late = replace(static, steps=(*static.steps[:2], *record(plain()).steps[2:]))
    assert judge(Comparison("ast", record(plain()), late)).verdict == "pass-partial"


def test_graph_breaks_are_partial_under_sot() -> None:
    static = record(plain(), caught=True, breaks=({"kind": "BreakGraphError", "reason": "print"},))
    assert judge(Comparison("sot", record(plain()), static)).verdict == "pass-partial"


def test_a_run_that_somebody_ended_is_no_verdict() -> None:
    whole, static = record(plain()), record(plain(1), caught=True)
    killed = replace(static, outcome="killed")
    found = judge(Comparison("ast", whole, killed))
    assert found.verdict == "not-run"
    assert found.reason == (
        "Static training was ended from outside, by a signal: 1 step was recorded. Run it again."
    )
    reference = judge(Comparison("ast", replace(record(plain(1)), outcome="killed"), static))
    assert (reference.verdict, ended_from_outside(reference.said)) == ("not-run", True)


def test_a_limit_that_left_static_training_too_little_is_no_verdict() -> None:
    """On a busy machine it may be slow for what else runs there."""
    dynamic = replace(record(plain()), seconds=100.0)
    ended = replace(record(plain(1), caught=True), outcome="timeout", limit_s=599.0)
    short = judge(Comparison("ast", dynamic, ended))
    assert short.verdict == "not-run"
    assert short.reason == (
        "The time limit of 599 s ended static training, and dynamic training took 100 s: 1 step "
        "was recorded. Run it again with --limit 600."
    )
    enough = judge(Comparison("ast", dynamic, replace(ended, limit_s=600.0)))
    assert (enough.verdict, ended_from_outside(enough.said)) == ("timeout", False)
    unknown = judge(Comparison("ast", dynamic, replace(ended, limit_s=0.0)))
    assert unknown.verdict == "timeout"


@pytest.mark.parametrize("outcome", ["killed", "timeout"])
def test_a_control_run_that_was_ended_tells_no_difference(outcome: str) -> None:
    dynamic = record(plain())
    drift = record(changed(1, "b", gradients(1)["b"] * np.float32(1.001)), caught=True)
    case = Comparison("ast", dynamic, drift, dynamic, ulp=dynamic)
    assert judge(case).verdict.differs
    ended = replace(record(plain(1)), outcome=outcome)
    for cut_off in (replace(case, ulp=ended), replace(case, repeat=ended)):
        found = judge(cut_off)
        assert (found.verdict, ended_from_outside(found.said)) == ("not-run", True)
    missing = record(changed(1, "b", None), caught=True)
    assert judge(replace(case, static=missing, ulp=ended)).verdict.differs, "no rounding does that"


@pytest.mark.parametrize("outcome", ["fails", "crash", "timeout", "oom"])
def test_ends_of_the_static_run(outcome: str) -> None:
    static = replace(record(plain(1), caught=True), outcome=outcome)
    assert judge(Comparison("ast", record(plain()), static)).verdict == outcome
    late = replace(record(plain(), caught=True), outcome=outcome)
    assert judge(Comparison("ast", record(plain()), late)).verdict == outcome
    failing = replace(record(plain(1)), outcome=outcome)
    assert judge(Comparison("ast", failing, static)).verdict == "not-run"


def test_a_shorter_static_run_fails() -> None:
    assert judged(plain(2)) == ("fails", "")


def test_dynamic_runs_that_differ_say_nothing() -> None:
    again = [step(number, gradients(number + 50)) for number in range(4)]
    found = judge(Comparison("ast", record(plain()), record(plain(), caught=True), record(again)))
    assert found.verdict == "nondeterministic"


def test_a_dead_loss_cannot_pass() -> None:
    dead = [step(number, {"a": np.zeros(3, "f4")}) for number in range(3)]
    found = judge(Comparison("ast", record(dead), record(dead, caught=True)))
    assert found.verdict == "not-run"


def test_drift_within_the_one_ulp_envelope_passes_and_beyond_does_not() -> None:
    def drifting(size: float) -> list[Step]:
        return [
            step(
                number,
                {k: v * np.float32(1 + size * 3**number) for k, v in gradients(number).items()},
                loss=1.0 + size * 3**number,
            )
            for number in range(4)
        ]

    dynamic, ulp = record(plain()), record(drifting(1e-6))
    inside = Comparison("ast", dynamic, record(drifting(2e-6), caught=True), dynamic, ulp=ulp)
    beyond = Comparison("ast", dynamic, record(drifting(5e-4), caught=True), dynamic, ulp=ulp)
    assert judge(inside).verdict == "pass-tolerance"
    assert judge(beyond).verdict in ("loss-differs", "gradient-differs")
    assert judge(replace(inside, ulp=None)).verdict == "loss-differs"
    # What one unit in the last place moves so far could hide a fault of one in a thousand.
    wide = judge(replace(inside, ulp=record(drifting(1e-5))))
    assert wide.verdict == "not-run"
    assert "not even a change of 1e-3 would have been seen" in wide.reason


def test_controls_are_wanted_only_for_drift() -> None:
    dynamic = record(plain())
    assert not wants_controls(Comparison("ast", dynamic, record(plain(), caught=True)))
    assert not wants_controls(
        Comparison("ast", dynamic, record(changed(1, "b", None), caught=True))
    )
    drift = changed(1, "b", gradients(1)["b"] * np.float32(1.001))
    assert wants_controls(Comparison("ast", dynamic, record(drift, caught=True)))


def test_running_statistics_are_no_other_start() -> None:
    def start(weight: str, mean: str) -> Record:
        grads = [replace(one, grads={**one.grads, "mean": frozen}) for one in plain()]
        line = {"opt": 0, "start": {"a": weight, "mean": mean}}
        return replace(record(grads), params=(line,))

    frozen = Mark("f", "", 0.0, "")
    first = start("1", "1")
    assert weights_finding(first, start("1", "2")) is None
    other = weights_finding(first, start("2", "2"))
    assert other is not None
    assert (other.first.name, other.first.kind) == ("a", "other-start")


def test_running_statistics_must_end_alike() -> None:
    def ended(mean: str) -> Record:
        frozen = Mark("f", "", 0.0, "")
        steps = [replace(one, grads={**one.grads, "mean": frozen}) for one in plain()]
        return replace(record(steps), weights=({"opt": 0, "end": {"a": "1", "mean": mean}},))

    found = weights_finding(ended("1"), ended("2"))
    assert found is not None
    assert (found.first.name, found.first.kind) == ("mean", "weights")


def with_rates(steps: list[Step], *rates: float) -> list[Step]:
    """The steps with these learning rates."""
    return [replace(one, lr=rate) for one, rate in zip(steps, rates, strict=True)]


def test_another_learning_rate_alone_is_a_difference() -> None:
    dynamic = record(with_rates(plain(), 0.1, 0.1, 0.05, 0.05))
    static = record(with_rates(plain(), 0.1, 0.1, 0.1, 0.05), caught=True)
    found = judge(Comparison("ast", dynamic, static, dynamic))
    assert found.verdict == "state-differs"
    assert found.first is not None
    assert (found.first.step, found.first.kind) == (2, "learning-rate")
    assert found.first.relative == pytest.approx(1.0)
    assert found.first.name == "the learning rate (0.05 dynamic, 0.1 static)"
    assert "schedule" in str(found.hint)


def test_a_schedule_that_follows_the_loss_may_differ_where_a_control_run_does() -> None:
    dynamic = record(with_rates(plain(), 0.1, 0.1, 0.1, 0.1))
    ulp = record(with_rates(plain(), 0.1, 0.05, 0.1, 0.1))
    late = record(with_rates(plain(), 0.1, 0.1, 0.1, 0.05), caught=True)
    early = record(with_rates(plain(), 0.05, 0.1, 0.1, 0.1), caught=True)
    assert judge(Comparison("ast", dynamic, late, dynamic, ulp)).verdict == "pass-tolerance"
    assert judge(Comparison("ast", dynamic, early, dynamic, ulp)).verdict == "state-differs"
    assert judge(Comparison("ast", dynamic, late, ulp, ulp)).verdict == "pass-tolerance"


def test_weights_in_which_two_dynamic_runs_differ_prove_nothing() -> None:
    """The update of sparse tables on the CPU is not the same in every run."""

    def ended(table: str, other: str = "1", caught: bool = False) -> Record:
        line = {"opt": 0, "end": {"table": table, "other": other}}
        return replace(record(plain(), caught=caught), weights=(line,))

    def case(static: Record, repeat: Record) -> Judgement:
        return judge(Comparison("ast", ended("1"), static, repeat))

    noisy = case(ended("2", caught=True), ended("3"))
    assert noisy.verdict == Verdict.PASS_TOLERANCE
    assert "differ between two dynamic runs" in noisy.reason
    assert case(ended("2", caught=True), ended("1")).verdict == Verdict.STATE_DIFFERS
    assert case(ended("2", "2", caught=True), ended("3")).verdict == Verdict.STATE_DIFFERS
    assert case(ended("1", caught=True), ended("1")).verdict == Verdict.PASS


def test_the_same_updates_each_once_or_the_modes_differ() -> None:
    def told(static: list[Step], dynamic: list[Step]) -> tuple[str, str, int]:
        case = Comparison("ast", record(dynamic), record(static, caught=True))
        found = judge(case)
        assert not wants_controls(case)
        assert found.first is not None
        return found.verdict, found.first.kind, found.first.step

    two = [one for step_ in plain() for one in (step_, replace(step_, opt=1))]
    other = [replace(one, opt=1) for one in plain()]
    twice = [*plain()[:2], replace(plain()[2], losses=(9.0,)), *plain()[2:]]
    assert told(plain(6), plain()) == ("loss-differs", "number", 4)
    assert told(plain(8), two) == ("loss-differs", "number", 0)
    assert told(other, plain()) == ("loss-differs", "number", 0)
    assert told(twice, plain()) == ("loss-differs", "number", 2)
    assert judge(Comparison("ast", record(two), record(two, caught=True))).verdict == "pass"


def test_weights_that_one_mode_alone_has() -> None:
    def ended(end: dict[str, str], caught: bool = False) -> Record:
        params = ({"opt": 0, "start": {"a": "0"}, "shapes": {"a": [1]}},)
        weights = ({"opt": 0, "end": end},) if end else ()
        return replace(record(plain(), caught), params=params, weights=weights)

    def told(dynamic: Record, static: Record) -> tuple[str, str]:
        found = judge(Comparison("ast", dynamic, static, dynamic))
        return found.verdict, found.first.name if found.first else ""

    both = {"a": "1", "teacher": "2"}
    assert told(ended(both), ended(both, True)) == ("pass", "")
    assert told(ended(both), ended({"a": "1"}, True)) == ("state-differs", "teacher")
    assert told(ended({"a": "1"}), ended(both, True)) == ("state-differs", "teacher")
    assert told(ended(both), ended({}, True)) == ("state-differs", "a")
    assert told(ended({}), ended(both, True)) == ("state-differs", "a")
    # A second dynamic run that was cut off says nothing of noise.
    case = Comparison("ast", ended(both), ended(both, True), ended({}))
    assert judge(case).verdict == "pass"
