"""Mixed precision on a CPU is float32 in every mode: what docs/parity.md says of it, held."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.parity.conftest import PADDLES, PROGRAMS, paddle_python

MODES = ("dynamic", "ast", "sot")


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_mixed_precision_has_no_effect_on_a_cpu(paddle: str) -> None:
    lines = []
    for mode in MODES:
        words = [str(paddle_python(paddle)), str(PROGRAMS / "cpu_precision.py"), mode]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        lines += [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]
    trained = [line for line in lines if "level" in line]
    assert len(trained) == 4 * len(MODES)
    for line in trained:
        assert line["types"] == ["float32"]
        assert line["scaled"] == line["losses"] == trained[0]["losses"], (
            "no scaling, equal to the bit"
        )
        assert [word.split()[0] for word in line["said"]] == ["AmpScaler", "amp_guard"]
        assert all("current place is Place(cpu), so it makes no effect." in w for w in line["said"])
    for line in (line for line in lines if "hand" in line):
        key = f"kernel with key (CPU, Undefined(AnyLayout), {line['hand']}) of kernel `conv2d`"
        assert f"The {key} is not registered." in line["error"]
