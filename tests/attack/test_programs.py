"""Some of the attacks of `bench`, with few tries: the same code, other seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.attack import faults, mutated_rules, variants
from bench.attack.table import tried
from bench.programs import ask, wrong_order

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_hooks_of_generated_programs_stand_where_they_must(start: int) -> None:
    faults = [answer for seed in range(start, start + 50) if (answer := ask(seed)).fault]
    assert faults == []


def test_the_stand_in_sees_a_hook_in_the_wrong_place() -> None:
    assert wrong_order([("hook", 1), ("wrap", 1), ("call", 1), ("train", 1)]) == ""
    assert wrong_order([("wrap", 1), ("hook", 1), ("train", 1)]) == "hooked after wrap"
    assert wrong_order([("hook", 1), ("copy", 1), ("train", 1)]) == "copy after the hook"
    assert wrong_order([("call", 1), ("train", 1)]) == "no hook is reached"
    assert wrong_order([("hook on no model", 0)]) == "a wrapper, or no layer, is hooked"


@pytest.mark.parametrize("seed", range(12))
def test_variants_of_a_trainer_s_bytes(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert variants.attempt(seed, tmp_path) == ""


@pytest.mark.parametrize("start", range(9_000_000, 9_000_040, 10))
def test_faults_and_kills_of_apply_and_revert(start: int) -> None:
    assert [
        fault for seed in range(start, start + 10) if (fault := tried(faults.attempt, seed))
    ] == []


@pytest.mark.parametrize("seed", range(9_000_000, 9_000_008))
def test_mutations_of_a_kit_s_data(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert tried(mutated_rules.attempt, seed) == ""


def test_a_fault_that_nothing_undoes_is_seen(tmp_path: Path) -> None:
    """What the attack judges: half a change, and a word that is not so."""
    half = {faults.LINES, faults.HOOKED}
    assert faults.judged(faults.AS_IT_WAS, half, faults.LINES, faults.HOOKED, tmp_path)
    assert faults.judged(faults.DONE, half, faults.LINES, faults.HOOKED, tmp_path)
    assert faults.judged(faults.CRASHED, {faults.LINES}, faults.LINES, faults.HOOKED, tmp_path)
    assert not faults.judged(faults.DONE, {faults.HOOKED}, faults.LINES, faults.HOOKED, tmp_path)
