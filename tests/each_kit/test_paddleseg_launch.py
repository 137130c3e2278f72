"""Scripts of PaddleSeg's contrib/ that read a Config of before 2.8, with what today's builder makes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from codemod.kits.folder import LAUNCH, kit_file

if TYPE_CHECKING:
    from pathlib import Path

PADDLE = """\
def set_device(name):
    print("on", name)


def seed(number):
    print("seed", number)
"""
NUMPY = """\
from types import SimpleNamespace

random = SimpleNamespace(seed=lambda number: None)
"""
CVLIBS = """\
from types import SimpleNamespace

manager = SimpleNamespace(DATASETS=SimpleNamespace(components_dict={}))


class Config:
    def __init__(self, path, opts=None, iters=None):
        self.dic = dict(pair.split("=") for pair in opts)
        self.path, self.iters = path, iters


class SegBuilder:
    def __init__(self, config):
        self.model = "model of " + config.path
        self.optimizer, self.loss = "optimizer", {"types": []}
        self.train_dataset = [{"img": 1, "label": 2, "more": 3}, (4, 5)]
"""
SCRIPT = """\
import argparse

import paddle
from near import NAME
from paddleseg.cvlibs import Config, manager


class Own:
    IMG_CHANNELS = 4


manager.DATASETS.components_dict["Own"] = Own
parser = argparse.ArgumentParser()
parser.add_argument("--config")
parser.add_argument("--iters", type=int)
args = parser.parse_args()
paddle.set_device("gpu")
cfg = Config(args.config, iters=args.iters)
print(cfg.model, cfg.optimizer, cfg.loss, cfg.iters, cfg.dic, NAME)
print([cfg.train_dataset[at] for at in range(len(cfg.train_dataset))])
print(Own.IMG_CHANNELS, Own.IGNORE_INDEX)
"""


def test_a_script_gets_the_config_and_the_options_that_it_lacks(tmp_path: Path) -> None:
    files = {
        "paddle.py": PADDLE,
        "numpy.py": NUMPY,
        "paddleseg/__init__.py": "",
        "paddleseg/cvlibs.py": CVLIBS,
        "contrib/Lane/train.py": SCRIPT,
        "contrib/Lane/near.py": "NAME = 'near'\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    launch = kit_file("PaddleSeg", LAUNCH)
    assert launch
    words = [sys.executable, str(launch), "contrib/Lane/train.py", "--config", "a.yml"]
    words += ["--device", "cpu", "--seed", "7", "--iters", "9", "--opts", "a=1", "b=2"]
    done = subprocess.run(
        words,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert done.stdout.splitlines() == [
        "seed 7",
        "on cpu",
        "model of a.yml optimizer {'types': []} 9 {'a': '1', 'b': '2'} near",
        "[(1, 2), (4, 5)]",
        "4 255",
    ]
