"""Some of the attacks of `bench`, with few tries: the same code, other seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.attack import variants
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
