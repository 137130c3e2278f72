"""Timed processes drawn by a seed, and what is said of their speed: `drawn_speed.jsonl` holds it.

As `drawn` for the judge: `python -m tests.judging.drawn_speed --write` writes the lines anew. The
bootstrap takes few draws here, for the fast tests.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from codemod.base.reason import Reason
from codemod.judging.speed import speed
from codemod.judging.speed.speed import Ratio, of_all, of_measurements
from codemod.judging.speed.speed_judged import judge_timings, with_lost
from codemod.judging.speed.timings import DYNAMIC, STATIC, TimedTurn, Timings
from tests.judging.golden import keep

if TYPE_CHECKING:
    from codemod.judging.speed.speed_judged import JudgedSpeed

GOLDEN = Path(__file__).with_suffix(".jsonl")
COUNT = 120
_PARTS = ("forward", "backward", "step", "rest")
_DRAWS = 40
_WHY = Reason.of("judging.speed-no-loader")


def _by_part(draw: random.Random, ms: float) -> dict[str, float]:
    shares = {name: draw.uniform(0.97, 1.03) / (2 + n) for n, name in enumerate(_PARTS)}
    return {name: ms * share / 1000 for name, share in shares.items()}


def _turn(draw: random.Random, pair: int, side: str, ms: float, made: int, tiny: bool) -> TimedTurn:
    processor = _by_part(draw, ms)
    static: dict[str, float] = {}
    inputs = None
    if side == STATIC:
        static = {"ast_runs": draw.choice((1, 1, 1, 2)), "program_ops": 20 if tiny else 90}
        if made:
            static |= {"traces": made, "trace_s": 0.5, "first_run_s": 0.25}
            form: list[Any] = [
                "tensor",
                [draw.choice((2, 4)), 3, draw.choice((8, 16, 24))],
                "float32",
            ]
            nested = draw.choice((form, ["list", [form, 3]], {"image": form, "name": "x"}))
            calls = [{"layer": "Net", "args": [nested], "kwargs": {"scale": draw.choice((1, 2))}}]
            inputs = tuple(calls)
    counted = draw.random() < 0.98
    return TimedTurn(
        pair=pair,
        side=side,
        wall={name: draw.uniform(1.0, 2.5) * one for name, one in processor.items()},
        processor=processor,
        loader=draw.uniform(0.0, 0.01),
        load=round(draw.uniform(0.0, 9.0), 1),
        static=static,
        inputs=inputs,
        thread={n: draw.uniform(0.5, 1.0) * one for n, one in processor.items()} if counted else {},
        system={n: draw.uniform(0.0, 0.5) * one for n, one in processor.items()} if counted else {},
        faults=dict.fromkeys(_PARTS, float(draw.randrange(900))) if counted else {},
    )


def timed(draw: random.Random, device: str) -> list[Timings]:
    """Some processes of one mode: how fast, how steady, and what was made late differ."""
    ratio, spread = (
        draw.choice((0.5, 0.9, 0.97, 1.0, 1.03, 1.3)),
        draw.choice((0.0, 0.0, 0.01, 0.1)),
    )
    ms, late = draw.choice((0.8, 6.0, 40.0)), draw.choice((0.0, 0.0, 0.1, 0.9))
    pairs, tiny = draw.choice((0, 5, 28, 34, 34, 34, 40, 40)), draw.random() < 0.3
    nothing = draw.random() < 0.1
    place = device if draw.random() < 0.95 else "gpu:0"
    made = []
    for number in range(draw.choice((1, 4, 5, 5, 5, 6))):
        own = ratio * (1 + draw.uniform(-spread, spread))
        turns: list[TimedTurn] = []
        for pair in range(pairs):
            anew = int(pair == 0 or draw.random() < late)
            turns.append(_turn(draw, pair, DYNAMIC, ms, 0, tiny))
            static = _turn(draw, pair, STATIC, ms / own, anew, tiny)
            turns.append(static)
        if nothing:
            turns = [_without(one) for one in turns]
        made.append(
            Timings(
                tuple(turns),
                breaks=_breaks(draw) if number == 0 else (),
                sparse=_sparse(draw),
                memory_kb=1000 * number,
                places=frozenset({place}),
            )
        )
    return made


def _without(turn: TimedTurn) -> TimedTurn:
    return replace(turn, static={})


def _breaks(draw: random.Random) -> tuple[dict[str, Any], ...]:
    places = (None, ["/kit/net.py", 7], ["/usr/lib/copy.py", 3], ["/kit/head.py", 9])
    count = draw.choice((0, 0, 1, 2, 5))
    return tuple({"t": "break", "place": draw.choice(places)} for _ in range(count))


def _sparse(draw: random.Random) -> dict[str, frozenset[str]]:
    rows = frozenset({"user.weight", "item.weight"})
    return draw.choice(
        ({}, {}, {DYNAMIC: rows, STATIC: rows}, {DYNAMIC: rows, STATIC: frozenset()})
    )


def told(seed: int) -> dict[str, Any]:
    """What is said of a seed's processes, and of their row joined with a second measurement."""
    draw = random.Random(seed)
    device = draw.choice(("cpu", "cpu", "cpu", "gpu:0"))
    with patch.object(speed, "SPEED_DRAWS", _DRAWS):
        judged = judge_timings(timed(draw, device), device, _WHY, Path("/kit"))
    kept = draw.choice((None, Ratio(0.95, 0.9, 1.0), Ratio(1.2, 1.1, 1.3)))
    judged = with_lost(judged, kept)
    return {"seed": seed, **_figures(judged), "joined": _joined(draw, judged)}


def _figures(judged: JudgedSpeed) -> dict[str, Any]:
    found = judged.speed
    return {
        "verdict": judged.verdict.value,
        "clock": judged.clock,
        "said": [one.text() for one in judged.said],
        "chinese": all(one.text("zh") for one in judged.said),
        "causes": [one.text() for one in judged.causes],
        "ratio": _ratio(found.ratio) if found else None,
        "parts": {name: _ratio(one) for name, one in found.parts.items()} if found else {},
        "runs": [found.processes, found.pairs, found.programs, found.pays_off] if found else [],
        "other": _ratio(judged.other) if judged.other else None,
        "ms": [
            f"{one:.3g}" for one in (judged.dynamic_ms, judged.static_ms, judged.loader_ms) if one
        ],
        "load": list(judged.load),
        "loses": judged.loses,
    }


def _ratio(one: Ratio) -> list[str]:
    return [f"{figure:.3g}" for figure in (one.value, one.low, one.high)]


def _joined(draw: random.Random, judged: JudgedSpeed) -> list[Any]:
    """The verdict of this measurement and another one together."""
    if judged.speed is None:
        return []
    other = Ratio(*sorted(round(draw.uniform(0.85, 1.15), 3) for _ in range(3)))
    value = Ratio(other.low, other.value, other.high)
    both = of_all([judged.speed.ratio, value])
    verdicts = [judged.verdict, draw.choice(tuple(speed.SpeedVerdict))]
    return [_ratio(both), of_measurements(both, verdicts).value]


def line(seed: int) -> str:
    """The line of a seed."""
    return json.dumps(told(seed), ensure_ascii=False)


if __name__ == "__main__":
    keep(GOLDEN, COUNT, line)
