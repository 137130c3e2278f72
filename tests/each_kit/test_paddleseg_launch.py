"""Scripts of PaddleSeg that lack something to be started, a Config of before 2.8 above all."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

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


def launched(folder: Path, files: dict[str, str], script: str, *words: str) -> list[str]:
    """The lines that the script prints when it is launched in a folder of these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    launch = kit_file("PaddleSeg", LAUNCH)
    assert launch
    done = subprocess.run(
        [sys.executable, str(launch), script, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(folder)},
    )
    return done.stdout.splitlines()


def test_a_script_gets_the_config_and_the_options_that_it_lacks(tmp_path: Path) -> None:
    files = {
        "paddle.py": PADDLE,
        "numpy.py": NUMPY,
        "paddleseg/__init__.py": "",
        "paddleseg/cvlibs.py": CVLIBS,
        "contrib/Lane/train.py": SCRIPT,
        "contrib/Lane/near.py": "NAME = 'near'\n",
    }
    words = ["--config", "a.yml", "--device", "cpu", "--seed", "7", "--iters", "9"]
    printed = launched(tmp_path, files, "contrib/Lane/train.py", *words, "--opts", "a=1", "b=2")
    assert printed == [
        "seed 7",
        "on cpu",
        "model of a.yml optimizer {'types': []} 9 {'a': '1', 'b': '2'} near",
        "[(1, 2), (4, 5)]",
        "4 255",
    ]


def test_a_script_for_the_trainer_of_today_gets_whole_samples(tmp_path: Path) -> None:
    files = {
        "paddle.py": PADDLE,
        "numpy.py": NUMPY,
        "paddleseg/__init__.py": "",
        "paddleseg/cvlibs.py": CVLIBS,
        # It has --opts of its own, which it is not given, and hands what it has to the Config.
        "contrib/RSSegBenchmark/train.py": (
            "from paddleseg.cvlibs import Config\n"
            "cfg = Config('a.yml', opts=None)\n"
            "print(cfg.dic, cfg.train_dataset[0])\n"
        ),
    }
    printed = launched(tmp_path, files, "contrib/RSSegBenchmark/train.py", "--opts", "a=1")
    assert printed[1:] == ["{'a': '1'} {'img': 1, 'label': 2, 'more': 3}"]


def test_paddles_collate_is_found_where_it_was(tmp_path: Path) -> None:
    files = {
        "paddle/__init__.py": "",
        "paddle/io/__init__.py": "",
        "paddle/io/dataloader/__init__.py": "",
        "paddle/io/dataloader/collate.py": "default_collate_fn = 'collate'\n",
        "contrib/CrossPseudoSupervision/train.py": (
            "import sys\nfrom paddle.fluid.dataloader.collate import default_collate_fn\n"
            "print(default_collate_fn, sys.argv[1:])\n"
        ),
    }
    printed = launched(
        tmp_path, files, "contrib/CrossPseudoSupervision/train.py", "--seed", "7", "--opts", "a=1"
    )
    assert printed == ["collate ['--seed', '7', '--opts', 'a=1']"]


@pytest.mark.parametrize(
    "script", ["contrib/QualityInspector/tools/uad/stfpm/train.py", "tools/train.py"]
)
def test_a_teacher_keeps_the_weights_that_it_was_made_with(tmp_path: Path, script: str) -> None:
    resnet = (
        "def _resnet(arch, block, depth, pretrained, **given):\n"
        "    return arch, block, depth, pretrained, given\n\n\n"
        "def resnet18(pretrained=False, **given):\n"
        "    return _resnet('resnet18', 'Basic', 18, pretrained, **given)\n"
    )
    files = {
        "paddle/__init__.py": "",
        "paddle/nn.py": "BatchNorm2D, SyncBatchNorm = 'one', 'many'\n",
        "paddle/vision/__init__.py": "",
        "paddle/vision/models/__init__.py": "",
        "paddle/vision/models/resnet.py": resnet,
        script: (
            "import sys\nfrom paddle.vision.models.resnet import resnet18\n"
            "from paddle.nn import SyncBatchNorm\n"
            "print(resnet18(pretrained=True, with_pool=False), sys.argv[1:], SyncBatchNorm)\n"
        ),
    }
    made = "('resnet18', 'Basic', 18, False, {'with_pool': False})"
    for device in ("cpu", "gpu"):
        norm = "one" if script == "tools/train.py" and device == "cpu" else "many"
        printed = launched(tmp_path, files, script, "--device", device)
        assert printed == [f"{made} ['--device', '{device}'] {norm}"]
