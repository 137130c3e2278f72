"""The verdict of speed, on pairs of steps whose true ratio is known."""

from __future__ import annotations

import math
import random

import pytest

from codemod.judging.speed.speed import Pair, Process, SpeedVerdict, judge_speed


def process(
    ratio: float, number: int, pairs: int = 40, noise: float = 0.02, load: float = 0.5
) -> Process:
    """Steps of 10 ms whose static side is `ratio` times faster, under a load that comes and goes."""
    draw = random.Random(number)
    made = []
    busy = 1.0
    for _ in range(pairs):
        busy = 0.9 * busy + 0.1 * (1 + load * draw.random())
        both = [busy * math.exp(draw.gauss(0, noise)) for _ in range(2)]
        dynamic = (0.004 * both[0], 0.005 * both[0], 0.001 * both[0])
        static = (0.004 * both[1] / ratio, 0.005 * both[1] / ratio, 0.001 * both[1] / ratio)
        made.append(Pair(dynamic, static))
    return Process(tuple(made), compile_s=1.5, programs=0)


def run(ratio: float, count: int = 5, between: float = 0.01, **options: float) -> SpeedVerdict:
    draw = random.Random(7)
    made = [
        process(ratio * math.exp(draw.gauss(0, between)), number, **options)  # type: ignore[arg-type]
        for number in range(count)
    ]
    found = judge_speed(made)
    assert found is not None
    assert found.ratio.low <= found.ratio.value <= found.ratio.high
    return found.verdict


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [
        (1.3, SpeedVerdict.FASTER),
        (1.0, SpeedVerdict.SAME),
        (0.8, SpeedVerdict.SLOWER),
        (0.06, SpeedVerdict.SLOWER),
    ],
)
def test_a_true_ratio_is_told(ratio: float, verdict: SpeedVerdict) -> None:
    assert run(ratio) is verdict


def test_load_beside_it_changes_no_verdict() -> None:
    assert run(1.3, load=4.0) is SpeedVerdict.FASTER


def test_processes_that_differ_make_it_unclear_however_narrow_each_is() -> None:
    assert run(1.0, between=0.15, noise=0.001) is SpeedVerdict.UNCLEAR


def test_fewer_than_five_processes_say_nothing() -> None:
    assert run(2.0, count=4) is SpeedVerdict.UNCLEAR
    assert judge_speed([]) is None
    assert judge_speed([Process(())]) is None


@pytest.mark.slow
def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    covered = 0
    for trial in range(30):
        draw = random.Random(trial)
        made = [
            process(1.1 * math.exp(draw.gauss(0, 0.05)), 100 * trial + n, pairs=20)
            for n in range(8)
        ]
        found = judge_speed(made, seed=trial)
        assert found is not None
        covered += found.ratio.low <= 1.1 <= found.ratio.high
    # 95 % by name; with eight processes a bootstrap is known to cover somewhat less.
    assert covered >= 25


def test_the_steps_until_compiling_has_paid_off() -> None:
    found = judge_speed([process(2.0, number, load=0.0) for number in range(5)])
    assert found is not None
    assert found.pays_off is not None
    assert 250 <= found.pays_off <= 350
    slower = judge_speed([process(0.5, number) for number in range(5)])
    assert slower is not None
    assert slower.pays_off is None


def test_a_part_may_be_slower_than_the_whole() -> None:
    pairs = tuple(Pair((0.004, 0.005, 0.001), (0.002, 0.006, 0.001)) for _ in range(20))
    found = judge_speed([Process(pairs)] * 5)
    assert found is not None
    assert found.parts["forward"].value == pytest.approx(2.0)
    assert found.parts["backward"].value < 1
    assert found.parts["step"].value == pytest.approx(1.0)
