"""The small kit's trainer: train.py CONFIG [KEY=VALUE]..."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
from mini import nets  # type: ignore[import-not-found]
from mini.optimizer import Descent  # type: ignore[import-not-found]


def batches(count: int) -> Any:
    """Pictures of 3 x 8 x 8 with labels, the same in every run."""
    for index in range(count):
        random = np.random.RandomState(index)
        picture = random.rand(4, 3, 8, 8).astype("float32")
        yield paddle.to_tensor(picture), paddle.to_tensor(random.randint(0, 5, 4))


def main() -> None:
    """Train as the config says."""
    cfg = json.loads(Path(sys.argv[1]).read_text())
    cfg.update(pair.split("=", 1) for pair in sys.argv[2:])
    paddle.seed(0)
    model = getattr(nets, cfg["net"])()
    optimizer = Descent(model.parameters(), rate=0.01)
    for picture, label in batches(int(cfg.get("steps", 8))):
        loss = paddle.nn.functional.cross_entropy(model(picture), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()


if __name__ == "__main__":
    main()
