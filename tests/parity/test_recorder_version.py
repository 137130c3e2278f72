"""The recorder's version is raised on purpose: the records of frozen nets are held to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codemod.training.inject.parity_recorder.version import VERSION
from codemod.training.runner import Command, RunRequest, recorder_version, run_once
from tests.parity.conftest import PADDLES, PROGRAMS, paddle_python

SIDES = ("dynamic", "static", "again", "ulp1", "threads", "static-read")
# What the records of `unusual.py` say, free and of sides, on every Paddle. Where a test of these
# fails and the change is meant, raise VERSION and keep the new records (`shape`) under its number.
FROZEN = Path(__file__).parent / f"records-{VERSION}.jsonl"
# What these sides move is rounding, another amount on each processor.
_CONTROLS = ("again", "ulp1", "threads")
# A bias before a batch norm: its true gradient is zero, and Adam moves it by rounding's sign.
_BY_ROUNDING = "/Net#1.frozen.bias"
# Times, memory and what differs from one machine to the next.
_FLEETING = ("s", "own_s", "rss_kb", "static", "time", "pid", "env", "argv", "random", "system")
_PLACES = ("file", "line", "traceback", "machine", "python", "numpy", "classes", "reads")


def test_results_carry_the_number() -> None:
    assert recorder_version() == str(VERSION)
    assert FROZEN.exists(), "a new version needs its records"


def shape(value: Any) -> Any:
    """What a line says without what differs between machines; its numbers to three digits."""
    if isinstance(value, dict):
        if value.get("side") in _CONTROLS:
            return sorted(value)
        kept = {k: v for k, v in value.items() if k not in (*_FLEETING, *_PLACES)}
        return {key: shape(item) for key, item in sorted(kept.items())}
    if isinstance(value, list):
        # Of a fingerprint the kind and the norm; digest and sketch hang on the processor.
        return [shape(item) for item in value if not isinstance(item, str) or len(item) < 8]
    return float(f"{value:.2e}") if isinstance(value, float) else type(value).__name__


def leaves(value: Any, place: str = "") -> dict[str, Any]:
    """Each number and each type, by its place in the line."""
    inner = dict(enumerate(value)) if isinstance(value, list) else value
    if not isinstance(inner, dict) or not inner:
        return {place: value}
    found: dict[str, Any] = {}
    for key, item in inner.items():
        found |= leaves(item, f"{place}/{key}")
    return found


def differences(found: Any, frozen: Any) -> dict[str, tuple[Any, Any]]:
    """Where two lines part: in a number by more than another processor's kernels explain."""
    ours, theirs = leaves(found), leaves(frozen)
    return {
        place: (ours.get(place), theirs.get(place))
        for place in ours.keys() | theirs.keys()
        if ours.get(place) != _about(theirs.get(place), 1 if _BY_ROUNDING in place else 2e-4)
    }


def _about(value: Any, within: float) -> Any:
    return pytest.approx(value, rel=0.02, abs=within) if isinstance(value, float) else value


def test_a_number_and_a_type_that_moved_are_seen() -> None:
    line = {"t": "str", "grads": {"w": ["str", 2.57], "b": ["str", 1e-7]}}
    noise = {"t": "str", "grads": {"w": ["str", 2.571], "b": ["str", 3e-7]}}
    assert differences(noise, line) == {}
    other = {"t": "int", "grads": {"w": ["str", 2.7]}}
    assert set(differences(other, line)) == {"/t", "/grads/w/1", "/grads/b/0", "/grads/b/1"}


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_the_records_of_frozen_nets(paddle: str, tmp_path: Path) -> None:
    frozen = [json.loads(line) for line in FROZEN.read_text(encoding="utf-8").splitlines()]
    found = [shape(line) for line in _records(paddle, tmp_path)]
    assert len(found) == len(frozen)
    parted = {n: differences(*two) for n, two in enumerate(zip(found, frozen, strict=True), 1)}
    assert {n: one for n, one in parted.items() if one} == {}


def _records(paddle: str, folder: Path) -> list[Any]:
    argv = (str(paddle_python(paddle)), str(PROGRAMS / "unusual.py"))
    truth = str(folder / "truth")
    runs = (
        RunRequest("free", "dynamic", 3),
        RunRequest("static", "ast", 3, legs=True),
        RunRequest("sides", "ast", 3, sides=SIDES, truth=truth),
        RunRequest("double", "ast", 3, sides=SIDES, truth=truth, double=True),
    )
    lines: list[Any] = []
    for wanted in runs:
        gate = ("--to-static",) if wanted.mode == "ast" else ()
        command = Command((*argv, *gate), PROGRAMS)
        assert run_once(command, wanted, folder, "cpu", 180).outcome == "ok"
        text = (folder / f"{wanted.name}.jsonl").read_text(encoding="utf-8")
        lines += [json.loads(line) for line in text.splitlines()]
    return lines
