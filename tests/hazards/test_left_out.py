"""Hazards held against the runs of kits that had no say in them."""

from __future__ import annotations

from dataclasses import replace

from bench.hazards import Truth, paired
from bench.hazards_left_out import (
    counts,
    each,
    left_out,
    page,
    still_warned,
    table,
    wrong_ones,
)
from codemod.base.reason import Reason
from codemod.hazards import Mode, ModelHazards
from codemod.hazards.catalog import CATALOG
from codemod.hazards.hazard import Occurrence
from codemod.hazards.measured import VERSIONS
from codemod.judging.verdict import Verdict

WORDS = {hazard.id: hazard for hazard in CATALOG}
PADDLE = "2.6.2"
REFUSED = (
    "AssertionError: Leave out model.to_static: static graphs lose the gradients of gradients that "
    "WGANGPModel needs."
)
RIGHT, WRONG = Verdict.FAILS, Verdict.PASS

TRIES = Reason.of("hazards.tries")


def run(kit: str, verdict: Verdict, *hazards: str) -> tuple[Truth, ModelHazards]:
    """A run in AST of a model with these hazards, each of which is expected to raise there."""
    modes = {mode.value: dict.fromkeys(VERSIONS, "error") for mode in Mode}
    found = tuple(
        Occurrence(one, WORDS[one].name, "net.py", 1, "N.forward", TRIES, modes, "", "")
        for one in hazards
    )
    truth = Truth(kit, "a.yml", PADDLE, Mode.AST, verdict, "", 0, (), "", hooked=True)
    return truth, ModelHazards("a.yml", (), found)


def test_a_hazard_that_is_wrong_in_more_than_two_of_five_is_no_warning() -> None:
    two_of_five = [run("A", RIGHT, "D-06")] * 3 + [run("A", WRONG, "D-06")] * 2
    three_of_six = [*two_of_five, run("A", WRONG, "D-06")]
    assert wrong_ones(two_of_five) == {}
    assert wrong_ones(three_of_six) == {("D-06", "ast", PADDLE): (3, 6)}
    assert wrong_ones([run("A", WRONG, "D-06")] * 4) == {}, "too few to say"
    assert still_warned(three_of_six) == ["D-06 AST 2.6.2: 3 of 6 runs pass"]
    assert "still warned of\n\n- D-06 AST 2.6.2: 3 of 6 runs pass\n\n## Missed" in page(
        three_of_six
    )
    assert "still warned of\n\nNone.\n\n## Missed" in page(two_of_five)


def test_a_kit_has_no_say_in_its_own_warnings() -> None:
    bad = [run("A", WRONG, "D-06")] * 5
    other = [run("B", RIGHT, "D-06"), run("B", RIGHT), run("B", WRONG)]
    tally = left_out([*bad, *other])["all"]
    # A's runs take the warning from B; B has too few runs to take it from A.
    assert tally.flagged == {(False, True): 1, (False, False): 1, (True, True): 1, (True, False): 5}
    assert tally.warned == {(False, True): 2, (False, False): 1, (True, False): 5}
    assert table(left_out([*bad, *other])).splitlines()[2:] == [
        "| AST 2.6.2 | 8 | 2 | 1 of 2 | 1 of 6 | 0 of 2 | 0 of 5 |",
        "| all | 8 | 2 | 1 of 2 | 1 of 6 | 0 of 2 | 0 of 5 |",
    ]


def test_what_the_kit_s_hook_sees_to_is_no_false_alarm_of_its_runs() -> None:
    by_hook, model = run("PaddleRec", WRONG, "D-71", "D-06")
    pairs = paired([by_hook, replace(by_hook, hooked=False)], {("PaddleRec", "a.yml"): model})
    assert [[one.id for one in found.found] for _, found in pairs] == [["D-06"], ["D-71", "D-06"]]


def test_a_run_on_a_release_between_or_that_the_change_refuses_says_nothing_of_hazards() -> None:
    truth, _ = run("PaddleGAN", RIGHT)
    assert counts(truth)
    assert not counts(replace(truth, paddle="3.1.1"))
    assert not counts(replace(truth, reason=REFUSED))


def test_each_miss_and_each_false_alarm_is_named() -> None:
    lists = each([run("B", RIGHT), run("A", WRONG, "D-06"), run("A", RIGHT, "D-06")])
    missed, _, alarms = lists.partition("## False alarms: 1 runs")
    assert "## Missed: 1 runs" in missed
    assert missed.endswith("| B | `a.yml` | 2.6.2 | AST | `fails` |  |\n\n")
    assert alarms.endswith("| A | `a.yml` | 2.6.2 | AST | `pass` | D-06 |\n")
