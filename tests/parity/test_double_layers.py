"""Whatever layer trains in float32 trains in float64 where the recorder lets float64 stand for it."""

from __future__ import annotations

import json
import subprocess

import pytest

from codemod.training.runner import INJECT
from tests.parity.conftest import PADDLES, PROGRAMS, paddle_python


def types(paddle: str, *words: str) -> dict[str, str]:
    """The type of each layer's output, or its error."""
    argv = [str(paddle_python(paddle)), str(PROGRAMS / "double_layers.py"), str(INJECT), *words]
    said = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, str] = json.loads(said.stdout.splitlines()[-1])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_each_layer_that_trains_in_float32_trains_in_float64(paddle: str) -> None:
    single, double = types(paddle), types(paddle, "double")
    trained = [name for name, said in single.items() if said.endswith("float32")]
    assert {"Conv2D", "Dropout2D", "AlphaDropout", "BatchNorm2D", "LSTM"} <= set(trained)
    assert len(trained) > 60
    assert {name: double[name] for name in trained if not double[name].endswith("float64")} == {}
