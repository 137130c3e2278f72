"""Each rule of the judge at its edge, and the words that it gives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge, wants_controls
from codemod.judging.verdict import Verdict
from tests.parity.builders import CAUGHT, gradients, plain, record, step

if TYPE_CHECKING:
    from codemod.training.record import Record, Step


def static(steps: list[Step] | None = None, **fields: Any) -> Record:
    return record(plain() if steps is None else steps, caught=True, **fields)


def rounded(number: int = 1, by: float = 1e-6, loss: float = 1.0) -> list[Step]:
    """Plain steps with the gradient `b` and the loss of one of them a little off."""
    steps = plain()
    values = gradients(number)
    steps[number] = step(number, {**values, "b": values["b"] * np.float32(1 + by)}, loss=loss)
    return steps


# --- which runs are wanted


def test_controls_are_wanted_where_both_ran_and_only_sizes_differ() -> None:
    case = Comparison("ast", record(plain()), static(rounded()))
    assert wants_controls(case)
    assert not wants_controls(replace(case, static=static()))
    assert not wants_controls(replace(case, dynamic=replace(case.dynamic, outcome="fails")))
    assert not wants_controls(replace(case, static=replace(case.static, outcome="crash")))
    assert not wants_controls(replace(case, static=record(rounded()))), "nothing was captured"
    late = [replace(one, lr=0.2) if one.number == 3 else one for one in plain()]
    assert wants_controls(replace(case, static=static(late)))


# --- the reference


def test_a_reference_that_fails_in_words() -> None:
    failing = replace(record(plain(1)), outcome="crash")
    found = judge(Comparison("ast", failing, static()))
    assert (found.verdict, found.verdict.passed) == ("not-run", False)
    assert found.reason == (
        "Training with the switch off crashed; the data or the machine may be the cause: "
        "1 step was recorded"
    )
    nothing = judge(Comparison("ast", record([]), static()))
    assert nothing.reason == (
        "Training with the switch off made no optimizer step; the data or the machine may be the "
        "cause: 0 steps were recorded"
    )


def test_a_reference_that_ran_out_of_time_blames_nobody() -> None:
    slow = replace(record(plain(2)), outcome="timeout", limit_s=300.0)
    found = judge(Comparison("ast", slow, slow))
    assert found.verdict is Verdict.NOT_RUN
    said = "The dynamic run reached the time limit of 300 s (--limit): 2 steps were recorded"
    assert found.reason == said
    unknown = judge(Comparison("ast", replace(slow, limit_s=0.0), slow))
    assert unknown.reason.startswith("The dynamic run reached the time limit: 2 steps")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("  \nfirst line\nsecond", "KeyError: first line"),
        ("in code\n  ValueError: deep\nat last", "KeyError: ValueError: deep"),
        ("(PreconditionError) one\nTypeError: two\nx", "KeyError: TypeError: two"),
        ("(InvalidException: one", "KeyError: (InvalidException: one"),
        ("", "KeyError: "),
        ("y" * 999, "KeyError: " + "y" * 388 + " …"),
    ],
)
def test_the_telling_line_of_an_error(message: str, words: str) -> None:
    end = {"error": "KeyError", "message": message}
    failing = replace(record(plain(2), end=end), outcome="fails")
    assert judge(Comparison("ast", failing, static())).reason.endswith(f"cause: {words}")
    found = judge(Comparison("ast", record(plain()), replace(failing, outcome="fails")))
    assert (found.verdict, found.reason) == ("fails", f"Static training stopped: {words}")


def test_a_zero_gradient_in_every_step_tells_nothing() -> None:
    zero = [step(number, {"a": np.zeros(3, "f4")}) for number in range(3)]
    found = judge(Comparison("ast", record(zero), static(zero)))
    assert found.verdict == "not-run"
    assert "gradient is zero" in found.reason
    alive = [step(number, {"a": np.full(3, 1e-3, "f4")}) for number in range(3)]
    once = [zero[0], *alive[1:]]
    assert judge(Comparison("ast", record(once), static(once))).verdict == "pass"


@pytest.mark.parametrize(
    ("by", "loss", "number", "verdict"),
    [
        (0.0, 1.005, 0, "pass-tolerance"),
        (0.0, 1.02, 0, "nondeterministic"),
        (0.2, 1.0, 0, "nondeterministic"),
        # Chaos grows: only the first step tells whether the kit repeats itself.
        (0.0, 1.5, 1, "pass-tolerance"),
    ],
)
def test_two_dynamic_runs_may_differ_a_little(
    by: float, loss: float, number: int, verdict: str
) -> None:
    repeat = record(rounded(number, by, loss))
    found = judge(Comparison("ast", record(plain()), static(), repeat))
    assert found.verdict == verdict
    if verdict == "pass-tolerance":
        assert found.rule == "noise floor"
        assert "two dynamic runs are not bit-equal" in found.reason
    else:
        assert "at step 0: set its seed" in found.reason


# --- how the static run ended


def test_ends_in_words() -> None:
    words = {
        "crash": "The process died: 1 step was recorded",
        "timeout": "The time limit was reached: 1 step was recorded",
        "oom": "Memory ran out: 1 step was recorded",
        "fails": "Static training stopped: 1 step was recorded",
    }
    for outcome, expected in words.items():
        ended = replace(static(plain(1)), outcome=outcome)
        found = judge(Comparison("ast", record(plain()), ended))
        assert (found.verdict, found.reason) == (outcome, expected)


def test_a_static_run_is_as_long_as_a_dynamic_one() -> None:
    assert judge(Comparison("ast", record(plain(3)), static(plain(4)))).verdict == "loss-differs"
    found = judge(Comparison("ast", record(plain(3)), static(plain(2))))
    assert found.verdict == "fails"
    assert found.reason == ("Static training ended after 2 steps, dynamic training made 3.")


# --- nothing static


def test_why_nothing_was_static() -> None:
    hooks = ({"t": "hook", "file": "net.py", "line": 3}, {"t": "hook", "file": "b.py", "line": 9})
    called = [replace(one, static={"hooked_calls": 1}) for one in plain()]
    breaks = tuple({"kind": "FallbackError", "reason": r * 130} for r in ("d", "a", "c", "b", "a"))
    never = judge(Comparison("sot", record(plain()), record(plain(), hooks=hooks)))
    assert never.reason == (
        "to_static was called at net.py:3, but the hooked layer was never called: dynamic "
        "training was compared with itself."
    )
    assert "deepcopy" in str(never.hint)
    broken = judge(Comparison("sot", record(plain()), record(called, hooks=hooks, breaks=breaks)))
    reasons = "; ".join(f"{letter * 118} …" for letter in "abc")
    assert f"but nothing was captured ({reasons}): dynamic" in broken.reason
    unknown = judge(Comparison("sot", record(plain()), record(plain(), hooks=({"t": "hook"},))))
    assert "called at ?:?," in unknown.reason


# --- equal


def test_equality_in_words() -> None:
    found = judge(Comparison("ast", record(plain(3)), static(plain(3))))
    assert (found.verdict, found.rule, found.verdict.passed) == ("pass", "bit equality", True)
    assert found.reason.startswith("3 steps are equal to the bit in losses, gradients, buffers,")
    assert (found.first, found.hint) == (None, None)


def test_equal_gradients_with_other_weights_at_the_end() -> None:
    dynamic = record(plain(), weights=({"opt": 0, "end": {"a": "1", "b": "1"}},))
    other = static(weights=({"opt": 0, "end": {"a": "1", "b": "2"}},))
    found = judge(Comparison("ast", dynamic, other))
    assert found.verdict == "state-differs"
    assert found.reason == "First at step 3: b (weights)."
    assert "the update itself differs" in str(found.hint)


def test_parts_that_ran_dynamically_are_said_whatever_the_rule() -> None:
    breaks = ({"kind": "BreakGraphError", "reason": "print"},)
    exact = judge(Comparison("sot", record(plain()), static(breaks=breaks)))
    assert (exact.verdict, exact.rule) == ("pass-partial", "bit equality")
    assert exact.reason.endswith("Training is static in part: 1 distinct graph break.")
    ulp = record(rounded())
    near = judge(Comparison("sot", record(plain()), static(rounded(), breaks=breaks), ulp=ulp))
    assert (near.verdict, near.rule) == ("pass-partial", "one-ulp envelope")
    assert near.reason.endswith("Training is static in part: 1 distinct graph break.")
    whole = judge(Comparison("sot", record(plain()), static(rounded()), ulp=ulp))
    assert "dynamically" not in whole.reason


def test_precision_that_is_not_real_is_said() -> None:
    def asked(**counts: int) -> str:
        steps = [replace(one, static={**CAUGHT, **counts}) for one in plain()]
        return judge(Comparison("ast", record(plain()), record(steps))).reason

    assert "not real on this device" in asked(amp_asked=1)
    assert "not real" not in asked(amp_asked=1, amp_real=1)
    assert "not real" not in asked()


# --- sizes


def test_a_difference_in_words() -> None:
    values = gradients(2)
    fault = {**values, "b": values["b"] * np.float32(1.01), "c": values["c"] * np.float32(1.5)}
    steps = plain()
    steps[2] = step(2, fault)
    found = judge(Comparison("ast", record(plain()), static(steps)))
    assert found.verdict == "gradient-differs"
    assert found.first is not None
    assert (found.first.name, found.first.others) == ("c", 1)
    assert found.reason.startswith(
        "First at step 2: c and 1 more (few gradients differ, all else is equal, "
    )
    assert found.reason.endswith("e-01 relative).")
    assert "Only these gradients differ" in str(found.hint)
    lost = plain()
    lost[1] = replace(lost[1], state={"Net.n": "1"})
    alone = judge(Comparison("ast", record(plain()), static(lost)))
    assert alone.reason == "First at step 1: Net.n (- dynamic, 1 static) (frozen-state)."


def test_the_envelope_in_words() -> None:
    ulp = record(rounded())
    found = judge(Comparison("ast", record(plain()), static(rounded(by=1e-5)), ulp=ulp))
    assert (found.verdict, found.rule) == ("pass-tolerance", "one-ulp envelope")
    worst = found.reason.partition("largest gradient distance ")[2].partition(" of the")[0]
    values = gradients(1)
    whole = np.sqrt(sum(float((g.astype("f8") ** 2).sum()) for g in values.values()))
    own = float(np.sqrt((values["b"].astype("f8") ** 2).sum()))
    # A sketch of eight numbers estimates a distance to a quarter (one sigma); this is three.
    assert float(worst) == pytest.approx(1e-5 * own / whole, rel=0.75)


def test_no_envelope_without_a_control_that_moved_something() -> None:
    case = Comparison("ast", record(plain()), static(rounded()))
    alone = judge(case)
    assert alone.verdict == "not-run"
    assert "run it without --no-controls" in alone.reason
    void = judge(replace(case, ulp=record(plain())))
    assert void.verdict == "not-run"
    assert "the control that moves every weight changed nothing" in void.reason
