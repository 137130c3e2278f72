"""A Paddle is data: its row, the columns it brings, and the measured one that speaks for it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.base.files.data_folder import data_path
from codemod.hazards.measured import nearest

if TYPE_CHECKING:
    from pathlib import Path

ROW = """
  - version: 3.4.0
    builds: [cu126]
    image: "3.4.0"
    image_gpu: 3.4.0-gpu-cuda12.6-cudnn9.5
    measured: true
"""


def test_a_new_paddle_is_one_row_and_brings_its_columns(tmp_path: Path) -> None:
    known = data_path("paddles.yaml").read_text(encoding="utf-8")
    (tmp_path / "paddles.yaml").write_text(known.rstrip("\n") + ROW, encoding="utf-8")
    asked = (
        "from codemod.judging.evidence import fix_proofs; from codemod.reports.survey import rows;"
        "print(fix_proofs.PADDLES, rows.PADDLES)"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, "CODEMOD_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    columns = "('2.6.2', '3.3.1', '3.4.0')"
    assert done.stdout == f"{columns} {columns}\n"


@pytest.mark.parametrize(
    ("version", "speaks"),
    [("2.6.2", "2.6"), ("2.5.1", "2.6"), ("3.0.0", "3.3"), ("3.4", "3.3"), ("4.0.0", "3.3")],
)
def test_the_nearest_measured_paddle_speaks_for_a_version(version: str, speaks: str) -> None:
    assert nearest(version) == speaks
