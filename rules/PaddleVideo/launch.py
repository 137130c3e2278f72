"""Run the kit's main.py on a device that it has no option for.

`python launch.py DEVICE [ARGUMENT ...]` in the kit's root. The trainer asks for the device "gpu" by
name; it gets DEVICE, `cpu` or `gpu`.
"""

from __future__ import annotations

import importlib
import inspect
import os
import runpy
import sys
from typing import Any


def main(device: str, arguments: list[str]) -> None:
    """Put the device in the place of the one that the trainer names, and start the trainer."""
    sys.path[0] = os.getcwd()
    # Python 3.11 dropped it, and the kit then takes getfullargspec. The old one refuses the
    # annotations that the optimizers of Paddle 3 have.
    vars(inspect).pop("getargspec", None)
    paddle: Any = importlib.import_module("paddle")
    place = paddle.set_device
    paddle.set_device = lambda name: place(device)
    sys.argv = ["main.py", *arguments]
    runpy.run_path("main.py", run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
