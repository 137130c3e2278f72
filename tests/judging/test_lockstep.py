"""Every update from the same weights: what is found, what rounding excuses, what would be seen."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.lockstep import Key, SideRun
from codemod.judging.judge import judge
from codemod.judging.rounding.alarms import Alarms, alarms, static_alarms
from codemod.judging.rounding.lockstep_findings import finding
from codemod.judging.rounding.resolution import plants, resolution
from codemod.judging.rounding.rounding import _blind as blind
from codemod.judging.rounding.rounding import would_see
from codemod.judging.telling import differs
from codemod.judging.verdict import FirstDifference, Judgement, Verdict
from codemod.training.sides import Gap, Gaps, Turn
from tests.judging.sides import NORMS, first, other, sided, visit
from tests.parity.builders import gradients, mark, plain, record, step

if TYPE_CHECKING:
    from codemod.training.record import Record


def found(pair: int, **gaps: Gaps) -> tuple[Verdict, FirstDifference] | None:
    """What one changed update of the static side leads to."""
    told = finding(SideRun(sided(changed={pair: other(pair, "static", **gaps)})))
    return None if told is None else (told.verdict, told.first)


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("pair", [0, 3, 5])
@pytest.mark.parametrize("name", ["body.weight", "head.weight", "head.bias"])
def test_a_gradient_that_is_off_at_any_step(size: float, pair: int, name: str) -> None:
    told = found(pair, grads={name: Gap("d", NORMS[name], size * NORMS[name])})
    assert told is not None
    verdict, where = told
    assert verdict is Verdict.GRADIENT_DIFFERS
    assert (where.step, where.name) == (pair, name)
    assert where.relative == pytest.approx(size)


def test_rounding_is_what_the_controls_show() -> None:
    assert found(2, grads={"body.weight": Gap("d", 2.0, 1e-14)}) is None
    # The bias before a norm: one unit in the last place moves it by more than its norm.
    assert found(2, grads={"body.bias": Gap("d", 1e-16, 3e-16)}) is None
    assert found(2, grads={"body.bias": Gap("d", 1e-16, 1e-13)}) is not None


def sometimes(run: Record, pairs: set[int]) -> Record:
    """The run with a bias before a norm that has a true gradient at some updates."""

    def real(turn: Turn) -> Turn:
        gap = turn.grads.get("body.bias")
        if gap is None or turn.pair not in pairs:
            return turn
        return replace(turn, grads={**turn.grads, "body.bias": replace(gap, norm=1e-3)})

    return replace(run, turns=tuple(map(real, run.turns)))


def test_a_gradient_that_is_zero_at_some_updates_is_judged_at_the_others() -> None:
    run = SideRun(sometimes(sided(), {1, 4}))
    seen = resolution(run)
    assert seen.stands
    assert seen.parameters == 4
    assert finding(run) is None
    off = other(4, "static", grads={"body.bias": Gap("d", 1e-3, 1e-9)})
    told = finding(SideRun(sometimes(sided(changed={4: off}), {1, 4})))
    assert told is not None
    # At an update at which it is zero, rounding goes as far as it went there.
    still = other(2, "static", grads={"body.bias": Gap("d", 1e-16, 9e-15)})
    assert finding(SideRun(sometimes(sided(changed={2: still}), {1, 4}))) is None
    far = other(2, "static", grads={"body.bias": Gap("d", 1e-16, 1e-13)})
    assert finding(SideRun(sometimes(sided(changed={2: far}), {1, 4}))) is not None


@pytest.mark.parametrize(
    ("gap", "kind"),
    [
        (Gap("n", 0.0, 0.5), "missing"),
        (Gap("s", 0.5, 0.0), None),
        (Gap("d", 0.5, math.nan), "isolated"),
        (Gap("d", 0.5, math.inf), "isolated"),
    ],
)
def test_a_gradient_of_another_kind_or_none(gap: Gap, kind: str | None) -> None:
    told = found(1, grads={"head.weight": gap})
    assert told is not None
    if kind is not None:
        assert told[1].kind == kind


def test_a_gradient_that_dynamic_training_does_not_have_is_named() -> None:
    grads = {"body.weight": Gap("d", 2.0, 1.0), "new.weight": Gap("d", 1.0, 1e-3)}
    told = found(2, grads=grads)
    assert told is not None
    assert (told[0], told[1].name, told[1].others) == (Verdict.GRADIENT_DIFFERS, "new.weight", 1)


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["body.weight"], "isolated"),
        (["body.weight", "head.weight"], "isolated"),
        (["body.weight", "head.weight", "head.bias"], "drift"),
    ],
)
def test_up_to_half_of_the_gradients_are_isolated(names: list[str], kind: str) -> None:
    off = {name: Gap("d", NORMS[name], 0.1 * NORMS[name]) for name in names}
    told = found(2, grads=off)
    assert told is not None
    assert told[1].kind == kind
    loss = replace(other(2, "static", grads=off), losses=(9.0,))
    told_loss = finding(SideRun(sided(changed={2: loss})))
    assert told_loss is not None
    assert told_loss.first.kind == "drift"


def test_an_update_a_buffer_a_loss_a_rate_and_an_end() -> None:
    told = found(4, updates={"head.bias": Gap("d", 0.0, 1e-4)})
    assert told is not None
    assert (told[0], told[1].step, told[1].kind) == (Verdict.STATE_DIFFERS, 4, "weights")
    told = found(3, buffers={"norm.mean": Gap("d", 3.0, 1.0)})
    assert told is not None
    assert told[0] is Verdict.BUFFER_DIFFERS
    halved = replace(other(2, "static"), losses=(first(2).losses[0] / 2,))
    loss = finding(SideRun(sided(changed={2: halved})))
    assert loss is not None
    assert (loss.verdict, loss.first.step) == (Verdict.LOSS_DIFFERS, 2)
    faster = finding(SideRun(sided(changed={2: replace(other(2, "static"), lr=0.2)})))
    assert faster is not None
    assert faster.first.kind == "learning-rate"
    assert "学习率（动态图 0.1，静态图 0.2）" in differs(faster).said[0].text("zh")
    late = replace(visit(5, "static"), end={"head.weight": Gap("d", 0.05, 0.05)})
    end = finding(SideRun(sided(ends={5: late})))
    assert end is not None
    assert (end.verdict, end.first.step, end.first.name) == (
        Verdict.STATE_DIFFERS,
        5,
        "head.weight",
    )


def test_attributes_and_generators_that_a_visit_leaves_elsewhere() -> None:
    frozen = replace(visit(1, "static"), state={"Net.seen": ("2", "1")})
    told = finding(SideRun(sided(ends={1: frozen})))
    assert told is not None
    assert told.first.name == "Net.seen (2 dynamic, 1 static)"
    drawn = replace(visit(1, "static"), random={"python": "a", "numpy": "z", "paddle": "c"})
    told = finding(SideRun(sided(ends={1: drawn})))
    assert told is not None
    assert (told.first.kind, told.first.step) == ("frozen-randomness", 1)


@pytest.mark.parametrize(
    ("dynamic", "static", "excused"),
    [
        ("tensor:1f", "tensor:2", True),
        ("['tensor:1f', 'None']", "['tensor:2', 'None']", True),
        ("['0', 'tensor:empty']", "['0', 'tensor:2']", True),
        ("tensor:1f", "static-variable", True),
        ("'tensor:parallel'", "'none'", False),
        ("'no tensor: 1'", "'none'", False),
        ("[\"'tensor:1f'\"]", "[\"'tensor:2'\"]", False),
    ],
)
def test_a_text_about_tensors_is_no_tensor(dynamic: str, static: str, excused: bool) -> None:
    left = replace(visit(1, "static"), state={"Net.kept": (dynamic, static)})
    assert (finding(SideRun(sided(ends={1: left}))) is None) == excused
    one, other_ = (
        record([replace(s, state={"Net.kept": text}) for s in plain()], caught)
        for text, caught in ((dynamic, False), (static, True))
    )
    assert (judge(Comparison("ast", one, other_)).verdict == "pass") == excused


def test_what_a_dynamic_visit_leaves_elsewhere_too_says_nothing() -> None:
    run = sided(ends={1: replace(visit(1, "static"), state={"Net.clock": ("2", "1")})})
    noisy = replace(visit(1, "again"), state={"Net.clock": ("2", "3")})
    visits = tuple(noisy if (v.side, v.pair) == ("again", 1) else v for v in run.visits)
    assert finding(SideRun(replace(run, visits=visits))) is None


def test_the_resolution_of_a_pass() -> None:
    seen = resolution(SideRun(sided()))
    assert (seen.parameters, seen.zero) == (3, ("body.bias",))
    assert seen.seen == {1e-9: 3, 1e-6: 3, 1e-3: 3}
    assert seen.finest == 1e-9
    assert seen.stands
    plants = ({"pair": 2, "found": {"head.bias": ["d", 1e-3, 1e-6]}},)
    assert resolution(SideRun(replace(sided(), plants=plants))).planted
    lost = ({"pair": 2, "found": {"head.bias": ["d", 1e-3, 0.0]}},)
    assert not resolution(SideRun(replace(sided(), plants=lost))).stands
    # Read as if it were not there: the recorder could not plant it.
    unseen: tuple[dict[str, Any], ...] = ({"pair": 2, "found": {}},)
    assert not resolution(SideRun(replace(sided(), plants=unseen))).stands


def parting(**fields: object) -> Judgement:
    """Free runs that part by rounding, with runs of all sides."""
    steps = plain(6)
    steps[1] = step(1, {**gradients(1), "b": gradients(1)["b"] * np.float32(1 + 1e-6)})
    dynamic, static = record(plain(6)), record(steps, caught=True)
    case = Comparison("ast", dynamic, static, dynamic, lockstep=sided(double=False))
    return judge(replace(case, **fields))  # type: ignore[arg-type]


def test_a_pass_says_what_it_would_have_seen() -> None:
    told = parting(lockstep_double=sided())
    assert (told.verdict, told.rule) == ("pass-tolerance", "lockstep in float64")
    assert "A change of 1e-09 in any one update would have been seen in 3 of 4" in told.reason
    assert "0 of 12 control updates" in told.reason
    assert "1 more has a true gradient of zero (the first: body.bias)" in told.reason


def test_a_model_without_float64_says_so() -> None:
    failed = replace(record([]), outcome="fails", end={"error": "RuntimeError", "message": "no"})
    told = parting(lockstep_double=failed)
    assert told.rule == "lockstep"
    assert (
        "float32 alone, for the model cannot be computed in float64: RuntimeError: no"
        in told.reason
    )


def test_a_kind_of_fault_that_would_not_show_is_told_in_both_languages() -> None:
    run = SideRun(sided())
    kinds = dict.fromkeys(kind for kind, _ in plants(run))
    seen = replace(resolution(run), unseen=tuple(kinds))
    told = blind(seen)
    each = "a missing gradient, an update left out, another loss, a stale buffer"
    assert f"would not have seen {each}" in told.text()
    assert "缺少一个梯度、遗漏一次更新、另一个 loss、缓冲区没有更新" in told.text("zh")


def test_constants_of_a_program_are_no_difference_and_cost_resolution() -> None:
    def all_off(far: float) -> dict[int, Turn]:
        gaps = {"head.weight": Gap("d", 0.5, far)}
        return {pair: other(pair, "static", grads=gaps) for pair in range(6)}

    everywhere = all_off(3e-9)
    told = parting(lockstep_double=sided(changed=everywhere))
    assert told.verdict == "pass-tolerance"
    assert "constants in float32" in told.reason
    assert "A change of 1e-06 in any one update would have been seen in 3 of 4" in told.reason
    assert parting(lockstep_double=sided(changed=all_off(5e-7))).verdict == "gradient-differs"
    # A constant shows at every update, a fault need not.
    once = {2: everywhere[2]}
    assert parting(lockstep_double=sided(changed=once)).verdict == "gradient-differs"


def test_what_float32_alone_shows_is_named_as_such() -> None:
    off = other(2, "static", grads={"head.weight": Gap("d", 0.5, 1e-3)})
    single = sided(changed={2: off}, double=False)
    told = parting(lockstep=single, lockstep_double=sided())
    assert told.verdict == "gradient-differs"
    assert "float32 alone shows it" in told.reason


def with_turns(run: Record, *others: Turn) -> Record:
    """The run with these updates in place of the same ones."""
    known = {(turn.side, turn.pair): turn for turn in others}
    return replace(run, turns=tuple(known.get((t.side, t.pair), t) for t in run.turns))


def far_off(side: str, pair: int, name: str) -> Turn:
    """An update whose rounding a norm over next to no variance has made as large as itself."""
    return other(pair, side, grads={name: Gap("d", NORMS[name], NORMS[name])})


def test_float32_alone_may_be_off_as_often_as_its_controls_are() -> None:
    controls = far_off("ulp1", 1, "head.weight"), far_off("ulp2", 4, "body.weight")
    noisy = with_turns(sided(double=False), *controls, far_off("static", 2, "head.bias"))
    # One of six updates is as often as two of twelve.
    seen = alarms(SideRun(noisy))
    assert (seen.judged, seen.blamed) == (12, 2)
    told = parting(lockstep=noisy, lockstep_double=sided())
    assert told.verdict == "pass-tolerance"
    assert "In float32 1 of 6 static updates went further off" in told.reason


def test_float32_that_is_off_more_often_or_otherwise_than_its_controls_differs() -> None:
    controls = far_off("ulp1", 1, "head.weight"), far_off("ulp2", 4, "body.weight")
    noisy = with_turns(sided(double=False), *controls, far_off("static", 2, "head.bias"))
    # No run in float64 says that both agree.
    assert parting(lockstep=noisy).verdict == "gradient-differs"
    often = with_turns(noisy, far_off("static", 3, "head.bias"))
    assert parting(lockstep=often, lockstep_double=sided()).verdict == "gradient-differs"
    # What no rounding makes is no matter of how often.
    lost = with_turns(noisy, other(5, "static", grads={"head.weight": Gap("n", 0.0, 0.5)}))
    told = parting(lockstep=lost, lockstep_double=sided())
    assert told.first is not None
    assert told.first.kind == "missing"
    # The same fault where float64 shows it, too.
    double = sided(changed={2: far_off("static", 2, "head.bias")})
    assert parting(lockstep=noisy, lockstep_double=double).verdict == "gradient-differs"


@pytest.mark.parametrize(
    ("controls", "static", "excused"),
    [
        ((39, 3), (50, 4), True),
        ((39, 3), (50, 9), False),
        ((39, 1), (50, 2), True),
        ((150, 1), (50, 5), False),
        # Too few to say how often.
        ((29, 1), (10, 1), False),
        ((12, 2), (6, 1), True),
        # Where no control is blamed, chance excuses nothing that is far off.
        ((39, 0), (50, 1), False),
        ((150, 0), (50, 1), False),
    ],
)
def test_more_often_by_chance_is_as_often(
    controls: tuple[int, int], static: tuple[int, int], excused: bool
) -> None:
    one, two = (
        Alarms(*counts, {Verdict.GRADIENT_DIFFERS: 0.1} if counts[1] else {}, far=counts[1])
        for counts in (controls, static)
    )
    assert one.explain(two) == excused


@pytest.mark.parametrize(("times", "excused"), [(5.0, True), (20.0, False)])
def test_float32_may_be_off_by_ten_times_what_is_allowed_now_and_then(
    times: float, excused: bool
) -> None:
    # Of DIFM two of fifty updates are, and none of its controls.
    clean, name = sided(50, double=False), "head.weight"
    run = SideRun(clean)
    bound = run.allowed(Key("grads", 0, name), 0, 0, run.global_norm(first(0)))
    off = other(2, "static", grads={name: Gap("d", NORMS[name], times * bound)})
    judged = replace(SideRun(with_turns(clean, off)), backed=True)
    assert (static_alarms(judged).blamed, alarms(judged).blamed) == (1, 0)
    told = parting(lockstep=with_turns(clean, off), lockstep_double=sided(50))
    assert (told.verdict == "pass-tolerance") == excused


@pytest.mark.parametrize(
    ("verdict", "far", "excused"),
    [
        (Verdict.GRADIENT_DIFFERS, 0.9, True),
        (Verdict.GRADIENT_DIFFERS, 1.1, False),
        # A gradient that was off says nothing of a loss.
        (Verdict.LOSS_DIFFERS, 1e-3, False),
    ],
)
def test_chance_excuses_no_more_than_ten_times_what_a_control_was_off(
    verdict: Verdict, far: float, excused: bool
) -> None:
    controls = Alarms(39, 3, {Verdict.GRADIENT_DIFFERS: 0.1})
    assert controls.explain(Alarms(50, 1, {verdict: far}, far=1)) == excused


def test_a_loss_that_float32_halves_once_is_no_chance() -> None:
    controls = far_off("ulp1", 1, "head.weight"), far_off("ulp2", 4, "body.weight")
    halved = replace(other(2, "static"), losses=(0.5,))
    told = parting(
        lockstep=with_turns(sided(double=False), *controls, halved), lockstep_double=sided()
    )
    assert told.first is not None
    assert (told.verdict, told.first.step) == ("loss-differs", 2)


def test_a_pass_that_would_not_have_seen_a_thousandth_does_not_stand() -> None:
    def loud(run: Record) -> Record:
        far = {n: Gap("d", g, 1e-3 * g) for n, g in NORMS.items()}
        turns = (replace(t, grads=far) if t.side == "ulp1" else t for t in run.turns)
        return replace(run, turns=tuple(turns))

    told = parting(lockstep=loud(sided(double=False)), lockstep_double=loud(sided()))
    assert told.verdict == "not-run"
    assert "not even a change of 1e-3 would have been seen" in told.reason


def noisy_in(kind: str, name: str, gap: Gap, pairs: set[int], double: bool = True) -> Record:
    """A run whose nudged sides move one value so far in these pairs."""
    run = sided(double=double)

    def noisy(turn: Turn) -> Turn:
        if not turn.side.startswith("ulp") or turn.pair not in pairs:
            return turn
        changed: dict[str, Any] = {kind: {**getattr(turn, kind), name: gap}}
        return replace(turn, **changed)

    return replace(run, turns=tuple(map(noisy, run.turns)))


@pytest.mark.parametrize(
    ("kind", "name", "gap", "words"),
    [
        ("updates", "head.bias", Gap("d", 1e-4, 0.2e-4), "(1, the first: head.bias)"),
        ("buffers", "norm.mean", Gap("d", 1.0, 0.5), "(1, the first: norm.mean)"),
    ],
)
def test_what_a_control_moved_far_once_is_no_slack_for_all_updates(
    kind: str, name: str, gap: Gap, words: str
) -> None:
    noisy = noisy_in(kind, name, gap, {0, 1, 2})
    told = parting(
        lockstep=noisy_in(kind, name, gap, {0, 1, 2}, double=False), lockstep_double=noisy
    )
    assert told.verdict == "not-run"
    assert words in told.reason
    once = noisy_in(kind, name, gap, {0})
    assert parting(lockstep_double=once).verdict == "pass-tolerance"
    # At the others the value is as large, and no rounding.
    off = other(3, "static", **{kind: {name: replace(gap, distance=1e-6 * gap.norm)}})
    missed = parting(lockstep_double=with_turns(once, off))
    assert missed.first is not None
    assert (missed.first.step, missed.first.name) == (3, name)
    # What rounding always moves so far is what it is of.
    always = parting(lockstep_double=noisy_in("updates", "body.bias", gap, set(range(6))))
    assert always.verdict == "pass-tolerance"


@pytest.mark.parametrize("case", ["few", "dynamic", "void", "fails"])
def test_a_run_of_sides_that_cannot_be_judged_is_no_pass(case: str) -> None:
    run = sided(pairs=2) if case == "few" else sided()
    if case == "dynamic":
        run = replace(run, visits=tuple(replace(v, static={}) for v in run.visits))
    if case == "void":
        turns = (replace(t, grads={}) if t.side.startswith("ulp") else t for t in run.turns)
        run = replace(run, turns=tuple(turns))
    if case == "fails":
        run = replace(run, outcome="fails")
    told = parting(lockstep=run)
    assert told.verdict == "not-run", told.reason
    assert "no run of both sides from the same weights could be judged" in told.reason


def free_blame(number: int, name: str = "a", by: float = 1.5) -> Comparison:
    """Free runs that part in the size of one gradient, beside a run of sides that failed."""
    values = gradients(number)
    steps = plain()
    steps[number] = step(number, {**values, name: values[name] * np.float32(by)})
    failed = replace(sided(), outcome="fails")
    dynamic, static = record(plain()), record(steps, caught=True)
    return Comparison("ast", dynamic, static, dynamic, record(plain()), lockstep=failed)


def test_size_alone_is_no_blame_where_the_run_of_sides_failed() -> None:
    later = judge(free_blame(2))
    assert later.verdict == "not-run"
    assert "no run of both sides from the same weights could be judged" in later.reason
    asked_for_none = judge(replace(free_blame(2), lockstep=None))
    assert (asked_for_none.verdict, asked_for_none.rule) == ("gradient-differs", "one-ulp envelope")


def test_what_no_rounding_does_is_blamed_without_a_run_of_sides() -> None:
    # From the same weights, half as much again of most gradients is not rounding.
    start = judge(free_blame(0))
    assert (start.verdict, start.rule) == ("gradient-differs", "one-ulp envelope")
    assert judge(free_blame(0, "d", 1.01)).verdict == "not-run"
    # Nor is a buffer, where loss and gradients are the same to the bit.
    case = free_blame(2)
    runs = (
        record(
            [replace(one, buffers={"mean": mark(np.full(1, at, "float32"))}) for one in plain()],
            at == 3,
        )
        for at in (2, 3)
    )
    dynamic, static = runs
    buffers = judge(replace(case, dynamic=dynamic, static=static, repeat=dynamic, ulp=dynamic))
    assert (buffers.verdict, buffers.rule) == ("buffer-differs", "one-ulp envelope")


def test_a_difference_says_which_run_of_sides_shows_it() -> None:
    off = {2: other(2, "static", grads={"body.weight": Gap("d", 2.0, 1.0)})}
    double = parting(lockstep_double=sided(changed=off))
    assert (double.verdict, double.rule) == ("gradient-differs", "lockstep in float64")


@pytest.mark.parametrize("case", ["crash", "never static", "told twice", "gone"])
def test_float64_alone_is_no_pass(case: str) -> None:
    run: Record | None = sided(double=False)
    if case == "crash":
        run = replace(sided(pairs=3, double=False), outcome="crash")
    elif case == "never static":
        run = sided(double=False)
        run = replace(run, visits=tuple(replace(v, static={}) for v in run.visits))
    elif case == "told twice":
        run = sided(double=False)
        run = replace(run, turns=(*run.turns, run.turns[1]))
    else:
        run = None
    told = parting(lockstep=run, lockstep_double=sided())
    assert told.verdict == "not-run"
    assert "could be judged" in told.reason


def test_an_update_that_float32_alone_leaves_out_is_found_beside_rounded_gradients() -> None:
    gaps: dict[str, Gaps] = {
        "updates": {"head.weight": Gap("d", 0.0, 0.05)},
        "grads": {"head.weight": Gap("d", 0.5, 1e-9)},
    }
    single = sided(changed={2: other(2, "static", **gaps)}, double=False)
    told = parting(lockstep=single, lockstep_double=sided())
    assert told.first is not None
    assert (told.verdict, told.first.step, told.first.name) == ("state-differs", 2, "head.weight")
    # What Adam makes of a gradient that is all rounding may be nothing or something.
    gaps = {
        "updates": {"body.bias": Gap("d", 0.0, 1e-3)},
        "grads": {"body.bias": Gap("d", 1e-16, 1e-16)},
    }
    single = sided(changed={2: other(2, "static", **gaps)}, double=False)
    assert parting(lockstep=single, lockstep_double=sided()).verdict == "pass-tolerance"


def test_updates_of_the_free_run_that_no_run_of_sides_made() -> None:
    told = parting(lockstep=sided(4, double=False), lockstep_double=sided(4))
    assert told.verdict == "not-run"
    assert "only 4 of 6 updates of the free run" in told.reason
    assert "the first that was not is at step 4" in told.reason
    short = parting(lockstep=sided(double=False), lockstep_double=sided(5))
    assert "only 5 of 6" in short.reason
    # What a visit left behind is judged with its updates.
    run = sided()
    lost = [v for v in run.visits if (v.side, v.pair) != ("static", 2)]
    cut_off = parting(lockstep_double=replace(run, visits=tuple(lost)))
    assert "only 5 of 6" in cut_off.reason
    # Another optimizer's update that follows the busiest one's last is asked of neither.
    seldom = [replace(one, opt=1) for one in plain(1)]
    steps = [*plain(6), *seldom]
    static = record([*steps[:-1], replace(seldom[0], losses=(1 + 1e-7,))], caught=True)
    runs = {"dynamic": record(steps), "repeat": record(steps), "static": static}
    assert parting(**runs, lockstep_double=sided()).verdict == "pass-tolerance"


def test_a_buffer_that_the_static_side_loses() -> None:
    told = found(2, buffers={"norm.mean": Gap("n", 0.0, 3.0)})
    assert told is not None
    assert (told[0], told[1].name) == (Verdict.BUFFER_DIFFERS, "norm.mean")


@pytest.mark.parametrize("trains", [0, 1, None])
def test_a_weight_that_a_side_lacks_is_another_optimizer_s_or_lost(trains: int | None) -> None:
    """Before its own optimizer has stepped, the first side takes it for one that nothing trains."""
    lacking = other(0, "static", updates={"maker.weight": Gap("n", 0.0, 6.4)})
    made = sided(changed={0: lacking})
    weight = {"maker.weight": Gap("d", 0.0, 6.4)}
    reference, *others = made.turns
    reference = replace(reference, updates={**reference.updates, **weight})
    later = [replace(first(pair), order=1, opt=1, grads={}, updates={}) for pair in (0, 1)]
    if trains == 0:
        reference = replace(reference, grads={**reference.grads, **weight})
    elif trains == 1:
        later = [replace(turn, grads=weight) for turn in later]
    told = finding(SideRun(replace(made, turns=(reference, *others, *later))))
    assert (told is None) is (trains == 1)
    if told is not None:
        assert told.first.name == "maker.weight"


def test_a_loss_that_leaves_its_course_late_is_named_at_its_step() -> None:
    steps = plain(6)
    steps[1] = replace(steps[1], losses=(1 + 1e-7,))
    steps[4] = replace(steps[4], losses=(0.5,))
    static = record(steps, caught=True)
    told = parting(static=static, lockstep_double=sided())
    assert told.verdict == "loss-differs"
    assert told.first is not None
    assert told.first.step == 4


@pytest.mark.parametrize(
    ("size", "verdict"), [(1e-6, "gradient-differs"), (1e-9, "gradient-differs"), (0.0, "pass")]
)
def test_the_size_that_is_told_is_the_one_that_is_seen(size: float, verdict: str) -> None:
    gaps = {"head.weight": Gap("d", 0.5, size * 0.5)} if size else {}
    told = parting(lockstep_double=sided(changed={2: other(2, "static", grads=gaps)}))
    assert told.verdict.value.startswith(verdict)


def test_a_control_side_is_judged_by_the_others() -> None:
    run = sided()
    assert alarms(SideRun(run)) == Alarms(judged=12, blamed=0)
    loud = tuple(
        replace(t, grads={"head.weight": Gap("d", 0.5, 1e-3)})
        if (t.side, t.pair) == ("ulp1", 2)
        else t
        for t in run.turns
    )
    seen = alarms(SideRun(replace(run, turns=loud)))
    assert (seen.judged, seen.blamed) == (12, 1)
    assert seen.furthest == {Verdict.GRADIENT_DIFFERS: 2e-3}


def lines(static: float, loss: float = 2.0) -> tuple[dict[str, Any], ...]:
    """What the run in float64 wrote of one update: dynamic is 1e-7 from the truth."""
    line = {"pair": 3, "opt": 0, "sides": ["dynamic", "static", "ulp1"], "drawn": True}
    told = {"losses": [[2.0], [loss], [loss], [loss]], "grads": {"w": [1.0, 1e-7, static, 2e-7]}}
    return ({**line, **told},)


def test_float32_static_may_be_ten_times_as_far_from_the_truth_and_no_further() -> None:
    near = parting(lockstep_double=replace(sided(), truths=lines(4e-7)))
    assert near.verdict == "pass-tolerance"
    assert "at most 2.0 times as far from float64" in near.reason
    far = parting(lockstep_double=replace(sided(), truths=lines(3e-6)))
    assert far.verdict == "gradient-differs"
    assert far.first is not None
    assert (far.first.step, far.first.name) == (3, "w")
    assert "float32 alone shows it" in far.reason
    # An update at which every gradient is zero, in float64 and in float32.
    (still,) = lines(0.0)
    zero = ({**still, "grads": {"w": [0.0, 0.0, 0.0, 0.0]}},)
    assert parting(lockstep_double=replace(sided(), truths=zero)).verdict == "pass-tolerance"
    # Of another batch, by its loss.
    other_batch = parting(lockstep_double=replace(sided(), truths=lines(3e-6, loss=2.5)))
    assert other_batch.verdict == "pass-tolerance"


@pytest.mark.parametrize(
    ("name", "norm", "kind"),
    [
        ("norm.mean", 0.0, "frozen-buffer"),  # dynamic training moves it, the program leaves it
        ("norm.mean", 4.0, "drift"),
        ("other.mean", 0.0, "drift"),  # of which dynamic training knows nothing
    ],
)
def test_a_buffer_that_only_dynamic_training_moves_is_frozen(
    name: str, norm: float, kind: str
) -> None:
    gap = math.nan if name == "other.mean" else 4.0
    told = found(3, buffers={name: Gap("d", norm, gap)})
    assert told is not None
    assert (told[0], told[1].name, told[1].kind) == (Verdict.BUFFER_DIFFERS, name, kind)


def test_a_buffer_that_is_zero_in_dynamic_training_as_well_is_not_frozen() -> None:
    still = replace(first(3), buffers={"norm.mean": Gap("d", 0.0)})
    run = sided(changed={3: other(3, "static", buffers={"norm.mean": Gap("d", 0.0, 1.0)})})
    turns = tuple(still if (t.pair, t.side) == (3, "dynamic") else t for t in run.turns)
    told = finding(SideRun(replace(run, turns=turns)))
    assert told is not None
    assert told.first.kind == "drift"


def buffered(
    norms: list[float], noise: list[float], static: dict[int, float], double: bool = True
) -> SideRun:
    """A buffer of these norms, moved by so much by one unit in the last place, and by static."""

    def made(turn: Turn) -> Turn:
        norm = norms[turn.pair]
        nudged = noise[turn.pair] if turn.side.startswith("ulp") else 0.0
        far = static.get(turn.pair, 0.0) if turn.side == "static" else nudged
        told = turn.side == "dynamic" or far
        return replace(turn, buffers={"norm.mean": Gap("d", norm, far)} if told else {})

    run = sided(pairs=len(norms), double=double)
    return SideRun(replace(run, turns=tuple(map(made, run.turns))))


# A running mean that is a true zero at the first update.
MEAN = ([1e-9, 2.0, 3.0, 4.0], [1e-9, 1e-15, 1e-15, 1e-15])


def test_a_value_that_is_rounding_at_one_update_is_judged_at_the_others() -> None:
    assert finding(buffered(*MEAN, {0: 9e-9})) is None
    for pair, far in ((0, 2e-8), (1, 2.0), (2, 1e-6), (3, 1e-11)):
        told = finding(buffered(*MEAN, {pair: far}))
        assert told is not None
        assert (told.first.step, told.first.name) == (pair, "norm.mean")


def test_what_is_no_larger_than_its_rounding_is_rounding_though_no_control_shows_it_there() -> None:
    # Controls happen to move it by little at the last update.
    chaos = ([1e-9, 2e-9, 1.5e-9, 1.0, 5e-10], [1e-9, 1e-9, 3e-9, 1e-14, 1e-12])
    assert finding(buffered(*chaos, {4: 5e-10})) is None
    assert finding(buffered(*chaos, {3: 1e-9})) is not None


def test_what_controls_leave_equal_to_the_bit_elsewhere_is_not_excused_there() -> None:
    still = ([1e-9, 2.0, 3.0, 4.0], [1e-9, 0.0, 0.0, 0.0])
    assert finding(buffered(*still, {2: 1e-9})) is not None


@pytest.mark.parametrize("far", [1e-3, 0.3])
def test_what_a_control_moves_by_a_part_once_is_no_slack_elsewhere_in_float64(far: float) -> None:
    noise = [1e-15, far, 1e-15, 1e-15]
    assert finding(buffered([1.0, 2.0, 3.0, 4.0], noise, {1: 2 * far})) is None
    assert finding(buffered([1.0, 2.0, 3.0, 4.0], noise, {3: 1e-6})) is not None
    seen = resolution(buffered([1.0, 2.0, 3.0, 4.0], noise, {}))
    assert seen.loose == ("norm.mean",)
    assert seen.loose_share == pytest.approx(1 / 36)


def test_a_control_that_overflows_is_no_slack() -> None:
    norms, noise = [1.0, 2.0, 3.0, 4.0], [1e-15, math.inf, 1e-15, 1e-15]
    for pair in range(4):
        assert finding(buffered(norms, noise, {pair: 1e-3})) is not None


def test_a_pass_names_the_values_that_are_rounding_at_a_few_updates() -> None:
    seen = resolution(buffered(*MEAN, {}))
    assert seen.loose == ("norm.mean",)
    assert seen.loose_share == pytest.approx(1 / 36)  # with four updates and four ends of each
    assert seen.stands
    assert "so far at some updates that a fault there would not have been seen (norm.mean)" in (
        str(would_see(seen))
    )
    # One spike makes no rounding of all that is smaller; what moves so at half of them does.
    spike = resolution(buffered([1e3, 2.0, 3.0, 4.0], [1e3, 1e-15, 1e-15, 1e-15], {}))
    assert spike.loose_share == pytest.approx(1 / 36)
    half = resolution(buffered([1e3, 2.0, 3.0, 4.0], [1e3, 2.0, 1e-15, 1e-15], {}))
    assert half.loose_share == pytest.approx(4 / 36)
    assert not half.stands
    # What is so at most updates is a true zero.
    zero = resolution(buffered([1e-9, 1e-9, 1e-9, 4.0], [1e-9, 1e-9, 1e-9, 1e-15], {}))
    assert (zero.loose, zero.stands) == ((), True)


def controlled(run: SideRun, *pairs: int) -> SideRun:
    """The run with its control sides at these updates alone, as long runs have them."""
    both = ("dynamic", "static")
    record = run.record
    turns = tuple(one for one in record.turns if one.side in both or one.pair in pairs)
    visits = tuple(one for one in record.visits if one.side in both or one.pair in pairs)
    return SideRun(replace(record, turns=turns, visits=visits))


def test_updates_without_a_control_do_not_say_that_controls_left_a_value_alone() -> None:
    """Ten steps with controls at four: no value was moved at half of all, and static was blamed."""
    norms, noise = [1e-9] * 10, [1e-9] * 10
    chaos = controlled(buffered(norms, noise, {7: 1e-9}), 0, 1, 2, 5)
    assert finding(chaos) is None
    zero = resolution(chaos)
    assert (zero.loose, zero.stands) == ((), True), "a true zero, wherever it was looked at"
    # What controls moved at one of four only is no rounding elsewhere.
    once = [1e-9, 1e-24, 1e-24, 1e-24, 1e-24, 1e-24, *[1e-24] * 4]
    assert finding(controlled(buffered(norms, once, {7: 1e-12}), 0, 1, 2, 5)) is not None
    part = [3e-11] * 10
    held = controlled(buffered(norms, part, {7: 3e-11}), 0, 1, 2, 5)
    assert finding(held) is None
    assert resolution(held).loose == ("norm.mean",), "moved by a part: it could not be judged"


@pytest.mark.parametrize("double", [True, False])
def test_a_loss_that_a_control_moves_far_once_is_judged_at_the_others(double: bool) -> None:
    def lossy(noise: dict[int, float], static: dict[int, float]) -> SideRun:
        far = {"static": static, "ulp1": noise}

        def made(turn: Turn) -> Turn:
            factor = 1 + far.get(turn.side, {}).get(turn.pair, 0.0)
            return replace(turn, losses=tuple(loss * factor for loss in turn.losses))

        run = sided(double=double)
        return SideRun(replace(run, turns=tuple(map(made, run.turns))))

    spike = {1: 0.5}
    assert finding(lossy(spike, {1: 0.9})) is None
    told = finding(lossy(spike, {3: 1e-2}))
    assert told is not None
    assert (told.verdict, told.first.step) == (Verdict.LOSS_DIFFERS, 3)
    seen = resolution(lossy(spike, {}))
    assert (seen.loose, seen.stands) == (("loss",), True)
    # Where it moves half of them it is the loss that is chaos.
    assert finding(lossy({1: 0.5, 3: 0.5, 5: 0.5}, {2: 0.9})) is None


def test_a_pass_says_what_it_would_have_seen_in_updates_and_buffers() -> None:
    still = resolution(buffered([1.0, 2.0, 3.0, 4.0], [1e-15] * 4, {}))
    assert still.others == still.others_seen[1e-9] > 0
    assert f"also have been seen in {still.others} of {still.others} weight updates" in (
        str(would_see(still))
    )
    # A noise that controls show at every update hides a fault of up to ten times its size.
    noisy = buffered([1.0, 2.0, 3.0, 4.0], [1e-5, 1e-5, 1e-5, 1e-5], {2: 9e-5})
    assert finding(noisy) is None
    seen = resolution(noisy)
    assert seen.others_seen[1e-6] == seen.others - 1
    assert seen.others_seen[1e-3] == seen.others
    assert "Not even" not in str(would_see(seen))
    worse = resolution(buffered([1.0, 2.0, 3.0, 4.0], [1e-3] * 4, {}, double=False))
    assert worse.coarse == ("head.bias", "norm.mean")
    assert "Not even 1e-3 would have been seen in 2 of them (head.bias, norm.mean)." in str(
        would_see(worse)
    )


def turning_off() -> tuple[Turn, ...]:
    """Control sides that take another branch at one update: a fault could hide there."""
    far = {name: Gap("d", norm, 0.1 * norm) for name, norm in NORMS.items()}
    return tuple(other(3, side, grads=far) for side in ("ulp1", "ulp2"))


def test_what_float32_alone_would_see_counts() -> None:
    blinded = with_turns(sided(), *turning_off())
    told = parting(lockstep_double=blinded)
    assert (told.verdict, told.rule) == ("pass-tolerance", "lockstep")
    assert "judged in float32: in float64 rounding moves a control side so far" in told.reason
    for size in (1e-3, 1e-2):
        off = other(3, "static", grads={"head.weight": Gap("d", 0.5, size * 0.5)})
        faulty = sided(changed={3: off}, double=False)
        assert parting(lockstep=faulty, lockstep_double=blinded).verdict == "gradient-differs"


def test_where_neither_would_see_it_nothing_is_told() -> None:
    blinded = with_turns(sided(), *turning_off())
    single = with_turns(sided(double=False), *turning_off())
    told = parting(lockstep=single, lockstep_double=blinded)
    assert told.verdict == "not-run"
    assert "not even a change of 1e-3 would have been seen" in told.reason


def test_float32_that_float64_had_to_excuse_is_no_pass() -> None:
    controls = far_off("ulp1", 1, "head.weight"), far_off("ulp2", 4, "body.weight")
    noisy = with_turns(sided(double=False), *controls, far_off("static", 2, "head.bias"))
    assert parting(lockstep=noisy, lockstep_double=sided()).verdict == "pass-tolerance"
    blinded = with_turns(sided(), *turning_off())
    assert parting(lockstep=noisy, lockstep_double=blinded).verdict == "not-run"
