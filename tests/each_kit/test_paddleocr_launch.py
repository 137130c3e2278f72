"""The trainer of PaddleOCR's test_tipc, with nothing to compile or fetch, on the device at hand."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from codemod.kits.folder import LAUNCH, kit_file

if TYPE_CHECKING:
    from pathlib import Path

# What Paddle has of each: a compiler, a download that is told by its checksum, a device.
PADDLE = {
    "__init__.py": "def get_device():\n    return 'cpu'\n",
    "dataset/__init__.py": "",
    "dataset/common.py": """\
def md5file(path):
    return "of " + path


def download(url, md5sum):
    if md5file(url) != md5sum:
        raise RuntimeError("Cannot download " + url)
    return url
""",
    "vision/__init__.py": "",
    "vision/datasets/__init__.py": "from .cifar import Cifar100\n",
    "vision/datasets/cifar.py": """\
from paddle.dataset.common import download

CIFAR100_MD5 = "eb90"


def Cifar100():
    return download("cifar-100-python.tar.gz", CIFAR100_MD5)
""",
    "utils/__init__.py": "",
    "utils/cpp_extension.py": """\
def load(name, sources):
    raise RuntimeError("nvcc is not found")
""",
}
LOADER = """\
from paddle.vision.datasets import Cifar100


def build_dataloader(mode, batch_size=4, seed=None, num_workers=0, device="gpu:0"):
    return mode, batch_size, Cifar100(), device
"""
SCRIPT = """\
import sys

from data_loader import build_dataloader
from paddle.utils.cpp_extension import load

load(name="custom", sources=["relu.cu"])
print(build_dataloader("train", batch_size=8), sys.argv, __name__)
"""


def test_nothing_is_compiled_or_fetched_and_the_device_is_there(tmp_path: Path) -> None:
    for name, content in PADDLE.items():
        file = tmp_path / "paddle" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (tmp_path / "data_loader.py").write_text(LOADER)
    (tmp_path / "train.py").write_text(SCRIPT)
    launch = kit_file("PaddleOCR", LAUNCH)
    assert launch
    words = [sys.executable, str(launch), "train.py", "-c", "a.yml"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == (
        "('train', 8, 'cifar-100-python.tar.gz', 'cpu') ['train.py', '-c', 'a.yml'] __main__\n"
    )
