"""Which difference is named first, and as what."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from codemod.base.json_form import to_json
from codemod.judging.comparing.classify import first_finding, structural, weights_finding
from codemod.judging.comparing.compare import Difference, compare
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.envelope import Envelope
from codemod.judging.judge import judge
from codemod.training.record import Mark
from tests.parity.builders import gradients, mark, plain, record, step

if TYPE_CHECKING:
    from codemod.judging.verdict import FirstDifference
    from codemod.training.record import Record, Step


def grads(**values: Any) -> dict[str, Any]:
    """Gradients as arrays; None is a missing one."""
    return {n: None if v is None else np.array([v, 0.0], "float32") for n, v in values.items()}


def pair(dynamic: list[Step], static: list[Step], **fields: Any) -> Comparison:
    return Comparison("ast", record(dynamic), record(static, caught=True), **fields)


def first_of(
    case: Comparison, envelope: Envelope | None = None
) -> tuple[str, FirstDifference] | None:
    found = first_finding(case, case.distances, envelope or Envelope())
    return None if found is None else (found.verdict, found.first)


def kinds(dynamic: list[Step], static: list[Step], **fields: Any) -> tuple[str, str] | None:
    """Verdict and class of the first difference."""
    found = first_of(pair(dynamic, static, **fields))
    return None if found is None else (found[0], found[1].kind)


def test_a_gradient_of_one_side_only_is_named_with_its_share() -> None:
    dynamic = record([step(0, grads(a=3.0, b=4.0)), step(1, grads(a=3.0, b=4.0))])
    static = record([step(0, grads(a=3.0, b=4.0)), step(1, grads(a=None, b=None))])
    found = structural(compare(dynamic, static))
    assert found is not None
    assert found.verdict == "gradient-differs"
    assert to_json(found.first) == {
        "step": 1,
        "optimizer": 0,
        "name": "a",
        "class": "missing",
        "relative": 3.0 / 5.0,
        "others": 1,
    }
    assert structural(compare(dynamic, dynamic)) is None
    off = record([step(0, grads(a=3.1, b=4.0)), step(1, grads(a=3.0, b=4.0))])
    assert structural(compare(dynamic, off)) is None, "a value has a size"


def test_a_missing_gradient_is_named_before_one_without_a_twin() -> None:
    dynamic, static = step(0, grads(left=1.0, gone=2.0)), step(0, grads(gone=None))
    found = structural(compare(record([dynamic]), record([static])))
    assert found is not None
    assert (found.first.name, found.first.kind, found.first.others) == ("gone", "missing", 0)
    alone = structural(compare(record([dynamic]), record([step(0, grads(gone=2.0))])))
    assert alone is not None
    assert (alone.first.name, alone.first.kind) == ("left", "absent")


def test_the_share_of_a_gradient_where_all_others_are_zero() -> None:
    dynamic = record([step(0, grads(a=None))])
    found = structural(compare(dynamic, record([step(0, grads(a=2.0))])))
    assert found is not None
    assert (found.first.kind, found.first.relative) == ("extra", math.inf)
    one = structural(
        (replace(compare(dynamic, dynamic)[0], grads=(Difference("a", "missing", 1.0, 2.0),)),)
    )
    assert one is not None
    assert one.first.relative == 0.5, "its own norm where there is no global one"


def ended(weights: dict[str, str], opt: int = 0, start: dict[str, str] | None = None) -> Record:
    """Two optimizers' steps, and what the weights of one were at the start and the end."""
    steps = [replace(one, opt=number) for one in plain(3) for number in (0, 1)]
    # The first optimizer made a step more before the run was over.
    steps.append(replace(plain(4)[3], opt=0))
    lines = ({"opt": 5, "end": {"z": "9"}}, {"opt": opt, "end": weights})
    begun = ({"opt": opt, "start": start or {}},)
    return replace(record(steps), weights=lines, params=begun)


def test_weights_that_differ_at_the_end() -> None:
    first = ended({"a": "1", "b": "1", "c": "1"}, opt=1)
    assert weights_finding(first, first) is None
    found = weights_finding(first, ended({"a": "1", "b": "2", "c": "2"}, opt=1))
    assert found is not None
    assert (found.verdict, found.first.kind) == ("state-differs", "weights")
    assert (found.first.name, found.first.others, found.first.opt) == ("b", 1, 1)
    assert found.first.step == 2, "the last step, however many optimizers there are"
    lost = weights_finding(first, ended({"a": "1"}, opt=1))
    assert lost is not None
    assert (lost.first.name, lost.first.others) == ("b", 1), "names of one side alone"
    assert weights_finding(first, ended({"a": "1"}, opt=2)) is not None, "of another optimizer"


def test_weights_that_differ_at_the_start_come_first() -> None:
    found = weights_finding(
        ended({"a": "1"}, start={"b": "1"}), ended({"a": "2"}, start={"b": "2"})
    )
    assert found is not None
    assert (found.first.kind, found.first.name, found.first.step) == ("other-start", "b", 0)
    assert found.first.relative == math.inf


def at(number: int, **parts: Any) -> list[Step]:
    """Plain steps with other parts in one of them."""
    return [replace(one, **parts) if one.number == number else one for one in plain()]


def test_what_is_named_first_of_one_step() -> None:
    off = {"a": mark(gradients(1)["a"] * np.float32(2.0))}
    every: dict[str, Any] = {
        "losses": (2.0,),
        "grads": {**plain()[1].grads, **off},
        "buffers": {"mean": mark(np.array([2.0], "float32"))},
        "lr": 0.2,
        "state": {"Net.n": "2"},
    }
    dynamic = at(1, buffers={"mean": mark(np.array([1.0], "float32"))}, state={"Net.n": "1"})
    verdicts = []
    while every:
        found = first_of(
            pair(
                dynamic,
                at(1, **{"buffers": dynamic[1].buffers, "state": dynamic[1].state, **every}),
            )
        )
        assert found is not None
        verdicts.append((found[0], found[1].step))
        every.pop(next(iter(every)))
    assert verdicts == [
        ("loss-differs", 1),
        ("gradient-differs", 1),
        ("buffer-differs", 1),
        ("state-differs", 1),
        ("state-differs", 1),
    ]


def test_an_earlier_step_is_named_before_a_graver_one() -> None:
    static = at(1, state={"Net.n": "2"})
    static[2] = replace(static[2], losses=(9.0,))
    found = first_of(pair(plain(), static))
    assert found is not None
    assert (found[0], found[1].step) == ("state-differs", 1)


def test_of_several_gradients_the_one_that_is_furthest_by_its_own_norm() -> None:
    dynamic = [step(0, grads(big=1000.0, small=1.0, same=1.0))]
    static = [step(0, grads(big=1010.0, small=1.5, same=1.0))]
    found = first_of(pair(dynamic, static))
    assert found is not None
    assert (found[1].name, found[1].others) == ("small", 1)
    assert found[1].relative == pytest.approx(0.5)


def test_a_buffer_is_judged_by_its_own_norm() -> None:
    def tiny(value: float) -> list[Step]:
        return [step(0, grads(a=1.0), buffers={"mean": mark(np.array([value], "float32"))})]

    # The gradient's norm is no scale for it: it would hide a buffer of a ten-millionth.
    found = first_of(pair(tiny(1e-8), tiny(2e-8)))
    assert found is not None
    assert (found[0], found[1].name, found[1].others) == ("buffer-differs", "mean", 0)
    assert found[1].relative == pytest.approx(1.0)
    assert first_of(pair(tiny(1e-8), tiny(1.00001e-8))) is None
    zero = first_of(pair(tiny(0.0), tiny(1e-8)))
    assert zero is not None
    assert zero[1].relative == math.inf


def test_a_loss_within_rounding_is_none() -> None:
    assert kinds(plain(), at(1, losses=(1.000009,))) is None
    found = first_of(pair(plain(), at(1, losses=(1.00002,))))
    assert found is not None
    assert (found[0], found[1].name, found[1].kind) == ("loss-differs", "loss", "drift")
    assert kinds(plain(), at(1, losses=(math.nan,))) == ("loss-differs", "drift")
    assert kinds(plain(), at(1, losses=())) == ("loss-differs", "number")


def moving(value: float, number: int) -> dict[str, Any]:
    return {"mean": mark(np.array([value + number], "float32"))}


def test_a_buffer_that_stays_while_the_other_moves_is_frozen() -> None:
    moves = [replace(one, buffers=moving(1.0, one.number)) for one in plain()]
    stays = [replace(one, buffers=moving(1.0, 0)) for one in plain()]
    other = [replace(one, buffers=moving(2.0, one.number)) for one in plain()]
    assert kinds(moves, stays) == ("buffer-differs", "frozen-buffer")
    assert kinds(moves, other) == ("buffer-differs", "drift")
    # It explains a loss, too; so does one that only some of the lines hold.
    stays[0], moves[0] = (replace(one[0], buffers={}) for one in (stays, moves))
    stays[1] = replace(stays[1], losses=(2.0,))
    assert kinds(moves, stays) == ("loss-differs", "frozen-buffer")


def drawn(number: int, *generators: str) -> dict[str, Any]:
    return {"random": {**plain()[number].random, **dict.fromkeys(generators, "z")}}


@pytest.mark.parametrize("generator", ["python", "numpy", "paddle"])
@pytest.mark.parametrize(("number", "seen"), [(0, True), (1, True), (2, True), (3, False)])
def test_random_states_explain_up_to_the_next_step(generator: str, number: int, seen: bool) -> None:
    static = at(number, **drawn(number, generator))
    static[1] = replace(static[1], losses=(2.0,))
    named = "random-order" if generator == "paddle" else "frozen-randomness"
    assert kinds(plain(), static) == ("loss-differs", named if seen else "drift")


def test_which_cause_is_named_where_there_are_several() -> None:
    moves = [replace(one, buffers=moving(1.0, one.number)) for one in plain()]
    static = [replace(one, buffers=moves[0].buffers, losses=(2.0,)) for one in plain()]
    static[0] = replace(static[0], losses=(1.0,))
    drew, less = drawn(0, "paddle", "numpy"), drawn(0, "paddle")
    several = [static[0], *(replace(one, state={"Net.n": "2"}, **drew) for one in static[1:])]
    stateful = [static[0], *(replace(one, **less) for one in several[1:])]
    framed = [static[0], *(replace(one, state={}) for one in stateful[1:])]
    assert kinds(moves, several) == ("loss-differs", "frozen-randomness")
    assert kinds(moves, stateful) == ("loss-differs", "frozen-state")
    assert kinds(moves, framed) == ("loss-differs", "frozen-buffer")
    clock = record([replace(one, state={"Net.n": "3"}) for one in moves])
    assert kinds(moves, stateful, repeat=clock) == ("loss-differs", "frozen-buffer")


def test_state_of_later_steps_explains_nothing() -> None:
    static = at(3, state={"Net.n": "2"})
    static[1] = replace(static[1], losses=(2.0,))
    assert kinds(plain(), static) == ("loss-differs", "drift")
    static[2] = replace(static[2], state={"Net.n": "2"})
    assert kinds(plain(), static) == ("loss-differs", "frozen-state")


def test_state_explains_nothing_of_the_first_call() -> None:
    counted = [replace(one, state={"Net.n": "2"}) for one in plain()]
    static = [replace(counted[0], losses=(2.0,)), *counted[1:]]
    assert kinds(plain(), static) == ("loss-differs", "drift")
    # The second call of a step runs what the first one traced.
    twice = [replace(one, losses=(1.0, 1.0)) for one in plain()]
    static = [replace(counted[0], losses=(1.0, 2.0)), *twice[1:]]
    assert kinds(twice, static) == ("loss-differs", "frozen-state")


def test_another_start_explains_the_first_step_alone() -> None:
    def begun(start: str, number: int) -> Record:
        other = start if number == 9 else "x"
        steps = at(number, losses=(2.0,)) if other == "x" else plain()
        return replace(
            record(steps, caught=other == "x"), params=({"opt": 0, "start": {"a": start}},)
        )

    dynamic = begun("1", 9)
    for number, kind in ((0, "other-start"), (1, "drift")):
        found = first_of(Comparison("ast", dynamic, begun("2", number)))
        assert found is not None
        assert found[1].kind == kind
    ends = [({"opt": 0, "end": {"a": text}},) for text in "12"]
    dynamic, static = record(plain()), record(at(0, losses=(2.0,)), caught=True)
    case = Comparison("ast", replace(dynamic, weights=ends[0]), replace(static, weights=ends[1]))
    found = first_of(case)
    assert found is not None
    assert found[1].kind == "drift", "other weights at the end are no other start"


@pytest.mark.parametrize(("count", "kind"), [(1, "isolated"), (2, "isolated"), (3, "drift")])
def test_few_gradients_of_many_are_isolated(count: int, kind: str) -> None:
    made = gradients(1)
    off = {n: g * np.float32(1.01) for n, g in list(made.items())[:count]}
    static = plain()
    static[1] = step(1, {**made, **off})
    assert kinds(plain(), static) == ("gradient-differs", kind)
    static[1] = replace(static[1], losses=(1.000001,))
    assert kinds(plain(), static) == ("gradient-differs", "drift"), "the loss has rounding too"


def test_running_statistics_of_every_optimizer_are_no_other_start() -> None:
    def begun(mean: str) -> Record:
        frozen = {"mean": Mark("f", "", 0.0, "")}
        steps = [replace(one, opt=n, grads=frozen) for one in plain(1) for n in (0, 1)]
        return replace(record(steps), params=({"opt": 1, "start": {"mean": mean}},))

    assert weights_finding(begun("1"), begun("2")) is None


@pytest.mark.parametrize("generator", ["python", "numpy", "paddle"])
def test_an_envelope_excuses_no_difference_that_comes_with_other_draws(generator: str) -> None:
    def off(loss: float, *generators: str) -> Record:
        steps = at(2, losses=(loss,), **drawn(2, *generators))
        return record(steps, caught=True)

    dynamic, chaotic = record(plain()), off(1.5)
    case = Comparison("ast", dynamic, off(1.2, generator), dynamic, chaotic)
    frozen = "state-differs" if generator == "paddle" else "loss-differs"
    assert judge(case).verdict == frozen
    assert judge(replace(case, static=off(1.2))).verdict == "pass-tolerance"
    assert judge(replace(case, static=off(1.000001, generator))).verdict == "state-differs"
    # A trainer whose generator differs between two dynamic runs shows nothing by it.
    assert judge(replace(case, ulp=off(1.5, generator))).verdict == "pass-tolerance"
