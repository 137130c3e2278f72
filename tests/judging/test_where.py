"""A run counts for the device that it computed on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge
from codemod.judging.where import computed_at
from tests.parity.builders import plain, record

if TYPE_CHECKING:
    from codemod.training.record import Record


def run(place: str, wanted: str, caught: bool = False) -> Record:
    made = record(plain(12), caught=caught)
    places = {"weights": {place: 2, "cpu": 1}, "gradients": {place: 2}, "losses": {place: 12}}
    return replace(
        made, start={"wanted": wanted}, params=({"opt": 0, "start": {}, "places": places},)
    )


def test_a_cpu_s_run_is_no_card_s() -> None:
    case = Comparison("ast", run("cpu", "gpu:0"), run("cpu", "gpu:0", True))
    found = judge(case)
    assert found.verdict == "not-run"
    assert found.reason == "The dynamic run was asked to train on gpu:0, and computed on cpu."


def test_a_static_run_elsewhere_is_told_too() -> None:
    found = judge(Comparison("ast", run("gpu:0", "gpu:0"), run("cpu", "gpu:0", True)))
    assert found.verdict == "not-run"
    assert found.reason.startswith("The ast run was asked")


def test_cards_are_numbered_anew_in_a_run() -> None:
    case = Comparison("ast", run("gpu:0", "gpu:3"), run("gpu:0", "gpu:3", True))
    assert judge(case).verdict == "pass"


def test_a_card_that_was_not_asked_for() -> None:
    assert judge(Comparison("ast", run("gpu:0", "cpu"), run("gpu:0", "cpu"))).verdict == "not-run"


def test_a_record_without_places_is_judged_as_ever() -> None:
    made = record(plain(12))
    assert computed_at(made) == ()
    assert judge(Comparison("ast", made, record(plain(12), caught=True))).verdict == "pass"
