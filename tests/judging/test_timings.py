"""From timed turns to a verdict, on turns whose times are known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codemod.base.files.workspace import Workspace
from codemod.base.json_form import to_json
from codemod.base.reason import Reason
from codemod.cli.forms import form
from codemod.judging.evidence.speed_rows import (
    SPEED,
    SpeedRow,
    joined,
    keep_speed,
    speed_of,
)
from codemod.judging.evidence.speed_text import headline, sentences
from codemod.judging.speed.slowness import causes, operators_a_run, slow_part
from codemod.judging.speed.speed import Ratio, SpeedVerdict
from codemod.judging.speed.speed_judged import judge_timings
from codemod.judging.speed.timings import (
    DYNAMIC,
    PROCESSOR,
    STATIC,
    WALL,
    TimedTurn,
    Timings,
    process_of,
    read_timings,
)
from codemod.judging.thresholds import SPEED_WARMUP

WHY = Reason.of("judging.speed-no-loader")


def turn(pair: int, side: str, ms: float, **static: float) -> TimedTurn:
    """A turn of a net of 100 operators; the wall says twice the processor's time."""
    parts = {"forward": 0.6, "backward": 0.3, "step": 0.1, "rest": 5.0}
    seconds = {name: ms * share / 1000 for name, share in parts.items()}
    ran = {"ast_runs": 1, "program_ops": 100, **static} if side == STATIC else {}
    twice = {name: 2 * one for name, one in seconds.items()}
    return TimedTurn(pair, side, twice, seconds, 0.001, 1.0, ran, None)


def process(ratio: float, pairs: int = 40, **static: float) -> Timings:
    """One process of steps of 10 ms; its first static turn compiles for a second."""
    turns = []
    for pair in range(pairs):
        first = {"traces": 1, "trace_s": 0.8, "first_run_s": 0.2} if pair == 0 else {}
        turns.append(turn(pair, DYNAMIC, 10.0))
        turns.append(turn(pair, STATIC, 10.0 / ratio, **{**first, **static}))
    return Timings(tuple(turns))


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [
        (2.0, SpeedVerdict.FASTER),
        (1.0, SpeedVerdict.SAME),
        (0.5, SpeedVerdict.SLOWER),
    ],
)
def test_five_processes_give_a_verdict(ratio: float, verdict: SpeedVerdict) -> None:
    judged = judge_timings([process(ratio)] * 5, "cpu", WHY)
    assert judged.verdict is verdict
    assert judged.speed is not None
    assert judged.speed.ratio.value == pytest.approx(ratio, rel=1e-3)
    assert judged.speed.compile_s == pytest.approx(1.0)
    assert judged.dynamic_ms == pytest.approx(10.0)
    assert judged.loader_ms == pytest.approx(1.0)


def test_slower_always_names_a_part() -> None:
    judged = judge_timings([process(0.5)] * 5, "cpu", WHY)
    assert str(judged.said[0]) == "Forward takes 2 times as long as in dynamic training."
    told = slow_part({"forward": 1.2, "backward": 0.9, "step": 0.1})
    assert told.code == "judging.speed-part-step"
    little = str(slow_part({"forward": 0.96, "backward": 1.0}))
    assert little.startswith("Forward takes 1.04 times as long")


def test_a_step_too_short_for_a_call_is_named_and_a_larger_loss_is_not() -> None:
    def shrunk(timings: Timings) -> Timings:
        return replace(timings, turns=tuple(_shrunk(one) for one in timings.turns))

    def _shrunk(one: TimedTurn) -> TimedTurn:
        return replace(one, processor={name: s / 4 for name, s in one.processor.items()})

    short = judge_timings([shrunk(process(0.5))] * 5, "cpu", WHY)
    assert "A step loses 2.5 ms" in str(short.said[-1])
    long = judge_timings([process(0.5)] * 5, "cpu", WHY)
    assert "judging.speed-short" not in {one.code for one in long.said}


def test_a_cpu_is_judged_by_processor_time_and_a_card_by_the_wall() -> None:
    assert judge_timings([process(2.0)] * 5, "cpu", WHY).clock == PROCESSOR
    on_card = judge_timings([process(2.0)] * 5, "gpu:0", WHY)
    assert on_card.clock == WALL
    assert on_card.dynamic_ms == pytest.approx(20.0)


def test_warm_up_and_stops_are_left_out_of_steady_pairs() -> None:
    whole = process(2.0)
    stops = tuple(
        turn(one.pair, STATIC, 900.0, traces=1, trace_s=0.8)
        if (one.pair, one.side) == (20, STATIC)
        else one
        for one in whole.turns
    )
    found = process_of(replace(whole, turns=stops), PROCESSOR)
    assert len(found.pairs) == 40 - SPEED_WARMUP - 1
    assert found.programs == 1
    assert found.compile_s == pytest.approx(1.8)
    assert "judging.speed-late-programs" in {one.code for one in causes(Timings(stops))}


def test_a_program_a_step_is_what_training_costs() -> None:
    restless = process(0.5, traces=1)
    judged = judge_timings([restless] * 5, "cpu", WHY)
    assert judged.verdict is SpeedVerdict.SLOWER
    assert judged.causes[0].code == "judging.speed-program-a-step"
    assert "30 programs were made in 30 steps after warm-up" in str(judged.causes[0])


def test_without_pairs_the_reason_is_told() -> None:
    judged = judge_timings([Timings()] * 5, "cpu", WHY)
    assert judged.verdict is SpeedVerdict.UNCLEAR
    assert "no data loader of Paddle's" in str(judged.said[0])


def test_programs_that_leave_too_few_pairs_are_told_and_no_loader_is_blamed() -> None:
    whole = process(2.0, pairs=30)
    stops = tuple(
        turn(one.pair, STATIC, 900.0, traces=1)
        if one.side == STATIC and one.pair in {19, 24}
        else one
        for one in whole.turns
    )
    judged = judge_timings([replace(whole, turns=stops)] * 5, "cpu", WHY)
    assert (judged.verdict, judged.speed) == (SpeedVerdict.UNCLEAR, None)
    assert "No process gave more than 18 steady pairs, and fewer than 20" in str(judged.said[0])
    assert [one.code for one in judged.causes] == ["judging.speed-late-programs"]


def test_processes_that_differ_are_unclear_and_say_so() -> None:
    judged = judge_timings([process(r) for r in (0.8, 0.9, 1.0, 1.1, 1.25)], "cpu", WHY)
    assert judged.verdict is SpeedVerdict.UNCLEAR
    assert "and 10 % is the limit" in str(judged.said[0])


def test_causes_of_any_device() -> None:
    nothing = process(0.9, ast_runs=0)
    assert [one.code for one in causes(nothing)] == ["judging.speed-nothing-static"]
    place: list[Any] = ["/kits/A/net.py", 12]
    broken = replace(process(1.0), breaks=({"kind": "BreakGraphError", "place": place},))
    assert "/kits/A/net.py:12" in str(causes(broken)[0])
    library: list[Any] = ["/python/lib/contextlib.py", 281]
    both = [{"kind": "BreakGraphError", "place": one} for one in (library, place)]
    told = str(causes(replace(process(1.0), breaks=tuple(both)), Path("/kits/A"))[0])
    assert "breaks at 2 places, such as net.py:12" in told, "where the kit led to it"
    alone = str(causes(replace(process(1.0), breaks=(both[0],)), Path("/kits/A"))[0])
    assert "contextlib.py:281" in alone
    small = process(1.0, program_ops=8)
    assert [one.code for one in causes(small)] == ["judging.speed-tiny"]


def test_a_record_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    assert read_timings(tmp_path / "none.jsonl") == Timings()
    line = {
        "t": "timed",
        "step": 3,
        "side": STATIC,
        "wall": {"forward": 1.0},
        "processor": {"forward": 0.5},
        "loader": 0.1,
        "load": 2.0,
        "static": {"traces": 1},
        "inputs": [{"layer": "Net", "args": [["tensor", [4, 3], "float32"]], "kwargs": {}}],
    }
    others: list[dict[str, Any]] = [
        {"t": "memory", "rss_kb": 9},
        {"t": "break", "kind": "BreakGraphError"},
        {"t": "sparse", "side": STATIC, "names": ["a", "b"], "places": ["cpu"]},
        {"t": "memory", "rss_kb": 90, "card_kb": 7},
    ]
    file = tmp_path / "one.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in (line, *others)) + '{"t": "tim')
    found = read_timings(file)
    assert [(one.made, one.pair, one.side) for one in found.turns] == [(1, 3, STATIC)]
    assert found.breaks == ({"t": "break", "kind": "BreakGraphError"},)
    assert (found.sparse, found.places) == ({STATIC: frozenset("ab")}, frozenset({"cpu"}))
    assert found.memory_kb == 9


def test_the_size_of_a_program_is_the_operators_of_one_that_runs() -> None:
    assert operators_a_run(process(1.0, ast_runs=2, program_ops=6)) == 3
    assert operators_a_run(process(1.0, ast_runs=1, sot_graphs=2, program_ops=6)) == 2
    assert operators_a_run(process(1.0, ast_runs=0, program_ops=6)) is None


def row(verdict: SpeedVerdict = SpeedVerdict.SLOWER) -> SpeedRow:
    return SpeedRow(
        "Kit",
        "a.yml",
        "3.3.1",
        "ast",
        "cpu",
        verdict,
        machine="M, 2 cores",
        ratio=Ratio(0.5, 0.48, 0.52),
        dynamic_ms=10.0,
        static_ms=20.0,
        compile_s=1.5,
        runs={"processes": 5, "pairs": 200},
        date="2026-01-02T03:04:05+00:00",
    )


def test_a_row_is_of_the_form_that_is_published() -> None:
    printed = {"version": 1, "speed": [to_json(row()), to_json(replace(row(), ratio=None))]}
    jsonschema.validate(printed, form("parity"))


def test_rows_are_kept_added_and_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    place = Workspace.at(tmp_path / "ws")
    keep_speed(place, "Kit", [row()])
    keep_speed(place, "Kit", [row(SpeedVerdict.SAME), replace(row(), mode="sot")])
    assert SPEED.add(place) == {"Kit": 2}
    assert speed_of(SPEED.read("Kit"), "a.yml", "3.3.1", "cpu") == {
        "ast": row(SpeedVerdict.SAME),
        "sot": replace(row(), mode="sot"),
    }
    file = next(one for one in SPEED.files() if one.stem == "Kit")
    assert SPEED.verify(file) == []
    file.write_text(file.read_text().replace('"same"', '"faster"'))
    assert "its digest is of another content" in SPEED.verify(file)[0]
    assert [one.mode for one in SPEED.read("Kit")] == ["sot"], "a changed line says nothing"


@pytest.mark.parametrize(
    ("first", "second", "verdict", "interval"),
    [
        ((0.70, 0.67, 0.73), (0.78, 0.74, 0.81), SpeedVerdict.SLOWER, (0.67, 0.81)),
        ((0.97, 0.95, 0.99), (0.99, 0.98, 1.01), SpeedVerdict.SAME, (0.95, 1.01)),
        ((0.92, 0.90, 0.94), (1.05, 1.03, 1.08), SpeedVerdict.UNCLEAR, (0.90, 1.08)),
    ],
)
def test_measurements_of_one_place_are_joined(
    first: tuple[float, float, float],
    second: tuple[float, float, float],
    verdict: SpeedVerdict,
    interval: tuple[float, float],
) -> None:
    def of(ratio: tuple[float, float, float], date: str, load: float) -> SpeedRow:
        found = Ratio(*ratio)
        side = SpeedVerdict.FASTER if found.low > 1 else SpeedVerdict.SAME
        side = SpeedVerdict.SLOWER if found.high < 1 else side
        return replace(row(side), ratio=found, date=date, load=(load, load + 1))

    one, other = of(first, "2026-01-02", 1.0), of(second, "2026-01-03", 20.0)
    both = joined(one, other)
    assert (both.verdict, both.load) == (verdict, (1.0, 21.0))
    assert both.ratio is not None
    assert (both.ratio.low, both.ratio.high) == interval
    assert [found.date for found in both.measured] == ["2026-01-02", "2026-01-03"]
    assert f"{first[0]:.2f}, {second[0]:.2f}; the interval is that of all" in sentences(both)[0]
    assert joined(both, other) == joined(one, both) == both, "the same once more changes nothing"
    assert joined(one, replace(other, hook="another")).measured == ()
    assert bool(both.said) is (verdict is SpeedVerdict.UNCLEAR)
    jsonschema.validate({"version": 1, "speed": [to_json(both)]}, form("parity"))


def test_every_text_names_device_and_threads() -> None:
    for text in (sentences(row())[0], str(headline(row()))):
        assert "cpu" in text
        assert "1 thread" in text
    assert "个线程" in sentences(row(), "zh")[0]
    for verdict in SpeedVerdict:
        assert headline(row(verdict)).text("zh")
