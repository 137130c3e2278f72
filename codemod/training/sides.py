"""What the recorder wrote of a run of several sides: one line an update, one a visit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# What a batch is fed to in a run of sides: dynamic and static training, and the control sides.
SIDES = ("dynamic", "static", "again", "ulp1", "ulp2", "ulp3", "threads")
DOUBLE_SIDES = ("dynamic", "static", "again", "ulp1", "ulp2", "ulp3")


@dataclass(frozen=True, slots=True)
class Gap:
    """One value: d(ense), s(parse), n(one) or f(rozen), its 2-norm, its distance from dynamic.

    Of the first side's changes of weights, the distance is the norm of what was changed.
    """

    kind: str
    norm: float
    distance: float = 0.0


Gaps = dict[str, Gap]


@dataclass(frozen=True, slots=True)
class Turn:
    """One update of an optimizer by one side, from the weights that the first side had.

    The gaps of the first side, `dynamic`, hold every value; those of the others what is not the
    same to the bit. `order` is its place within the visit, `moved` how many weights were nudged,
    `state` is as in `Step`, of the first side alone.
    """

    side: str
    pair: int
    order: int
    opt: int
    step: int
    losses: tuple[float, ...]
    lr: float
    random: dict[str, str]
    grads: Gaps
    updates: Gaps
    buffers: Gaps
    moved: int = 0
    state: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """What a side left behind: `end` has the change of each weight and buffer over the visit.

    `state` has the attributes that are not as the first side left them: (dynamic, this side).
    """

    side: str
    pair: int
    step: int
    updates: int
    static: dict[str, int]
    random: dict[str, str]
    end: Gaps
    state: dict[str, tuple[str, str]]
    singles: tuple[str, ...] = ()


def _gaps(raw: dict[str, list[Any]]) -> Gaps:
    return {
        name: Gap(str(kind), float(norm), float(rest[0]) if rest else 0.0)
        for name, (kind, norm, *rest) in raw.items()
    }


def turn_of(raw: dict[str, Any], losses: tuple[float, ...]) -> Turn:
    """The turn of a line of the record."""
    return Turn(
        side=str(raw["side"]),
        pair=int(raw["pair"]),
        order=int(raw["order"]),
        opt=int(raw["opt"]),
        step=int(raw["step"]),
        losses=losses,
        lr=float(raw["lr"]),
        random=dict(raw["random"]),
        grads=_gaps(raw.get("grads", {})),
        updates=_gaps(raw.get("updates", {})),
        buffers=_gaps(raw.get("buffers", {})),
        moved=int(raw.get("moved", 0)),
        state=raw.get("state"),
    )


def visit_of(raw: dict[str, Any]) -> Visit:
    """The visit of a line of the record."""
    state = raw.get("state", {})
    return Visit(
        side=str(raw["side"]),
        pair=int(raw["pair"]),
        step=int(raw["step"]),
        updates=int(raw["updates"]),
        static={k: v for k, v in raw["static"].items() if not k.endswith("_s")},
        random=dict(raw["random"]),
        end=_gaps(raw["end"]),
        state={name: (str(one), str(other)) for name, (one, other) in state.items()},
        singles=tuple(raw.get("singles", ())),
    )
