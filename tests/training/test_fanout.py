"""Calls made several at a time."""

from __future__ import annotations

import threading

import pytest

from codemod.training.cluster import WorkerLost
from codemod.training.fanout import fan_out


def test_answers_come_as_they_are_ready() -> None:
    seen = threading.Event()

    def call(item: int) -> int:
        # The first call ends only once the second one's answer is there.
        assert item == 2 or seen.wait(600)
        return item * 10

    answers = fan_out([1, 2], call, 2)
    assert next(answers) == (2, 20)
    seen.set()
    assert list(answers) == [(1, 10)]


def test_what_is_lost_is_handed_over_and_the_others_go_on() -> None:
    def call(item: int) -> int:
        if item == 2:
            raise WorkerLost("two was lost")
        return item

    found = dict(fan_out([1, 2, 3], call, 1))
    assert (found[1], found[3], str(found[2])) == (1, 3, "two was lost")


def test_any_other_error_ends_it() -> None:
    asked: list[int] = []
    ended = threading.Event()

    def call(item: int) -> int:
        asked.append(item)
        if item > 1:
            assert ended.wait(600)
        raise ValueError(item)

    with pytest.raises(ValueError, match="1"):
        list(fan_out(range(1, 100), call, 1))
    ended.set()
    assert len(asked) <= 2


def test_whoever_stops_asking_gets_no_further_call() -> None:
    asked: list[int] = []
    ended = threading.Event()

    def call(item: int) -> int:
        asked.append(item)
        if item:
            assert ended.wait(600)
        return item

    answers = fan_out(range(50), call, 1)
    assert next(answers) == (0, 0)
    answers.close()
    ended.set()
    assert len(asked) <= 2
