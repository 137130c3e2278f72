"""Whatever layer or optimizer trains in float32 does in float64 where the recorder puts it instead."""

from __future__ import annotations

import json
import subprocess

import pytest

from codemod.training.runner import INJECT
from tests.parity.conftest import PADDLES, PROGRAMS, paddle_python


def printed(program: str, paddle: str, *words: str) -> dict[str, str]:
    """What a program says of each layer, or of each optimizer with its clip and decay."""
    argv = [str(paddle_python(paddle)), str(PROGRAMS / program), str(INJECT), *words]
    said = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, str] = json.loads(said.stdout.splitlines()[-1])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_each_layer_that_trains_in_float32_trains_in_float64(paddle: str) -> None:
    single, double = (printed("double_layers.py", paddle, *words) for words in ((), ("double",)))
    trained = [name for name, said in single.items() if said.endswith("float32")]
    assert {"Conv2D", "Dropout2D", "AlphaDropout", "BatchNorm2D", "LSTM"} <= set(trained)
    assert len(trained) > 60
    assert {name: double[name] for name in trained if not double[name].endswith("float64")} == {}


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_each_optimizer_and_clip_steps_in_float64(paddle: str) -> None:
    single, double = (
        printed("double_optimizers.py", paddle, *words) for words in ((), ("double",))
    )
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
