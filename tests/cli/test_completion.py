"""What the shell offers after TAB, asked as a shell asks."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


def offered(cwd: Path, line: str) -> list[str]:
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-m", "codemod"],
        cwd=cwd,
        env={
            **os.environ,
            "_CODEMOD_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for row in done.stdout.splitlines() if (name := row.partition(",")[2])]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("codemod app", ["apply"]),
        ("codemod apply paddlec", ["PaddleClas"]),
        ("codemod apply PaddleClas --trainer e", ["engine", "ema"]),
        ("codemod check PaddleOCR --ignore hook-on", ["hook-on-wrapper"]),
        ("codemod rules show paddler", ["PaddleRec"]),
    ],
)
def test_what_is_offered(tmp_path: Path, line: str, wanted: list[str]) -> None:
    assert offered(tmp_path, line) == wanted


def test_configs_come_from_the_checkout(tmp_path: Path) -> None:
    (tmp_path / "ocr" / "configs" / "det").mkdir(parents=True)
    (tmp_path / "ocr" / "configs" / "det" / "db.yml").write_text("a: 1\n")
    line = "codemod parity PaddleOCR --path ocr -c configs/d"
    assert offered(tmp_path, line) == ["configs/det/db.yml"]
    assert offered(tmp_path, "codemod parity PaddleOCR -c configs/d") == []
