"""Tracing and compiling are timed where they happen, each second once."""

from __future__ import annotations

import time

import pytest

from codemod.training.inject.parity_recorder.graphs.compiling import Compiling


class Clock:
    """A clock that stands still unless work is done."""

    def __init__(self) -> None:
        self.now = 0.0

    def work(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "perf_counter", lambda: made.now)
    return made


def test_nested_tracing_counts_once(clock: Clock) -> None:
    counts: dict[str, float] = {}
    compiling = Compiling(counts)
    inner = compiling.tracing(lambda: clock.work(2.0))

    def translate() -> None:
        clock.work(1.0)
        inner()

    compiling.tracing(translate)()
    assert counts == {"trace_s": 3.0}


def test_the_first_run_counts_beyond_the_second(clock: Clock) -> None:
    counts: dict[str, float] = {}
    compiling = Compiling(counts)
    trace = compiling.tracing(lambda: clock.work(4.0))
    runs = iter([5.0, 0.5, 0.25])

    def call(graph: object) -> None:
        assert graph is program
        if not counts:
            trace()
        clock.work(next(runs))

    program = object()
    run = compiling.running(call)
    run(program)
    assert counts == {"trace_s": 4.0}, "the tracing inside is not the run's"
    run(program)
    run(program)
    assert counts == {"trace_s": 4.0, "first_run_s": 4.5}


def test_a_backward_is_known_by_the_programs_before_it(clock: Clock) -> None:
    counts: dict[str, float] = {}
    compiling = Compiling(counts)
    run = compiling.running(lambda graph: None)
    one, two = object(), object()
    for programs, seconds in (
        ((one,), 3.0),
        ((two,), 1.0),
        ((), 9.0),
        ((one,), 1.0),
        ((two,), 0.5),
    ):
        for program in programs:
            run(program)
        compiling.after_backward(seconds)
    assert counts == {"first_run_s": 2.5}


def test_time_is_counted_when_it_raises(clock: Clock) -> None:
    counts: dict[str, float] = {}
    compiling = Compiling(counts)

    def fails() -> None:
        clock.work(1.5)
        raise ValueError("cannot be traced")

    for _ in range(2):
        with pytest.raises(ValueError, match="cannot be traced"):
            compiling.tracing(fails)()
    assert counts == {"trace_s": 3.0}
