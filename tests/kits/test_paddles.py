"""A Paddle is data: its row, the columns it brings, and the measured one that speaks for it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.base.files.data_folder import data_path
from codemod.hazards.measured import VERSIONS, nearest
from codemod.kits.paddles import measured, paddles

if TYPE_CHECKING:
    from pathlib import Path


def following(version: str) -> str:
    """The minor version after one: a Paddle without a row, whichever is the newest by now."""
    major, minor, _ = version.split(".")
    return f"{major}.{int(minor) + 1}.0"


NEXT = following(paddles().releases[-1].version)
ROW = f"""
  - version: {NEXT}
    builds: [cu126]
    image: "{NEXT}"
    image_gpu: {NEXT}-gpu-cuda12.6-cudnn9.5
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
    columns = (*measured(), NEXT)
    assert done.stdout == f"{columns} {columns}\n"


@pytest.mark.parametrize(
    ("version", "speaks"),
    [
        ("2.6.2", "2.6"),
        ("2.5.1", "2.6"),
        ("3.0.0", "3.3"),
        (NEXT, VERSIONS[-1]),
        ("9.0.0", VERSIONS[-1]),
    ],
)
def test_the_nearest_measured_paddle_speaks_for_a_version(version: str, speaks: str) -> None:
    assert nearest(version) == speaks
