"""What followed the last step, with verdicts of its own: evaluation, export, checkpoints.

Evaluation and export are compared with dynamic mode on the same inputs, cut to another batch size.
Of a checkpoint that the other mode wrote, the next step must be that of the mode that reads it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from codemod.base.reason import Reason
from codemod.base.terminal.text import shortened
from codemod.judging import thresholds
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.lockstep import KINDS
from codemod.training.record import Record
from codemod.training.sides import Turn

EVAL, EXPORT, READ = "eval", "export", "read"
NOT_RUN = "not-run"
_SIDES = (("dynamic-read", "dynamic"), ("static-read", "static"))
# The first visit has no optimizer state to read.
_FIRST_READ = 1
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg's verdict.

    `outcome` is pass, pass-tolerance, differs, fails, crash, dynamic-fails where it fails without
    the hook too, or not-run where it was never run or gave no finite number to compare. `net` is
    what it failed in, `size` by how much it differs.
    """

    name: str
    outcome: str
    net: str = ""
    size: float = 0.0
    why: str = ""

    @property
    def equal(self) -> bool:
        """Whether it is equal, to the bit or up to rounding."""
        return self.outcome in ("pass", "pass-tolerance")

    @property
    def silent(self) -> bool:
        """Whether there was nothing to compare."""
        return self.outcome == NOT_RUN

    @property
    def told(self) -> Reason:
        """What is said of a leg that was run and is not equal."""
        leg, size = Reason.of(f"judging.leg-{self.name}"), f"{self.size:.1e}"
        if self.outcome == "differs":
            return Reason.of("judging.leg-differs", leg=leg, net=self.net, size=size)
        if self.outcome == "fails":
            return Reason.of("judging.leg-fails", leg=leg, net=self.net, why=self.why)
        return Reason.of(f"judging.leg-{self.outcome}", leg=leg, net=self.net)


_WORST = ("differs", "crash", "fails", "dynamic-fails", NOT_RUN, "pass-tolerance", "pass")


def legs(case: Comparison) -> tuple[Leg, ...]:
    """The legs of a mode, the worst net of each; of a probe, which has none, nothing."""
    ended = case.static.outcome == "ok"
    asked = ended and (case.reading is not None or bool(case.static.legs))
    found = {name: _of_nets(case.static, name) for name in (EVAL, EXPORT)}
    found[READ] = _reading(case.reading)
    wanted = {EVAL: asked, EXPORT: asked, READ: ended and case.reading is not None}
    made = (one or (Leg(name, NOT_RUN) if wanted[name] else None) for name, one in found.items())
    return tuple(leg for leg in made if leg is not None)


def told_of(found: tuple[Leg, ...]) -> tuple[Reason, ...]:
    """Their sentences: those that are equal in one, those not run in one, each other in its own."""
    equal = tuple(Reason.of(f"judging.leg-{leg.name}") for leg in found if leg.equal)
    silent = tuple(Reason.of(f"judging.leg-{leg.name}") for leg in found if leg.silent)
    return (
        *([Reason.of("judging.legs-equal", legs=equal)] if equal else ()),
        *(leg.told for leg in found if not (leg.equal or leg.silent)),
        *([Reason.of("judging.legs-not-run", legs=silent)] if silent else ()),
    )


def _of_nets(record: Record, name: str) -> Leg | None:
    last = {line["net"]: line for line in record.legs if line["leg"] == name}
    found = [_of_line(name, line) for line in last.values()]
    return min(found, key=lambda leg: _WORST.index(leg.outcome), default=None)


def _of_line(name: str, line: dict[str, Any]) -> Leg:
    net, outcome = str(line["net"]), str(line["outcome"])
    if outcome == "begun":
        return Leg(name, "crash", net)
    if outcome != "ran":
        words = str(line.get("error", "")).strip().splitlines() or [""]
        return Leg(name, outcome, net, why=shortened(words[-1], _LONGEST, end=True))
    outputs, differs = line["outputs"], line["differs"]
    if not outputs or not all(math.isfinite(norm) for _, norm in outputs.values()):
        return Leg(name, NOT_RUN, net)
    far = _furthest(_relative(outputs.get(key), gap) for key, gap in differs.items())
    return Leg(name, _sized(far), net, far)


def _relative(output: list[Any] | None, gap: list[Any]) -> float:
    norm = float(output[1]) if output else 0.0
    return float(gap[2]) / norm if norm else math.inf


def _furthest(distances: Iterable[float]) -> float:
    """The largest, infinite where one is not a number: `max` would skip that."""
    return max((math.inf if math.isnan(far) else far for far in distances), default=0.0)


def _sized(far: float) -> str:
    if far == 0.0:
        return "pass"
    return "pass-tolerance" if far <= thresholds.OUTPUT_ROUNDOFF else "differs"


def _reading(record: Record | None) -> Leg | None:
    if record is None or not record.turns:
        return None
    failed = {line["net"]: line for line in record.legs if line["outcome"] == "fails"}
    if failed:
        side, line = next(iter(failed.items()))
        # What neither mode can read again is no matter of the mode.
        outcome = "fails" if len(failed) < len(_SIDES) else "dynamic-fails"
        return Leg(
            READ, outcome, side, why=shortened(str(line.get("error", "")), _LONGEST, end=True)
        )
    if record.outcome != "ok":
        return Leg(READ, "crash", record.turns[-1].side) if record.outcome == "crash" else None
    found = [leg for pair in _SIDES if (leg := _read(record, *pair)) is not None]
    # Of one side alone nothing is said.
    told = found if len(found) == len(_SIDES) else []
    return min(told, key=lambda leg: _WORST.index(leg.outcome), default=None)


def _read(record: Record, side: str, wanted: str) -> Leg | None:
    """A side that read a checkpoint beside the one that went on by itself.

    None where no update of it can be compared: a trainer that updates at every second pass of its
    loop has those of each second side alone.
    """
    own = {(turn.pair, turn.order): turn for turn in record.turns if turn.side == wanted}
    scale = {(turn.pair, turn.order): turn for turn in record.turns if turn.side == "dynamic"}
    far = None
    for turn in record.turns:
        place = (turn.pair, turn.order)
        known = place in own and place in scale
        if turn.side == side and turn.pair >= _FIRST_READ and known:
            gaps = _apart(scale[place], own[place], turn, wanted == "dynamic")
            far = _furthest((far or 0.0, *gaps))
    return None if far is None else Leg(READ, "pass" if far == 0.0 else "differs", side, far)


def _apart(reference: Turn, one: Turn, other: Turn, is_reference: bool) -> Iterator[float]:
    """How far two sides' values are apart, by the reference's norms, as its distances tell."""
    yield 0.0 if one.losses == other.losses else math.inf
    for kind in KINDS:
        known, gaps = getattr(reference, kind), getattr(other, kind)
        own = {} if is_reference else getattr(one, kind)
        for name in {*own, *gaps}:
            pair = [held[name].distance if name in held else 0.0 for held in (own, gaps)]
            norm = known[name].norm if name in known else 0.0
            if pair[0] != pair[1]:
                yield abs(pair[0] - pair[1]) / norm if norm else math.inf
