"""Find the first difference of two runs that nothing excuses, and its class."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

from codemod.base.reason import Reason
from codemod.judging import thresholds
from codemod.judging.comparing.compare import ABSENT, VALUE, Difference, StepDistance
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.envelope import Envelope
from codemod.judging.verdict import FirstDifference, Verdict
from codemod.training.record import Record


@dataclass(frozen=True, slots=True)
class Divergence:
    """A difference with the verdict it leads to; `words` say what differs where it has no name."""

    verdict: Verdict
    first: FirstDifference
    words: Reason | None = None


def divergence(
    verdict: Verdict,
    place: tuple[int, int],
    name: str,
    kind: str,
    far: float = math.inf,
    others: int = 0,
) -> Divergence:
    """A difference under a name; the rest is as in `FirstDifference`, `place` as in `worded`."""
    return Divergence(verdict, FirstDifference(*place, name, kind, far, others))


def worded(
    place: tuple[int, int], words: Reason, kind: str, far: float = math.inf, others: int = 0
) -> Divergence:
    """What rounding does not explain and has no name; `place` is the step and its optimizer."""
    first = FirstDifference(*place, str(words), kind, far, others)
    return Divergence(Verdict.STATE_DIFFERS, first, words)


def _relative(diff: Difference, step: StepDistance) -> float:
    scale = step.global_norm or diff.norm
    return diff.distance / scale if scale else math.inf


def structural(distances: tuple[StepDistance, ...]) -> Divergence | None:
    """The first gradient that exists on one side only, or is of another kind."""
    for step in distances:
        found = [diff for diff in step.grads if diff.kind not in (VALUE, ABSENT)]
        absent = [diff for diff in step.grads if diff.kind == ABSENT]
        chosen = found or absent
        if chosen:
            worst, others = chosen[0], len(chosen) - 1
            far, place = _relative(worst, step), (step.number, step.opt)
            return divergence(Verdict.GRADIENT_DIFFERS, place, worst.name, worst.kind, far, others)
    return None


def weights_finding(
    dynamic: Record, static: Record, repeat: Record | None = None, but: Collection[str] = ()
) -> Divergence | None:
    """The first parameter whose weight differs, or is on one side only, at the start, else the end.

    At the start frozen ones are left out: forward has updated the running statistics among them.
    At the end those are left out in which `repeat`, a second dynamic run, differs as well, and at
    both those in `but`. A run of sides does not tell how it starts.
    """
    first_steps = [step for step in dynamic.steps if step.number == 0]
    frozen = {n for step in first_steps for n, mark in step.grads.items() if mark.kind == "f"}
    starts = (dynamic.params, static.params, (), "start", "other-start")
    ends = (dynamic.left, static.left, repeat.left if repeat else (), "end", "weights")
    for lines, other, again, key, kind in (
        *((starts,) if dynamic.params and static.params else ()),
        (dynamic.weights, static.weights, repeat.weights if repeat else (), "end", "weights"),
        *((ends,) if dynamic.left and static.left else ()),
    ):
        known, twins = ({line.get("opt", 0): line[key] for line in side} for side in (lines, other))
        noisy = {line.get("opt", 0): line[key] for line in again}
        for opt in sorted({*known, *twins}):
            own, twin = known.get(opt, {}), twins.get(opt, {})
            alike = noisy.get(opt, own)
            names = [
                n
                for n in {**own, **twin}
                if own.get(n) != twin.get(n)
                and n not in but
                and alike.get(n) == own.get(n)
                and not (key == "start" and n in frozen)
            ]
            if names:
                made = (step.number for step in dynamic.steps if step.opt == opt)
                place = (0 if key == "start" else max(made, default=0), opt)
                others = len(names) - 1
                return divergence(Verdict.STATE_DIFFERS, place, names[0], kind, others=others)
    return None


def ends_finding(case: Comparison) -> Divergence | None:
    """A weight that only one mode moves, or that ends elsewhere though no control moves its end.

    Digests alone are there, so of what rounding moves nothing is said: a gradient that is a true
    zero, and frozen parameters, running statistics among them.
    """
    steps = case.dynamic.steps
    real = {
        name
        for step in steps
        for name, mark in step.grads.items()
        if mark.norm > thresholds.ZERO_SHARE * step.grad_norm
    }
    known = [run for run in (case.repeat, case.ulp) if run is not None]
    moved = _moved(case.dynamic)
    noisy = {name for run in known for name in moved ^ _moved(run)}
    names = sorted((moved ^ _moved(case.static)) & real - noisy)
    if names:
        place = (max(step.number for step in steps), 0)
        return divergence(Verdict.STATE_DIFFERS, place, names[0], "weights", others=len(names) - 1)
    frozen = {name for step in steps for name, mark in step.grads.items() if mark.kind == "f"}
    return weights_finding(case.dynamic, case.static, case.ulp, frozen)


def _moved(record: Record) -> set[str]:
    """The parameters whose weights are not the same before the first and after the last step."""
    ends = {line["opt"]: line["end"] for line in record.weights}
    return {
        name
        for line in record.params
        for name, digest in line["start"].items()
        if ends.get(line["opt"], {}).get(name, digest) != digest
    }


def count_finding(dynamic: Record, static: Record) -> Divergence | None:
    """The first update that one mode makes and the other does not, or makes more than once."""
    wanted, made = (Counter((s.number, s.opt) for s in run.steps) for run in (dynamic, static))
    odd = sorted(place for place in wanted | made if (wanted[place], made[place]) != (1, 1))
    if not odd:
        return None
    words, others = Reason.of("judging.update"), len(odd) - 1
    return replace(worded(odd[0], words, "number", others=others), verdict=Verdict.LOSS_DIFFERS)


def first_finding(
    case: Comparison, distances: tuple[StepDistance, ...], envelope: Envelope
) -> Divergence | None:
    """The first step with a difference beyond rounding and envelope."""
    return next(filter(None, (_of_step(case, step, envelope) for step in distances)), None)


def first_python_finding(
    case: Comparison, distances: tuple[StepDistance, ...], envelope: Envelope
) -> Divergence | None:
    """The first step with another learning rate or attribute: rounding explains neither."""
    return next(filter(None, (_python_finding(case, step, envelope) for step in distances)), None)


def draw_finding(case: Comparison) -> Divergence | None:
    """The first step before which a generator drew, or a loader gave, something else."""
    for step in case.distances:
        names = [name for name in step.random if name not in case.noisy_draws]
        if names:
            kind = "random-order" if names[0] == "paddle" else "frozen-randomness"
            return worded((step.number, step.opt), drawn(names[0]), kind, others=len(names) - 1)
    return None


def drawn(name: str) -> Reason:
    """The generator, or the loader's batch, that a record has under this name."""
    known = name == "batch"
    return Reason.of("judging.batch") if known else Reason.of("judging.generator", name=name)


def _python_finding(case: Comparison, step: StepDistance, envelope: Envelope) -> Divergence | None:
    if step.rates is not None and (step.opt, step.number) not in envelope.rates:
        one, other = step.rates
        far = abs(one - other) / abs(one) if one else math.inf
        words = Reason.of("judging.rate", dynamic=f"{one:g}", static=f"{other:g}")
        return worded((step.number, step.opt), words, "learning-rate", far)
    return _attribute_finding((step.number, step.opt), case.state_of(step))


def left_finding(case: Comparison) -> Divergence | None:
    """The first attribute that has another value when the training is over."""
    last = max((step.number for step in case.dynamic.steps), default=0)
    return _attribute_finding((last, 0), case.left_state)


def _attribute_finding(
    place: tuple[int, int], state: list[tuple[str, str, str]]
) -> Divergence | None:
    if not state:
        return None
    name, was, now = state[0]
    words = Reason.of("judging.attribute", name=name, dynamic=was, static=now)
    return worded(place, words, "frozen-state", others=len(state) - 1)


def _beyond(
    step: StepDistance, diffs: tuple[Difference, ...], envelope: Envelope, scale: float
) -> list[Difference]:
    over = [
        diff
        for diff in diffs
        if diff.kind != VALUE or diff.distance > envelope.value(step.opt, step.number, diff, scale)
    ]
    return sorted(over, key=lambda diff: -diff.distance / (diff.norm or math.inf))


def _of_step(case: Comparison, step: StepDistance, envelope: Envelope) -> Divergence | None:
    cause, place = _cause(case, step), (step.number, step.opt)
    if _drew_otherwise(case, step):
        # The control runs drew the same numbers; they have earned nothing for other ones.
        envelope = envelope.rounding_only()
    if step.loss_rel > envelope.loss(step.opt, step.number):
        kind = cause if step.same_losses else "number"
        return divergence(Verdict.LOSS_DIFFERS, place, "loss", kind, step.loss_rel)
    if grads := _beyond(step, step.grads, envelope, step.global_norm):
        kind = grads[0].kind if grads[0].kind != VALUE else cause
        return _furthest(Verdict.GRADIENT_DIFFERS, place, grads, kind)
    # A buffer has no global norm to share; its own is the scale.
    if buffers := _beyond(step, step.buffers, envelope, 0.0):
        if is_moving(case, buffers[0].name):
            return _furthest(Verdict.STATE_DIFFERS, place, buffers, "weights")
        kind = "frozen-buffer" if _is_frozen(case.static, buffers[0].name) else cause
        return _furthest(Verdict.BUFFER_DIFFERS, place, buffers, kind)
    return _python_finding(case, step, envelope)


def _furthest(
    verdict: Verdict, place: tuple[int, int], found: list[Difference], kind: str
) -> Divergence:
    """The first of what differs, by its own norm."""
    own = found[0].distance / found[0].norm if found[0].norm else math.inf
    return divergence(verdict, place, found[0].name, kind, own, len(found) - 1)


def _drew_otherwise(case: Comparison, step: StepDistance) -> bool:
    """Whether Python's or NumPy's generator stands elsewhere, and in no control run does."""
    return bool({"python", "numpy"} & set(step.random) - case.noisy_draws)


def _is_frozen(record: Record, name: str) -> bool:
    seen = {step.buffers[name].digest for step in record.steps if name in step.buffers}
    return len(seen) == 1


def is_moving(case: Comparison, name: str) -> bool:
    """Whether this is no buffer but a weight that moves without an optimizer, as a teacher's does.

    The recorder writes those beside the buffers once it has seen them move; those that no net holds
    have names like `EMA.shadow[key]`.
    """
    held = any(name in line["end"] for line in case.dynamic.weights) or name.endswith("]")
    return held and name not in case.dynamic.steps[0].buffers


def _cause(case: Comparison, step: StepDistance) -> str:
    """What besides the numbers differs up to the step after this one: the likely cause."""
    start = weights_finding(case.dynamic, case.static) if step.number == 0 else None
    if start is not None and start.first.kind == "other-start":
        return "other-start"
    near = [item for item in case.distances if item.number <= step.number + 1]
    draws = {name for item in near for name in item.random}
    if draws & {"python", "numpy"}:
        return "frozen-randomness"
    states = (name for item in near for name, _, _ in item.state)
    if not _is_first_call(case, step) and any(name not in case.noisy_state for name in states):
        return "frozen-state"
    if any(_is_frozen(case.static, diff.name) for item in near for diff in item.buffers):
        return "frozen-buffer"
    if "paddle" in draws:
        return "random-order"
    return "isolated" if _is_isolated(step) else "drift"


def _is_first_call(case: Comparison, step: StepDistance) -> bool:
    """Whether the difference is there as soon as the model has run once.

    What it reads was traced a moment before, so that nothing can be frozen yet.
    """
    first = case.distances[0]
    if (step.opt, step.number) != (first.opt, first.number):
        return False
    dynamic, static = (
        next(one.losses for one in record.steps if (one.opt, one.number) == (step.opt, step.number))
        for record in (case.dynamic, case.static)
    )
    return len(dynamic) == 1 or dynamic[:1] != static[:1]


def _is_isolated(step: StepDistance) -> bool:
    """Losses and most gradients agree to the bit: rounding would have spread to more of them."""
    return step.losses_match and bool(step.grads) and 2 * len(step.grads) <= step.parameters
