"""PaddleVideo's trainers on the device that was asked for, whatever device they name."""

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


STAGE = """
import sys
import numpy, paddle
from paddle.io import DataLoader
from davisinteractive.utils.operations import bresenham
from davisinteractive.utils.scribbles import annotated_frames, scribbles2mask
import davisinteractive.robot.interactive_robot as interactive_robot

paddle.device.set_device("gpu:0")
print(sys.argv, DataLoader("data", num_workers=8).options, paddle.Tensor().cuda(0) is not None)
line = {"path": [[0, 0], [1, 1]], "object_id": 2}
drawn = {"scribbles": [[], [line]]}
masks = scribbles2mask(drawn, (3, 4))
print(annotated_frames(drawn), masks.shape, masks[0].max(), masks[1].tolist())
robot = interactive_robot.InteractiveScribblesRobot()
for unheld in (robot.interact, bresenham):
    try:
        unheld("video")
    except RuntimeError as error:
        print(error)
"""
WHOLE = """
class Tensor:
    def cuda(self, card):
        raise ValueError("No available device found.")


def set_device(name):
    print("on", name)


def seed(number):
    print("seed", number)
"""
LOADER = """
class DataLoader:
    def __init__(self, dataset, **options):
        self.options = options
"""


def test_a_script_of_manet_is_seeded_and_finds_its_scribbles(tmp_path: Path) -> None:
    (tmp_path / "paddle").mkdir()
    (tmp_path / "paddle" / "__init__.py").write_text(WHOLE + "\n\nfrom paddle import device\n")
    (tmp_path / "paddle" / "device.py").write_text("def set_device(name):\n    raise ValueError\n")
    (tmp_path / "paddle" / "io.py").write_text(LOADER)
    (tmp_path / "train_stage1.py").write_text(STAGE)
    launch = kit_file("PaddleVideo", LAUNCH)
    assert launch
    words = [sys.executable, str(launch), "cpu", "train_stage1.py", "--seed", "7", "--KNNS", "1"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "seed 7",
        "on cpu",
        "['train_stage1.py', '--KNNS', '1'] {'num_workers': 0} True",
        "[1] (2, 3, 4) -1 [[2, -1, -1, -1], [-1, 2, 2, -1], [-1, -1, -1, 2]]",
        "No davisinteractive here: nothing draws scribbles between rounds.",
        "No davisinteractive here: only its scribbles are.",
    ]
