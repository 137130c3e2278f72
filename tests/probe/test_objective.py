"""The loss that a probe uses where it has none of the kit, on real Paddle."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from codemod.experiments.probe.server import INSIDE
from tests.parity.conftest import PADDLES, paddle_python

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).parent / "programs" / "constant_outputs.py"


@pytest.mark.parametrize("paddle", PADDLES)
def test_outputs_without_a_gradient_count_too(paddle: str) -> None:
    ran = subprocess.run(
        [str(paddle_python(paddle)), str(PROGRAM)],
        env={**os.environ, "PYTHONPATH": str(INSIDE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.strip().endswith("right"), ran.stderr[-2000:]
