"""Run test_tipc/supplementary/train.py where nothing is compiled or fetched.

`python launch.py SCRIPT [ARGUMENT ...]` in the script's folder. Its loaders name a GPU, its model
builds an operator from CUDA sources that no option here asks for, and its set is the one in the
home of the user, told by the checksum of what Paddle fetches.
"""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path
from typing import Any


def main(script: str, arguments: list[str]) -> None:
    """Put these three in their place, then run the script as Python would."""
    sys.path[0] = str(Path(script).resolve().parent)
    paddle: Any = importlib.import_module("paddle")
    cifar: Any = importlib.import_module("paddle.vision.datasets.cifar")
    fetched: Any = importlib.import_module("paddle.dataset.common")
    fetched.md5file = lambda _path: cifar.CIFAR100_MD5
    compiled: Any = importlib.import_module("paddle.utils.cpp_extension")
    compiled.load = lambda **_sources: None
    build: Any = importlib.import_module("data_loader").build_dataloader
    build.__defaults__ = (*build.__defaults__[:-1], paddle.get_device())
    sys.argv = [script, *arguments]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
