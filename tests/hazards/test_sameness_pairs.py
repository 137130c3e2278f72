"""Pairs that count as the same: by what they differ, and how they are drawn."""

from __future__ import annotations

import pytest

from bench.hazards import Truth
from bench.sameness import Pair, agreements, differing, drawn, half_run, table
from codemod.hazards import Mode
from codemod.judging.verdict import Verdict

CONFIG = {"Arch": {"name": "Net", "width": 8, "pretrained": False}, "Loss": {"weight": 1.0}}


@pytest.mark.parametrize(
    ("other", "rules"),
    [
        (CONFIG, {"nothing"}),
        ({**CONFIG, "Arch": {"name": "Net", "width": 16, "pretrained": False}}, {"size"}),
        ({**CONFIG, "Arch": {"name": "Net50", "width": 8, "pretrained": True}}, {"name", "start"}),
        ({**CONFIG, "Data": {"size": [64, 64]}}, {"outside"}),
        ({**CONFIG, "Arch": {"name": "Net", "width": 8}}, {"start"}),
    ],
)
def test_what_two_configs_differ_in(other: object, rules: set[str]) -> None:
    assert differing(CONFIG, other, ("Arch.name",)) == rules


def pair(number: int, *rules: str) -> Pair:
    return Pair("Kit", f"{number}.yml", f"{number}-other.yml", frozenset(rules))


def test_each_rule_gives_a_pair_in_turn_and_a_seed_draws_the_same_ones() -> None:
    many = [pair(n, "size") for n in range(50)] + [pair(90, "name"), pair(91, "start", "size")]
    found = drawn(many, 6, seed=3)
    assert found == drawn(many, 6, seed=3)
    assert found != drawn(many, 6, seed=4)
    assert len(set(found)) == len(found) == 6
    assert {pair(90, "name"), pair(91, "start", "size")} <= set(found)
    assert len(drawn(many, 1000, seed=3)) == len(many)


def test_both_must_have_run_and_what_disagrees_counts_for_each_rule() -> None:
    def run(config: str, verdict: Verdict) -> Truth:
        return Truth("Kit", config, "3.3.1", Mode.AST, verdict, "", 0, (), "", hooked=True)

    pairs = [pair(1, "size"), pair(2, "size", "start"), pair(3, "size")]
    known = [
        *(run(name, Verdict.PASS) for name in ("1.yml", "1-other.yml", "2.yml", "3.yml")),
        run("2-other.yml", Verdict.FAILS),
    ]
    found = agreements(pairs, known)
    assert [one.agrees for one in found] == [True, False]
    lines = table(found).splitlines()
    assert "| size | 2 | 2 | 1 | 1 |" in lines
    assert "| start | 1 | 1 | 0 | 0 |" in lines
    assert "| ast 3.3.1 | 2 | 2 | 1 | 1 |" in lines
    assert lines[-1] == "| all | 2 | 2 | 1 | 1 |"
    assert half_run(pairs, known) == {pairs[2]: ("3.3.1", "3-other.yml")}
