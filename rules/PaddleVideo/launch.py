"""Run the kit's main.py, or a script of MA-Net, on a device that it has no option for.

`python launch.py DEVICE [ARGUMENT ...]` in the folder of main.py. The trainer asks for the device
"gpu" by name; it gets DEVICE, `cpu` or `gpu`.

`python launch.py DEVICE SCRIPT --seed NUMBER [ARGUMENT ...]` in the folder of SCRIPT, which has no
option for the seed either, moves tensors to a GPU, imports davisinteractive (davis.py) and reads
its data in eight processes: here it reads them itself, so that a seed says what it draws.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import random
import runpy
import sys
from typing import Any


def alone(arguments: list[str]) -> list[str]:
    """Seed all generators and let loaders have no processes; what is left are the script's own."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--seed", type=int, required=True)
    asked, others = parser.parse_known_args(arguments)
    paddle: Any = importlib.import_module("paddle")
    random.seed(asked.seed)
    importlib.import_module("numpy").random.seed(asked.seed)
    paddle.seed(asked.seed)
    loader = importlib.import_module("paddle.io").DataLoader
    made = loader.__init__
    loader.__init__ = lambda self, *given, **named: made(
        self, *given, **{**named, "num_workers": 0}
    )
    return others


def main(device: str, arguments: list[str]) -> None:
    """Put the device in the place of the one that the trainer names, and start the trainer."""
    davis: Any = importlib.import_module("davis")
    sys.path[0] = os.getcwd()
    # Python 3.11 dropped it, and the kit then takes getfullargspec. The old one refuses the
    # annotations that the optimizers of Paddle 3 have.
    vars(inspect).pop("getargspec", None)
    paddle: Any = importlib.import_module("paddle")
    place = paddle.set_device
    paddle.set_device = lambda name: place(device)
    script = "main.py"
    if arguments and arguments[0].endswith(".py"):
        script = arguments[0]
        paddle.device.set_device = paddle.set_device
        if device == "cpu":
            paddle.Tensor.cuda = lambda tensor, *_given, **_named: tensor
        davis.hold()
        arguments = alone(arguments[1:])
    sys.argv = [script, *arguments]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
