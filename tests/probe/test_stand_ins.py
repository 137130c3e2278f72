"""Stand-ins for operators that a kit builds from CUDA sources, on real Paddle."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from codemod.experiments.probe.server import INSIDE
from codemod.kits.folder import ADAPTER, kit_file
from tests.parity.conftest import PADDLES, paddle_python

pytestmark = pytest.mark.slow

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("paddle", PADDLES)
@pytest.mark.parametrize(
    ("kit", "program"),
    [("Paddle3D", "stand_ins_agree.py"), ("PaddleDetection", "turned_boxes_agree.py")],
)
def test_they_give_what_numpy_gives(paddle: str, kit: str, program: str) -> None:
    adapter = kit_file(kit, ADAPTER)
    assert adapter is not None
    path = os.pathsep.join((str(INSIDE), str(adapter.parent)))
    ran = subprocess.run(
        [str(paddle_python(paddle)), str(PROGRAMS / program)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.strip().endswith("equal"), ran.stderr[-2000:]
