"""What is said of the speed of drawn processes, to the letter: `drawn_speed` tells how."""

from __future__ import annotations

import json

import pytest

from codemod.judging.speed.speed import SpeedVerdict
from tests.judging.drawn_speed import COUNT, GOLDEN, line

KNOWN = GOLDEN.read_text("utf-8").splitlines()
_CHUNK = 30


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(start, marks=pytest.mark.slow if start else [])
        for start in range(0, COUNT, _CHUNK)
    ],
)
def test_what_is_said_of_drawn_processes(start: int) -> None:
    for seed in range(start, start + _CHUNK):
        assert json.loads(line(seed)) == json.loads(KNOWN[seed])


def test_they_reach_all_verdicts() -> None:
    told = [json.loads(one) for one in KNOWN]
    assert {one["verdict"] for one in told} == {one.value for one in SpeedVerdict}
    assert {one["clock"] for one in told} == {"wall", "processor"}
