"""Work in forked processes: done elsewhere, its results and failures told here."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from codemod.base.launch import pool

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("cores", [1, 2])
def test_the_work_is_done_when_the_body_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    file = tmp_path / "pid"

    def notes() -> None:
        file.write_text(str(os.getpid()))

    with pool.beside(notes):
        pass
    assert (file.read_text() == str(os.getpid())) is (cores == 1)


def test_what_the_work_raises_is_raised_here_and_nothing_printed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)

    def fails() -> None:
        raise ValueError("no room")

    with pytest.raises(ValueError, match="no room"), pool.beside(fails):
        pass
    assert capfd.readouterr().err == ""


def slow_unless(item: float) -> tuple[float, int]:
    time.sleep(item)
    return item, os.getpid()


def test_results_come_as_they_are_made_each_of_its_own_process() -> None:
    with pool.forked(slow_unless, [1.0, 0.0, 0.0], 2) as results:
        found = list(results)
    assert [place for place, _ in found] == [1, 2, 0]
    assert len({pid for _, (_, pid) in found} - {os.getpid()}) == 3


def starts(folder: Path) -> list[str]:
    (folder / f"{time.monotonic_ns()}").touch()
    time.sleep(0.05)
    return sorted(one.name for one in folder.iterdir())


def test_they_begin_in_order_and_no_more_at_once_than_asked(tmp_path: Path) -> None:
    with pool.forked(starts, [tmp_path] * 3, 1) as results:
        found = list(results)
    assert [(place, len(begun)) for place, begun in found] == [(0, 1), (1, 2), (2, 3)]


def fails_at(item: Exception | None) -> None:
    if item is not None:
        raise item


# Of a kind that a lost process shows, too.
@pytest.mark.parametrize("fault", [ValueError("no such item"), OSError("no such item")])
def test_a_fault_is_raised_here_with_where_it_came_from(fault: Exception) -> None:
    with (
        pytest.raises(type(fault), match="no such item") as caught,
        pool.forked(fails_at, [None, fault, None], 1) as results,
    ):
        list(results)
    assert "fails_at" in str(caught.value.__cause__)


def ends(item: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_process_that_was_ended_is_told(at_once: int) -> None:
    with pytest.raises(pool.Killed), pool.forked(ends, ["a", "b", "c"], at_once) as results:
        list(results)


def test_none_is_left_where_the_results_are_not_waited_for() -> None:
    with pool.forked(slow_unless, [60.0, 60.0], 2) as results:
        pass
    with pytest.raises(pool.Killed):
        next(results)
