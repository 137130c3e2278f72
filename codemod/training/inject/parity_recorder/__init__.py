"""The recorder that runs inside the kit's training process.

Only the standard library, NumPy and Paddle may be imported here, and Paddle only after the kit
imported it: some kits set flags first. Works on Python 3.8 to 3.13, Paddle 2.6 and 3.x.
"""

from __future__ import annotations

import json
import os
from typing import Any

from .importhook import after_import


class Config:
    """What the runner asks of one run; see `codemod/training/runner.py` for the sending side.

    `mode` is "dynamic", "ast" or "sot". `steps` counts optimizer steps. `values_at` lists the
    steps at which full gradients are written beside the record. `nudge` moves every weight by one
    ulp; `sides` feeds each batch once a side; `double` computes in float64; `legs` runs
    evaluation, export and checkpoint after the last step; `truth` is where a run in float32 keeps
    weights for one in float64; `light` leaves gradients out, for timing.
    `device` is where it was asked to run: "cpu" or "gpu:N".
    `optimizers` are further optimizer classes, `module:Class`, from the kit's recipe. Of `ranks`
    processes that train together each writes a record of its own; the first writes `out`.
    """

    def __init__(self, request: str) -> None:
        raw: dict[str, Any] = json.loads(request)
        self.ranks: int = int(os.environ.get("CODEMOD_RANKS", "1"))
        rank = int(os.environ.get("PADDLE_TRAINER_ID", "0")) if self.ranks > 1 else 0
        self.out: str = raw["out"] + (".rank{}".format(rank) if rank else "")
        self.mode: str = raw.get("mode", "dynamic")
        self.steps: int = int(raw.get("steps", 50))
        self.seed: int = int(raw.get("seed", 0))
        self.nudge: bool = bool(raw.get("nudge", False))
        self.sides: list[str] = [str(side) for side in raw.get("sides", [])]
        self.legs: bool = bool(raw.get("legs", False))
        self.double: bool = bool(raw.get("double", False))
        self.truth: str = str(raw.get("truth", ""))
        self.light: bool = bool(raw.get("light", False))
        self.values_at: list[int] = [int(step) for step in raw.get("values_at", [])]
        self.device: str = os.environ.get("CODEMOD_DEVICE", "")
        self.optimizers: list[str] = os.environ.get("CODEMOD_OPTIMIZERS", "").split()


def install(request: str) -> None:
    """Arrange for recording to begin as soon as the kit has imported Paddle.

    `request` is the JSON text of the configuration.
    """
    config = Config(request)

    def start(paddle: Any) -> None:
        from .session import Session

        Session(config, paddle).begin()

    after_import("paddle", start)
