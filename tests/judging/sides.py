"""Runs of several sides made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codemod.training.sides import Gap, Gaps, Turn, Visit
from tests.parity.builders import record

if TYPE_CHECKING:
    from codemod.training.record import Record

NORMS = {"body.weight": 2.0, "body.bias": 1e-16, "head.weight": 0.5, "head.bias": 1e-3}
RANDOM = {"python": "a", "numpy": "b", "paddle": "c"}
ULP = 1e-15


def first(pair: int) -> Turn:
    """A dynamic update."""
    return Turn(
        side="dynamic",
        pair=pair,
        order=0,
        opt=0,
        step=pair,
        losses=(1.0,),
        lr=0.1,
        random=RANDOM,
        grads={name: Gap("d", norm) for name, norm in NORMS.items()},
        updates={name: Gap("d", 0.1 * norm, 1.0) for name, norm in NORMS.items()},
        buffers={"norm.mean": Gap("d", 1.0 + pair)},
    )


def other(pair: int, side: str, **gaps: Gaps) -> Turn:
    """The same update by another side, equal to the bit but for the gaps."""
    return replace(
        first(pair),
        side=side,
        moved=4 if side.startswith("ulp") else 0,
        grads=gaps.get("grads", {}),
        updates=gaps.get("updates", {}),
        buffers=gaps.get("buffers", {}),
    )


def rounded(pair: int) -> Turn:
    """The same update by the static side in float32, which rounds otherwise."""
    return other(pair, "static", grads={"head.weight": Gap("d", NORMS["head.weight"], 1e-9)})


def nudged(pair: int, side: str) -> Turn:
    """What one unit in the last place does; the bias before a norm has nothing but that."""
    noise = {name: Gap("d", norm, ULP * max(norm, 1.0)) for name, norm in NORMS.items()}
    return other(pair, side, grads=noise)


def visit(pair: int, side: str) -> Visit:
    """The end of a visit that leaves everything as dynamic training does."""
    end = {name: Gap("d", 0.1 * norm, 1.0) for name, norm in NORMS.items()}
    return Visit(
        side=side,
        pair=pair,
        step=pair,
        updates=1,
        static={"ast_runs": 1} if side == "static" else {},
        random=RANDOM,
        end=end if side == "dynamic" else {},
        state={},
    )


def sided(
    pairs: int = 6,
    changed: dict[int, Turn] | None = None,
    ends: dict[int, Visit] | None = None,
    double: bool = True,
) -> Record:
    """A run of all sides; `changed` and `ends` are the static side's, by pair."""
    turns: list[Turn] = []
    visits: list[Visit] = []
    for pair in range(pairs):
        equal = other(pair, "static") if double else rounded(pair)
        static = (changed or {}).get(pair, equal)
        turns += [first(pair), static, other(pair, "again")]
        turns += [nudged(pair, "ulp1"), nudged(pair, "ulp2")]
        visits += [visit(pair, "dynamic"), (ends or {}).get(pair, visit(pair, "static"))]
        visits += [visit(pair, side) for side in ("again", "ulp1", "ulp2")]
    made = record([])
    return replace(made, start={"double": double}, turns=tuple(turns), visits=tuple(visits))
