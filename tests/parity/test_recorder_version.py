"""The recorder's version is raised on purpose: the records of frozen nets are held to it."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from codemod.training.inject.parity_recorder.version import VERSION
from codemod.training.runner import Command, Wanted, recorder_version, run_once
from tests.parity.conftest import PADDLES, PROGRAMS, paddle_python

if TYPE_CHECKING:
    from pathlib import Path

# By version and Paddle: what the records of `unusual.py` say, free and of sides. Where this fails
# and the change is meant, raise VERSION and write the new digests beside it.
SIDES = ("dynamic", "static", "again", "ulp1", "threads", "static-read")
FROZEN = {
    2: {"2.6.2": "1684405b95115262", "3.3.1": "1684405b95115262"},
    3: {"2.6.2": "0cb4daf5ae032cd6", "3.3.1": "0cb4daf5ae032cd6"},
}
# Times, memory and what differs from one machine to the next.
_FLEETING = ("s", "own_s", "rss_kb", "static", "time", "pid", "env", "argv", "random", "system")
_PLACES = ("file", "line", "traceback", "machine", "python", "numpy", "classes", "reads")


def test_results_carry_the_number() -> None:
    assert recorder_version() == str(VERSION)
    assert VERSION in FROZEN, "a new version needs the digests of its records"


def shape(value: Any) -> Any:
    """What a line says without what differs between machines: numbers to two digits."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if k not in (*_FLEETING, *_PLACES)}
        return {key: shape(item) for key, item in sorted(kept.items())}
    if isinstance(value, list):
        # Of a fingerprint the kind and the norm; digest and sketch hang on the processor.
        return [shape(item) for item in value if not isinstance(item, str) or len(item) < 8]
    return (
        float(f"{value:.1e}") if isinstance(value, float) and value > 1e-4 else type(value).__name__
    )


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_the_records_of_frozen_nets(paddle: str, tmp_path: Path) -> None:
    argv = (str(paddle_python(paddle)), str(PROGRAMS / "unusual.py"))
    truth = str(tmp_path / "truth")
    runs = (
        Wanted("free", "dynamic", 3),
        Wanted("static", "ast", 3, legs=True),
        Wanted("sides", "ast", 3, sides=SIDES, truth=truth),
        Wanted("double", "ast", 3, sides=SIDES, truth=truth, double=True),
    )
    lines: list[Any] = []
    for wanted in runs:
        gate = ("--to-static",) if wanted.mode == "ast" else ()
        command = Command((*argv, *gate), PROGRAMS)
        assert run_once(command, wanted, tmp_path, "cpu", 180).outcome == "ok"
        text = (tmp_path / f"{wanted.name}.jsonl").read_text(encoding="utf-8")
        lines += [shape(json.loads(line)) for line in text.splitlines()]
    found = hashlib.sha256(json.dumps(lines).encode()).hexdigest()[:16]
    assert found == FROZEN[VERSION][paddle]
