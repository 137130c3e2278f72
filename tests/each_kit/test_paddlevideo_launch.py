"""PaddleVideo's trainer on the device that was asked for, whatever device it names."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from codemod.kits.folder import LAUNCH, kit_file

if TYPE_CHECKING:
    from pathlib import Path

PADDLE = "def set_device(name):\n    print('on', name)\n"
MAIN = """
import inspect, sys
import paddle, near
paddle.set_device("gpu")
print(sys.argv, near.NAME, hasattr(inspect, "getargspec"), __name__)
"""


def test_the_trainer_is_started_on_the_wanted_device(tmp_path: Path) -> None:
    (tmp_path / "paddle.py").write_text(PADDLE)
    (tmp_path / "near.py").write_text("NAME = 'near'\n")
    (tmp_path / "main.py").write_text(MAIN)
    launch = kit_file("PaddleVideo", LAUNCH)
    assert launch
    words = [sys.executable, str(launch), "cpu", "-c", "a.yaml"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "on cpu\n['main.py', '-c', 'a.yaml'] near False __main__\n"
