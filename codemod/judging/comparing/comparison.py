"""The runs that a verdict is taken from, and the distances between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from codemod.judging import thresholds
from codemod.judging.comparing.compare import StepDistance, compare, keeps_tensor, state_distance
from codemod.judging.comparing.envelope import Envelope, build
from codemod.judging.comparing.lockstep import SideRun
from codemod.training.record import Record


@dataclass(frozen=True)
class Comparison:
    """Dynamic and static training in one mode, with their control runs.

    `repeat` and `ulp` are free control runs. `lockstep` has all sides from the same weights at
    every update, `lockstep_double` the same in float64. `kernels` is a short dynamic run by other
    kernels, `reading` one in which each mode reads the other's checkpoint. `in_order` and
    `out_of_place` are the static run up to the first difference: one operator after the other, and
    without Paddle's in-place pass; in `copied` each program returns copies. `switched` is dynamic
    training with the switch on.
    """

    mode: str
    dynamic: Record
    static: Record
    repeat: Record | None = None
    ulp: Record | None = None
    lockstep: Record | None = None
    lockstep_double: Record | None = None
    kernels: Record | None = None
    reading: Record | None = None
    in_order: Record | None = None
    out_of_place: Record | None = None
    copied: Record | None = None
    switched: Record | None = None

    @cached_property
    def distances(self) -> tuple[StepDistance, ...]:
        """Dynamic against static, free running."""
        return compare(self.dynamic, self.static)

    @cached_property
    def noise(self) -> tuple[StepDistance, ...]:
        """Dynamic against dynamic."""
        return compare(self.dynamic, self.repeat) if self.repeat is not None else ()

    @cached_property
    def shaken(self) -> tuple[StepDistance, ...]:
        """Dynamic against dynamic with one weight off by one unit in the last place."""
        return compare(self.dynamic, self.ulp) if self.ulp is not None else ()

    @cached_property
    def repeatable(self) -> bool:
        """Whether the two dynamic runs agree to the bit (true while there is only one)."""
        return all(step.equal for step in self.noise)

    @cached_property
    def envelope(self) -> Envelope:
        """The slack that the control runs allow."""
        kernels = compare(self.dynamic, self.kernels) if self.kernels is not None else ()
        return build([self.noise, self.shaken, kernels])

    @cached_property
    def single(self) -> SideRun | None:
        """The lockstep run in the kit's own precision, where it can be judged."""
        return _judgeable(self.lockstep)

    @cached_property
    def double(self) -> SideRun | None:
        """The lockstep run in float64, where the model can be computed in it."""
        return _judgeable(self.lockstep_double)

    @cached_property
    def noisy_state(self) -> frozenset[str]:
        """Attributes that differ between dynamic runs say nothing (clocks, paths, a kept loss)."""
        found = [step.state for step in (*self.noise, *self.shaken)]
        found += [_left_apart(self.dynamic, one) for one in (self.repeat, self.ulp) if one]
        return frozenset(name for state in found for name, _, _ in state)

    @cached_property
    def noisy_draws(self) -> frozenset[str]:
        """Generators that stand elsewhere in a control run say nothing either."""
        return frozenset(name for step in (*self.noise, *self.shaken) for name in step.random)

    def state_of(self, step: StepDistance) -> list[tuple[str, str, str]]:
        """Watched attributes that differ: name, dynamic value, static value.

        A tensor that a layer keeps may explain a difference, but is not one itself: what training
        makes of it shows in losses and gradients, and what nobody reads again is only a cache.
        """
        return self._judged(step.state)

    @cached_property
    def left_state(self) -> list[tuple[str, str, str]]:
        """The same of what was there when the training was over."""
        return self._judged(_left_apart(self.dynamic, self.static))

    def _judged(self, state: tuple[tuple[str, str, str], ...]) -> list[tuple[str, str, str]]:
        return [
            item
            for item in state
            if item[0] not in self.noisy_state and not keeps_tensor(*item[1:])
        ]

    def equal_at(self, step: StepDistance) -> bool:
        """Whether a free step agrees to the bit in all that is judged."""
        return step.equal_values and not self.state_of(step)


def _left_apart(one: Record, other: Record) -> tuple[tuple[str, str, str], ...]:
    states = (record.left[-1]["state"] if record.left else None for record in (one, other))
    return state_distance(*states)


def _judgeable(record: Record | None) -> SideRun | None:
    if record is None or record.outcome != "ok":
        return None
    run = SideRun(record)
    enough = run.pairs >= thresholds.LOCKSTEP_PAIRS
    return run if enough and run.sound and run.was_static and not run.void else None
