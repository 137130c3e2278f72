"""Most small changes of the code that infers kinds and calls are noticed by its tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
TESTS = ("tests/hazards/test_golden.py", "tests/hazards/test_switches.py")


@pytest.mark.slow
@pytest.mark.parametrize("module", ["reachable", "evaluate", "expressions", "reached"])
def test_eight_of_ten_mutants_are_noticed(module: str) -> None:
    words = [f"codemod/hazards/reach/{module}.py", *TESTS, "--every", "7", "--floor", "0.8"]
    done = subprocess.run(
        [sys.executable, "-m", "bench.mutants", *words],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
