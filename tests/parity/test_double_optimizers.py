"""Whatever optimizer and gradient clip steps in float32 steps so in the recorder's float64."""

from __future__ import annotations

import json
import subprocess

import pytest

from codemod.training.runner import INJECT
from tests.parity.conftest import PADDLES, PROGRAMS, paddle_python


def weights(paddle: str, *words: str) -> dict[str, str]:
    """The type and the first weight that each combination leaves, or its error."""
    argv = [str(paddle_python(paddle)), str(PROGRAMS / "double_optimizers.py"), str(INJECT), *words]
    said = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, str] = json.loads(said.stdout.splitlines()[-1])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_each_optimizer_and_clip_steps_in_float64(paddle: str) -> None:
    single, double = weights(paddle), weights(paddle, "double")
    stepped = {name: said.split() for name, said in single.items() if "float32" in said}
    assert {"SGD ClipGradByNorm", "AdamW ClipGradByGlobalNorm", "Momentum L2Decay"} <= set(stepped)
    assert len(stepped) > 80
    other = {
        name: double[name]
        for name, (_, weight) in stepped.items()
        if "float64" not in double[name]
        or abs(float(double[name].split()[1]) - float(weight)) > 1e-4
    }
    assert other == {}
