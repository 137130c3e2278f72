"""Whether the free static run stays on dynamic training's course, where each update agrees.

Runs that part by rounding grow away from each other, and how far depends on the net. They stay
finite, of one order of magnitude and of one direction. The bounds in `thresholds` for gradients
and buffers give way to ten times what dynamic training's own steps and controls do, where that
is more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from codemod.judging import thresholds
from codemod.judging.comparing.classify import Divergence, divergence, is_moving
from codemod.judging.comparing.compare import StepDistance, beside, distance, turned
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.envelope import Envelope
from codemod.judging.ground import is_finite
from codemod.judging.verdict import Verdict
from codemod.training.record import Record, Step

_LOSS, _GRADIENT, _BUFFER = Verdict.LOSS_DIFFERS, Verdict.GRADIENT_DIFFERS, Verdict.BUFFER_DIFFERS
_Key = tuple[int, str]


def free_finding(case: Comparison) -> Divergence | None:
    """The first free step at which the static run is not where rounding can have taken it."""
    controls = [run for run in (case.repeat, case.ulp, case.kernels) if run is not None]
    # From where rounding takes dynamic training itself out of the finite numbers it may take any.
    ended = {(s.opt, s.number) for run in controls for s in run.steps if not is_finite(s)}
    bounds = _bounds(case.dynamic, controls)
    before: dict[int, float] = {}
    pairs = beside(case.dynamic, case.static)
    for (one, twin), step in zip(pairs, case.distances, strict=True):
        if (one.opt, one.number) in ended:
            break
        found = _jump(step, before, case.envelope) or next(_astray(one, twin, bounds), None)
        if found is None:
            continue
        if found.verdict is _BUFFER and is_moving(case, found.first.name):
            first = replace(found.first, kind="weights")
            return replace(found, verdict=Verdict.STATE_DIFFERS, first=first)
        return found
    return None


@dataclass(frozen=True, slots=True)
class _Bounds:
    """How far values may be: `times` each gradient's norm, `apart` each buffer by its norm.

    `loss` is the largest by optimizer, `turn` is for all gradients of an optimizer as one.
    """

    times: dict[_Key, float]
    apart: dict[_Key, float]
    loss: dict[int, float]
    turn: float


def _bounds(dynamic: Record, controls: list[Record]) -> _Bounds:
    pairs = [pair for run in controls for pair in beside(dynamic, run)]
    times = _largest(pairs + list(_neighbours(dynamic)), _ratios)
    apart = _largest(pairs, _distances)
    loss = {one.opt: 0.0 for one in dynamic.steps}
    for one in dynamic.steps:
        loss[one.opt] = max(loss[one.opt], _size(one))
    factor = thresholds.ENVELOPE_FACTOR
    turn = factor * max((turned(one.grads, two.grads) for one, two in pairs), default=0.0)
    return _Bounds(
        {key: max(thresholds.FREE_TIMES, factor * far) for key, far in times.items()},
        {key: max(thresholds.FREE_APART, factor * far) for key, far in apart.items()},
        {opt: thresholds.LOSS_GROWS * size for opt, size in loss.items()},
        max(thresholds.FREE_TURN, turn),
    )


def _astray(one: Step, twin: Step, bounds: _Bounds) -> Iterator[Divergence]:
    """What a static step has and rounding does not make."""

    def drift(verdict: Verdict, name: str, far: float = math.inf) -> Divergence:
        return divergence(verdict, (one.number, one.opt), name, "drift", far)

    if not _size(twin) <= bounds.loss[one.opt]:
        yield drift(_LOSS, "loss")
    for name, times in _ratios(one, twin):
        if not times <= bounds.times.get((one.opt, name), math.inf):
            yield drift(_GRADIENT, name, math.inf if math.isnan(times) else times)
    for name, far in _distances(one, twin):
        if not far <= bounds.apart.get((one.opt, name), thresholds.FREE_APART):
            yield drift(_BUFFER, name, far)
    if (far := turned(one.grads, twin.grads)) > bounds.turn:
        yield drift(_GRADIENT, max(one.grads, key=lambda name: one.grads[name].norm), far)


def _jump(step: StepDistance, before: dict[int, float], envelope: Envelope) -> Divergence | None:
    """A loss that is all at once far off, where it was near before: chaos grows by steps."""
    known = before.get(step.opt, 0.0)
    allowed = max(thresholds.JUMP_LEAST, thresholds.JUMP_FACTOR * known)
    allowed = max(allowed, envelope.loss(step.opt, step.number))
    before[step.opt] = max(known, step.loss_rel)
    if step.number and step.loss_rel > allowed:
        return divergence(_LOSS, (step.number, step.opt), "loss", "drift", step.loss_rel)
    return None


def _size(step: Step) -> float:
    return sum(map(abs, step.losses))


def _ratios(one: Step, twin: Step) -> Iterator[tuple[str, float]]:
    """How many times as large or as small each gradient is, NaN of what is not finite.

    What is nearly zero is all rounding: a parameter that ever is so in dynamic training has an
    infinite ratio there, and so an infinite bound.
    """
    least = thresholds.ZERO_SHARE * one.grad_norm
    for name, mark in one.grads.items():
        other = twin.grads.get(name)
        if other is None or not (mark.present and other.present):
            continue
        low, high = min(mark.norm, other.norm), max(mark.norm, other.norm)
        if math.isfinite(mark.norm + other.norm):
            yield name, high / low if low > least else math.inf
        else:
            yield name, math.nan


def _distances(one: Step, twin: Step) -> Iterator[tuple[str, float]]:
    """How far each buffer is off by its own norm; infinite of what is not finite."""
    for name, mark in one.buffers.items():
        other = twin.buffers.get(name)
        if other is not None and (far := distance(mark, other)):
            yield name, far / mark.norm if mark.norm else math.inf


def _largest(
    pairs: Iterable[tuple[Step, Step]], told: Callable[[Step, Step], Iterator[tuple[str, float]]]
) -> dict[_Key, float]:
    found: dict[_Key, float] = {}
    for one, twin in pairs:
        for name, far in told(one, twin):
            found[one.opt, name] = max(found.get((one.opt, name), 0.0), far)
    return found


def _neighbours(record: Record) -> Iterator[tuple[Step, Step]]:
    """Each step with the next one of its optimizer."""
    last: dict[int, Step] = {}
    for step in record.steps:
        if step.opt in last:
            yield last[step.opt], step
        last[step.opt] = step
