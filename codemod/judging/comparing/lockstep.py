"""A run of several sides: how far each is from dynamic training, and how far it may be.

Every update starts from the same weights, optimizer state and generators, and distances are exact.
How far rounding goes is measured by the control sides of the same run: each weight one unit in the
last place off, another number of threads, the same once more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from codemod.base.grouping import grouped_once
from codemod.judging import captured, thresholds
from codemod.judging.comparing.compare import loss_distance
from codemod.training.record import Record
from codemod.training.sides import Gap, Turn, Visit

DYNAMIC, STATIC = "dynamic", "static"
KINDS = ("grads", "updates", "buffers")
END = "end"


@dataclass(frozen=True, slots=True)
class Key:
    """One value of a run: what it is, of which optimizer (-1 at a visit's end), its name."""

    kind: str
    opt: int
    name: str


@dataclass(frozen=True)
class SideRun:
    """The sides of one record. `coarse` allows for constants that a program keeps in float32.

    `slack` is how many times as far as rounding goes a value may be.
    `backed` says that there is a run in float64 as well, which judges what optimizers make of the
    rounding of gradients: Adam divides by their size, however small it is.
    """

    record: Record
    coarse: bool = False
    backed: bool = False
    slack: float = 1.0

    @cached_property
    def double(self) -> bool:
        """Whether it was computed in float64."""
        return bool(self.record.start.get("double"))

    @cached_property
    def epsilon(self) -> float:
        """The relative spacing of the numbers that it was computed in."""
        return 2.0**-52 if self.double else 2.0**-23

    @cached_property
    def floor(self) -> float:
        """How well any value is known, by its own norm."""
        own = thresholds.FLOOR_EPSILONS * self.epsilon
        return max(own, thresholds.CONSTANTS) if self.coarse else own

    @cached_property
    def reference(self) -> dict[tuple[int, int], Turn]:
        """The dynamic turns by pair and place in the visit."""
        return {(t.pair, t.order): t for t in self.record.turns if t.side == DYNAMIC}

    def turns(self, side: str) -> Iterator[tuple[Turn, Turn]]:
        """Each dynamic turn with the same one of a side, in order."""
        for turn in self.record.turns:
            twin = self.reference.get((turn.pair, turn.order))
            if turn.side == side and twin is not None:
                yield twin, self._of_its_own(turn)

    @cached_property
    def _trained(self) -> dict[str, list[int]]:
        """Which optimizers have each weight."""
        turns = self.reference.values()
        return grouped_once((name, turn.opt) for turn in turns for name in turn.grads)

    def _of_its_own(self, turn: Turn) -> Turn:
        """The turn without weights that it lacks because another optimizer trains them.

        Until that one has stepped, the first side records them as weights that nothing trains; they
        are compared after its own updates, and at the end of each visit.
        """
        lacking = [name for name, gap in turn.updates.items() if gap.kind == "n"]
        others = {n for n in lacking if n in self._trained and turn.opt not in self._trained[n]}
        kept = {name: gap for name, gap in turn.updates.items() if name not in others}
        return replace(turn, updates=kept) if others else turn

    def visits(self, side: str) -> Iterator[tuple[Visit, Visit]]:
        """Each dynamic visit with the same one of a side, in order."""
        first = {visit.pair: visit for visit in self.record.visits if visit.side == DYNAMIC}
        for visit in self.record.visits:
            if visit.side == side and visit.pair in first:
                yield first[visit.pair], visit

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """The sides that were dynamic, beside the reference."""
        sides = {turn.side for turn in self.record.turns}
        return tuple(sorted(sides - {DYNAMIC, STATIC}))

    @cached_property
    def pairs(self) -> int:
        """How many updates both sides made."""
        return sum(1 for _ in self.turns(STATIC))

    @cached_property
    def was_static(self) -> bool:
        """Whether the static visits that made an update ran something static."""
        made = [v for _, v in self.visits(STATIC) if v.updates]
        caught = sum(captured.ran_static(visit.static) for visit in made)
        return bool(made) and 2 * caught >= len(made)

    @cached_property
    def sound(self) -> bool:
        """Whether each side made each update once: else sides were told of another batch."""
        made = [(turn.side, turn.pair, turn.order) for turn in self.record.turns]
        return len(set(made)) == len(made)

    @cached_property
    def void(self) -> bool:
        """Whether no nudged side moved anything: it then shows nothing of rounding."""
        nudged = [t for t in self.record.turns if t.side.startswith("ulp")]
        return not any(turn.moved and (turn.grads or turn.updates) for turn in nudged)

    @cached_property
    def singles(self) -> tuple[str, ...]:
        """Operators that were computed in float32 for want of a float64 kernel."""
        return tuple(sorted({name for visit in self.record.visits for name in visit.singles}))

    # --- what rounding may do

    @cached_property
    def _norms(self) -> dict[tuple[Key, int, int], float]:
        visits = (visit for visit in self.record.visits if visit.side == DYNAMIC)
        found = values(self.reference.values(), visits)
        return {(key, pair, order): gap.norm for key, pair, order, gap in found}

    @cached_property
    def noise(self) -> dict[Key, float]:
        """How far any control side ever was from dynamic training, by the value's own norm.

        Where a value is rounding altogether that says nothing of its other updates, if there are
        any: a bias before a batch norm has a gradient only where a sample is dropped, a running
        mean is a true zero at the first update.
        """
        found = {key: 0.0 for key, pair, order in self._norms if not self.rounds(key, pair, order)}
        judged = frozenset(found)
        for key, pair, order, gap in self._control_gaps:
            if key in judged and self.rounds(key, pair, order):
                continue
            norm = self.norm(key, pair, order)
            own = gap.distance / norm if norm else (math.inf if gap.distance else 0.0)
            found[key] = max(found.get(key, 0.0), own)
        return found

    @cached_property
    def absolute(self) -> dict[Key, float]:
        """The same in the value's own unit, at updates at which it is rounding altogether."""
        found: dict[Key, float] = {}
        for key, pair, order, gap in self._control_gaps:
            if self.rounds(key, pair, order):
                found[key] = max(found.get(key, 0.0), gap.distance)
        return found

    @cached_property
    def loose(self) -> Counter[Key]:
        """Updates, buffers and ends that are rounding at some updates, with the number of these.

        What controls move by all of itself at most updates that they made is a true zero, as a
        gradient may be.
        """
        factor = thresholds.NOISE_FACTOR
        whole = Counter(p[0] for p, far in self._moves.items() if factor * far >= self._norms[p])
        made = Counter(
            key for (key, pair, _), norm in self._norms.items() if norm and pair in self._tried
        )
        few = {key for key, *_ in self._moves if 2 * whole[key] <= made[key]}
        return Counter(place[0] for place in self._norms if place[0] in few and self.rounds(*place))

    @cached_property
    def loose_share(self) -> float:
        """How many of all updates, buffers and ends, each counted at every update, are so."""
        made = self._made.total()
        return self.loose.total() / made if made else 0.0

    @cached_property
    def _made(self) -> Counter[Key]:
        """Updates, buffers and ends of dynamic training, and at how many updates they are one."""
        return Counter(key for (key, *_), norm in self._norms.items() if is_other(key) and norm)

    @cached_property
    def _moves(self) -> dict[tuple[Key, int, int], float]:
        """Where controls move an update, a buffer or an end too far to judge it, and how far.

        Ten times as far is the value itself; in float64, where rounding is far below, so much of it
        as a pass must have seen.
        """
        found: dict[tuple[Key, int, int], float] = {}
        for key, pair, order, gap in self._control_gaps:
            place, norm = (key, pair, order), self.norm(key, pair, order)
            if is_other(key) and thresholds.NOISE_FACTOR * gap.distance >= self._part * norm > 0:
                found[place] = max(found.get(place, 0.0), gap.distance)
        return found

    @property
    def _part(self) -> float:
        return thresholds.LOOSE_PART if self.double else 1.0

    @cached_property
    def _rounding(self) -> frozenset[tuple[Key, int, int]]:
        """Where an update, a buffer or an end cannot be told from rounding.

        That is where a control moves it so, and, as controls are few and may move it by little
        there, at each update at which it is no larger than what they move it by elsewhere. Of
        these, the updates that controls made count: where they move it so at less than half of
        them, it was at the few alone, and a value of that size is not rounding for it.
        """
        unknown: dict[Key, float] = {}
        for (key, *_), distance in self._moves.items():
            size = thresholds.NOISE_FACTOR * distance / self._part
            unknown[key] = max(unknown.get(key, 0.0), size)
        small = {p for p, norm in self._norms.items() if 0 < norm <= unknown.get(p[0], 0.0)}
        tried = {(key, pair, order) for key, pair, order in small if pair in self._tried}
        counts, of = (Counter(key for key, *_ in places) for places in (self._moves, tried))
        mostly = {key for key in of if 2 * counts[key] >= of[key]}
        return frozenset(place for place in small if place in self._moves or place[0] in mostly)

    @cached_property
    def _tried(self) -> frozenset[int]:
        """The pairs that a control made as well."""
        return frozenset(turn.pair for turn in self.record.turns if turn.side in self.controls)

    @cached_property
    def zero_share(self) -> float:
        """Of the global norm: a gradient below that is a true zero, as far as can be told."""
        return thresholds.TRUE_ZERO if self.double else thresholds.ZERO_SHARE

    def rounds(self, key: Key, pair: int, order: int) -> bool:
        """Whether a value is rounding altogether at this update."""
        norm = self.norm(key, pair, order)
        if not norm:
            return True
        if is_other(key):
            return (key, pair, order) in self._rounding
        return norm <= self.zero_share * self._global_norms[pair, order]

    @property
    def _control_gaps(self) -> Iterator[tuple[Key, int, int, Gap]]:
        """All values of control sides that are not dynamic to the bit: key, pair, order, gap."""
        for side in self.controls:
            turns, visits = self.turns(side), self.visits(side)
            found = values((turn for _, turn in turns), (visit for _, visit in visits))
            # What a control makes of a value that overflows says nothing of how far rounding goes.
            yield from (value for value in found if math.isfinite(value[-1].distance))

    def norm(self, key: Key, pair: int, order: int) -> float:
        """The norm of a value of dynamic training, 0 where it has none."""
        return self._norms.get((key, pair, order), 0.0)

    def global_norm(self, turn: Turn) -> float:
        """The norm of all gradients of a turn's optimizer in dynamic training."""
        return self._global_norms[turn.pair, turn.order]

    @cached_property
    def _global_norms(self) -> dict[tuple[int, int], float]:
        return {
            place: math.sqrt(sum(gap.norm**2 for gap in turn.grads.values()))
            for place, turn in self.reference.items()
        }

    def allowed(self, key: Key, pair: int, order: int, scale: float) -> float:
        """How far a value may be there; `scale` is that of its terms.

        Of a gradient they are all gradients, of a change the weights that are changed.
        """
        norm, known = self.norm(key, pair, order), self.noise.get(key, 0.0)
        moved = 0.0 if math.isinf(known) else known * norm
        if self.rounds(key, pair, order):
            moved = max(moved, self.absolute.get(key, 0.0))
        floor = self.floor * norm
        share = thresholds.ZERO_EPSILONS if key.kind == "grads" else thresholds.WEIGHT_EPSILONS
        zero = share * self.epsilon * scale
        return self.slack * (thresholds.NOISE_FACTOR * moved + floor + zero)

    @cached_property
    def noisy_state(self) -> frozenset[str]:
        """Attributes that a dynamic visit, too, leaves with another value."""
        visits = (visit for side in self.controls for _, visit in self.visits(side))
        return frozenset(name for visit in visits for name in visit.state)

    @cached_property
    def noisy_draws(self) -> frozenset[str]:
        """Generators that the same dynamic side, once more, leaves elsewhere."""
        drew = [(one.random, other.random) for one, other in self.turns("again")]
        drew += [(one.random, other.random) for one, other in self.visits("again")]
        return frozenset(n for one, other in drew for n in other if other[n] != one.get(n))

    def loss_allowed(self, one: Turn) -> float:
        """How far the loss of a dynamic turn may be, relative: by how far controls' losses were.

        As with other values, a control that moves a few losses too far to judge them says nothing
        of the others.
        """
        noise = max(self._loss_noise, self.loss_spikes.get((one.pair, one.order), 0.0))
        return self.slack * (thresholds.NOISE_FACTOR * noise + self.floor)

    @cached_property
    def _loss_gaps(self) -> dict[tuple[int, int], float]:
        found: dict[tuple[int, int], float] = {}
        for side in self.controls:
            for one, other in self.turns(side):
                gap, place = loss_gap(one, other), (one.pair, one.order)
                if math.isfinite(gap):
                    found[place] = max(found.get(place, 0.0), gap)
        return found

    @cached_property
    def loss_spikes(self) -> dict[tuple[int, int], float]:
        """The losses that a control moves so far, where these are less than half of them."""
        factor, gaps = thresholds.NOISE_FACTOR, self._loss_gaps
        far = {place: gap for place, gap in gaps.items() if factor * gap >= self._part}
        return far if 2 * len(far) < len(self.reference) else {}

    @cached_property
    def _loss_noise(self) -> float:
        usual = self._loss_gaps.keys() - self.loss_spikes.keys()
        return max((self._loss_gaps[place] for place in usual), default=0.0)


def is_other(key: Key) -> bool:
    """Whether it is an update, a buffer or an end: of these no global norm says what is zero."""
    return key.kind != "grads"


def values(turns: Iterable[Turn], visits: Iterable[Visit]) -> Iterator[tuple[Key, int, int, Gap]]:
    """The values of turns and of ends of visits: key, pair, order, gap."""
    for turn in turns:
        for kind in KINDS:
            for name, gap in getattr(turn, kind).items():
                yield Key(kind, turn.opt, name), turn.pair, turn.order, gap
    for visit in visits:
        for name, gap in visit.end.items():
            yield Key(END, -1, name), visit.pair, -1, gap


def loss_gap(one: Turn, other: Turn) -> float:
    """The largest relative distance of two turns' losses; infinite where their numbers differ."""
    return loss_distance(one.losses, other.losses)[1]
