"""What a verdict would have seen: the judge is asked about the same records with a fault planted.

The size of a fault is by the norm of the gradient that it is planted in, whatever its form: in a
random direction, in one row, by a sign or by a scale, it moves the gradient by that distance, and
distances in lockstep are exact. Each other kind of fault is planted at an early, a middle and the
last update, and the judge's own rule is asked.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from codemod.base.reason import Reason
from codemod.judging import thresholds
from codemod.judging.comparing.lockstep import DYNAMIC, STATIC, Key, SideRun, is_other, values
from codemod.judging.rounding.lockstep_findings import beyond, finding
from codemod.training.sides import Gap, Turn

SIZES = (1e-9, 1e-6, 1e-3)
LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Resolution:
    """Of `parameters` with a gradient, how many show a fault of each size at every update.

    `handed` counts all that an optimizer was handed, of which `without` never had a gradient.
    `zero` names those whose true gradient is zero, which are not counted; `blind` those in which
    not even the largest of the sizes would show. `loose` names the updates, buffers, ends and
    losses that could be left out whole at some updates, `loose_share` is that of all of them but
    losses at all updates; `unseen` the other kinds of fault that would not show. `others` counts
    the updates, buffers and ends that are not rounding, `others_seen` those that show a fault of
    each size, `coarse` names those that do not show the largest.
    `planted` says that the fault which the recorder itself planted and read is seen.
    """

    parameters: int
    handed: int
    without: int
    seen: dict[float, int]
    zero: tuple[str, ...]
    blind: tuple[str, ...]
    unseen: tuple[Reason, ...]
    planted: bool
    loose: tuple[str, ...] = ()
    loose_share: float = 0.0
    others: int = 0
    others_seen: dict[float, int] = field(default_factory=dict)
    coarse: tuple[str, ...] = ()

    @property
    def too_loose(self) -> bool:
        """Whether more than a few updates, buffers and ends could be left out whole."""
        return self.loose_share > thresholds.LOOSE_SHARE

    @property
    def stands(self) -> bool:
        """Whether a pass may rest on it."""
        blind = self.blind or self.too_loose or self.unseen
        return self.planted and not blind and self.parameters > 0

    @property
    def finest(self) -> float:
        """The smallest size that shows in most of the parameters, 1 where none does."""
        half = self.parameters / 2
        return next((size for size in SIZES if self.seen[size] > half), 1.0)


def resolution(run: SideRun) -> Resolution:
    """The resolution of a run that passed."""
    worst: dict[tuple[int, str], float] = {}
    names: set[tuple[int, str]] = set()
    handed: set[tuple[int, str]] = set()
    for turn in run.reference.values():
        scale = run.global_norm(turn)
        for name, gap in turn.grads.items():
            handed.add((turn.opt, name))
            if gap.kind not in "ds":
                continue
            names.add((turn.opt, name))
            if gap.norm > run.zero_share * scale:
                key = Key("grads", turn.opt, name)
                least = run.allowed(key, turn.pair, turn.order, scale) / gap.norm
                worst[turn.opt, name] = max(worst.get((turn.opt, name), 0.0), least)
    zero = tuple(sorted(name for _, name in names - worst.keys()))
    others = _others(run, frozenset(zero))
    return Resolution(
        parameters=len(worst),
        handed=len(handed),
        without=len(handed) - len(names),
        seen=_showing(worst.values()),
        zero=zero,
        blind=tuple(sorted(name for (_, name), least in worst.items() if least >= SIZES[-1])),
        loose=tuple(
            sorted({key.name for key in run.loose} | ({LOSS} if run.loss_spikes else set()))
        ),
        loose_share=run.loose_share,
        unseen=tuple(kind for kind, other in plants(run) if finding(other) is None),
        planted=_sees_plants(run),
        others=len(others),
        others_seen=_showing(others.values()),
        coarse=tuple(sorted({key.name for key, least in others.items() if least >= SIZES[-1]})),
    )


def _showing(least: Collection[float]) -> dict[float, int]:
    """How many show a fault of each size."""
    return {size: sum(one < size for one in least) for size in SIZES}


def _others(run: SideRun, zero: frozenset[str]) -> dict[Key, float]:
    """How far each update, buffer and end may be at most, by its own norm, where it is judged.

    `zero` names the parameters whose true gradient is zero: what is made of that is, too.
    """
    found: dict[Key, float] = {}
    visits = (visit for visit in run.record.visits if visit.side == DYNAMIC)
    for key, pair, order, gap in values(run.reference.values(), visits):
        if is_other(key) and key.name not in zero and not run.rounds(key, pair, order):
            least = run.allowed(key, pair, order, gap.distance) / gap.norm
            found[key] = max(found.get(key, 0.0), least)
    return found


def _sees_plants(run: SideRun) -> bool:
    """Whether the faults that the recorder planted show, in all gradients that are not zero."""
    for plant in run.record.plants:
        turn = run.reference.get((int(plant["pair"]), 0))
        if not plant["found"]:
            return False  # what was planted was read as if it were not there
        (name, (kind, norm, distance)), *_ = plant["found"].items()
        if turn is None or name not in turn.grads:
            continue
        real = turn.grads[name].norm > run.zero_share * run.global_norm(turn)
        gap = Gap(str(kind), float(norm), float(distance))
        if real and not beyond(run, Key("grads", turn.opt, name), turn, gap):
            return False
    return True


def plants(run: SideRun) -> Iterator[tuple[Reason, SideRun]]:
    """The run with one fault of each kind, at an early, a middle and the last update."""
    turns = [turn for turn in run.record.turns if turn.side == STATIC]
    for turn in {t.pair: t for t in (turns[0], turns[len(turns) // 2], turns[-1])}.values():
        for kind, changed in _faulty(run, turn):
            made = tuple(changed if one is turn else one for one in run.record.turns)
            yield kind, replace(run, record=replace(run.record, turns=made))


def _faulty(run: SideRun, turn: Turn) -> Iterator[tuple[Reason, Turn]]:
    one = run.reference[turn.pair, turn.order]
    zero = run.zero_share * run.global_norm(turn)
    real = [name for name, gap in one.grads.items() if gap.kind in "ds" and gap.norm > zero]
    if real:
        lost = Gap("n", 0.0, one.grads[real[0]].norm)
        yield (
            Reason.of("judging.plant-gradient"),
            replace(turn, grads={**turn.grads, real[0]: lost}),
        )
    moved = [name for name in real if name in one.updates and one.updates[name].norm > 0]
    if moved:
        still = Gap("d", 0.0, one.updates[moved[0]].norm)
        yield (
            Reason.of("judging.plant-update"),
            replace(turn, updates={**turn.updates, moved[0]: still}),
        )
    changing = _changing_buffer(run, turn)
    if changing:
        name, distance = changing
        stale = Gap("d", one.buffers[name].norm, distance)
        yield (
            Reason.of("judging.plant-buffer"),
            replace(turn, buffers={**turn.buffers, name: stale}),
        )
    if one.losses and math.isfinite(one.losses[0]) and one.losses[0]:
        other = (one.losses[0] * (1 + SIZES[-1]), *one.losses[1:])
        yield Reason.of("judging.plant-loss"), replace(turn, losses=other)


def _changing_buffer(run: SideRun, turn: Turn) -> tuple[str, float] | None:
    """A buffer that this step changes, and by how much at least: by its norms of two steps.

    One that is more than rounding goes before others.
    """
    one = run.reference[turn.pair, turn.order]
    before = run.reference.get((turn.pair - 1, turn.order))
    known = before.buffers if before is not None else {}
    changing = [
        (name, abs(known[name].norm - gap.norm))
        for name, gap in one.buffers.items()
        if name in known and abs(known[name].norm - gap.norm) > thresholds.BUFFER_MOVES * gap.norm
    ]

    def rounds(item: tuple[str, float]) -> bool:
        return run.rounds(Key("buffers", turn.opt, item[0]), turn.pair, turn.order)

    return min(changing, key=rounds, default=None)
