"""Control sides that a run of one mode lends to that of another.

Both modes start from the same dynamic training, and most control sides are dynamic training too:
nudged, or by another number of threads. Where the dynamic sides of two runs agree to the bit, so
would these, and the second run need not make them again. The side that says whether a process
repeats itself is each run's own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from codemod.judging.comparing.lockstep import DYNAMIC, STATIC
from codemod.training.record import Record
from codemod.training.sides import Turn, Visit

AGAIN = "again"
BORROWING = (DYNAMIC, STATIC, AGAIN)
"""The sides of a run that borrows the others."""


@dataclass(frozen=True, slots=True)
class SidePair:
    """A mode's runs of sides, in float32 and, unless that took too long, in float64."""

    single: Record
    double: Record | None = None

    @property
    def lends(self) -> bool:
        """Whether both came to their end with control sides that another mode may borrow."""
        return self._whole and all(any(map(_is_lent, one.turns)) for one in self._runs)

    def with_controls_of(self, lender: SidePair) -> SidePair | None:
        """Runs of `BORROWING` with the lender's other sides.

        A run that did not come to its end would not with more sides either, and borrows nothing.
        None where the dynamic sides are not those of the lender to the bit.
        """
        if not self._whole:
            return self
        pairs = zip(self._runs, lender._runs, strict=True)
        single, double = (_borrowed(*pair) for pair in pairs)
        return SidePair(single, double) if single and double else None

    @property
    def _whole(self) -> bool:
        return self.double is not None and all(one.outcome == "ok" for one in self._runs)

    @property
    def _runs(self) -> list[Record]:
        return [one for one in (self.single, self.double) if one is not None]


def _borrowed(record: Record, lender: Record) -> Record | None:
    if _dynamic(record) != _dynamic(lender) or len(record.truths) != len(lender.truths):
        return None
    joined = [_joined(*lines) for lines in zip(record.truths, lender.truths, strict=True)]
    truths = tuple(line for line in joined if line is not None)
    if len(truths) < len(joined):
        return None
    turns = (*record.turns, *filter(_is_lent, lender.turns))
    visits = (*record.visits, *filter(_is_lent, lender.visits))
    return replace(record, turns=turns, visits=visits, truths=truths)


def _is_lent(one: Turn | Visit) -> bool:
    return one.side not in BORROWING


def _dynamic(record: Record) -> list[object]:
    """All that is measured of the dynamic side: what is left aside are attributes of Python."""
    turns = [replace(one, state=None) for one in record.turns if one.side == DYNAMIC]
    ends = [v for v in record.visits if v.side == DYNAMIC]
    return [*turns, *((one.pair, one.step, one.updates, one.random, one.end) for one in ends)]


def _joined(line: dict[str, Any], lender: dict[str, Any]) -> dict[str, Any] | None:
    """How far the sides were from float64 at one update, with the lender's columns.

    None where the two lines are not of the same truth and the same dynamic side.
    """
    if ("grads" in line) != ("grads" in lender) or line.get("pair") != lender.get("pair"):
        return None
    if "grads" not in line:
        return line
    own, other = (_columns(one) for one in (line, lender))
    if own["truth"] != other["truth"] or own[DYNAMIC] != other[DYNAMIC]:
        return None
    sides = [*line["sides"], *(side for side in lender["sides"] if side not in BORROWING)]
    told = {**other, **own}
    return {
        **line,
        "sides": sides,
        "losses": [told[one][0] for one in ("truth", *sides)],
        "grads": {
            name: [told[one][1].get(name) for one in ("truth", *sides)] for name in line["grads"]
        },
    }


def _columns(line: dict[str, Any]) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Losses, and a number for each gradient, of the truth and of each side."""
    names = ("truth", *line["sides"])
    return {
        name: (line["losses"][at], {grad: told[at] for grad, told in line["grads"].items()})
        for at, name in enumerate(names)
    }
