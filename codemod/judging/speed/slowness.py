"""What makes static training slow on any device, as the timer saw it.

These are causes that do not hang on the machine: programs made over and over, graphs that break,
gradients of tables made dense, programs too small to pay for their calls, nothing static at all.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codemod.base.reason import Reason
from codemod.judging.captured import break_place
from codemod.judging.speed.timings import DYNAMIC, STATIC, Timings
from codemod.judging.thresholds import TINY_PROGRAM

SLOW_PART = "judging.speed-part-"
# So many lines and names are told.
_TOLD = 3


def causes(timings: Timings, root: Path | None = None) -> tuple[Reason, ...]:
    """Why static training costs more than it must; `root` is the kit's folder."""
    home = f"{root.resolve()}/" if root else ""
    return tuple(
        reason.each_text(lambda text: text.replace(home, "") if home else text)
        for reason in _found(timings, home)
    )


def _found(timings: Timings, home: str) -> Iterator[Reason]:
    steady = timings.steady
    if steady and not any(turn.ran for turn in steady):
        yield Reason.of("judging.speed-nothing-static")
    yield from _programs(timings)
    if timings.breaks:
        yield _breaks(timings, home)
    sparse = timings.sparse
    dense = sorted(sparse.get(DYNAMIC, frozenset()) - sparse.get(STATIC, frozenset()))
    if dense and STATIC in sparse:
        yield Reason.of("judging.speed-dense", names=tuple(dense[:_TOLD]))
    size = operators_a_run(timings)
    if size is not None and size < TINY_PROGRAM:
        yield Reason.of("judging.speed-tiny", operators=round(size))


def operators_a_run(timings: Timings) -> float | None:
    """Operators of a program that runs in a steady turn, the median; None where none ran."""
    sizes = [turn.static.get("program_ops", 0.0) / turn.ran for turn in timings.steady if turn.ran]
    return statistics.median(sizes) if sizes else None


def _programs(timings: Timings) -> Iterator[Reason]:
    """Programs that were made after warm-up, with what was new in those steps."""
    steady = timings.steady
    late = [turn for turn in steady if turn.made]
    if not late:
        return
    what = changed_inputs(timings)
    shapes = Reason.of("judging.speed-shapes", inputs=what)
    why = shapes if what else Reason.of("judging.speed-guard")
    code = "program-a-step" if timings.never_settles else "late-programs"
    yield Reason.of(
        f"judging.speed-{code}", count=sum(turn.made for turn in late), steps=len(steady), why=why
    )


def _breaks(timings: Timings, home: str) -> Reason:
    places = [place for item in timings.breaks if (place := break_place(item))]
    # A line of Python's own library is where a line of the kit's led to.
    places = [place for place in places if home and place[0].startswith(home)] or places
    lines = tuple(dict.fromkeys(f"{file}:{line}" for file, line in places))
    if not lines:
        return Reason.of("judging.speed-breaks", count=len(timings.breaks))
    return Reason.of("judging.speed-breaks-at", count=len(timings.breaks), lines=lines[:_TOLD])


def changed_inputs(timings: Timings) -> tuple[str, ...]:
    """What hooked layers were called with in several forms, as `LAYER 1: 4×3×16×16, …`."""
    seen: dict[tuple[str, str], dict[str, None]] = {}
    for turn in timings.of(STATIC):
        for call in turn.inputs or ():
            for path, form in _forms(call):
                seen.setdefault((str(call["layer"]), path), {})[form] = None
    return tuple(
        f"{layer} {path}: {', '.join(list(forms)[:_TOLD])}{', …' if len(forms) > _TOLD else ''}"
        for (layer, path), forms in seen.items()
        if len(forms) > 1
    )[:_TOLD]


def _forms(call: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every argument of a call by its path, as a short text."""
    for number, value in enumerate(call["args"]):
        yield from _leaves(str(number), value)
    for name, value in call["kwargs"].items():
        yield from _leaves(str(name), value)


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """The leaves of what the recorder's `structure` made."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _leaves(f"{path}.{name}", one)
    elif isinstance(value, list) and value and value[0] in ("list", "tuple"):
        for number, one in enumerate(value[1]):
            yield from _leaves(f"{path}[{number}]", one)
    elif isinstance(value, list) and value and value[0] in ("tensor", "ndarray"):
        yield path, "×".join(map(str, value[1])) or "()"
    else:
        yield path, json.dumps(value[1:] if isinstance(value, list) else value, default=str)


def slow_part(parts: dict[str, float]) -> Reason:
    """The part of a step that lost most, by its ratio of dynamic to static time."""
    name = min(parts, key=lambda part: parts[part])
    return Reason.of(f"{SLOW_PART}{name}", times=f"{1 / parts[name]:.3g}")
