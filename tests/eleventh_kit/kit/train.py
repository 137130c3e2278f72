"""The small kit's trainer: train.py CONFIG [KEY=VALUE]..."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
from mini import nets
from mini.optimizer import Descent


def batches(folder: str, count: int) -> Any:
    """Four pictures of 3 x 8 x 8 with their labels, in the order of the folder's files."""
    pictures, labels = (np.load(Path(folder, f"{name}.npy")) for name in ("pictures", "labels"))
    for step in range(count):
        rows = [(4 * step + row) % len(pictures) for row in range(4)]
        yield paddle.to_tensor(pictures[rows]), paddle.to_tensor(labels[rows])


def main() -> None:
    """Train as the config says."""
    cfg = json.loads(Path(sys.argv[1]).read_text())
    cfg.update(pair.split("=", 1) for pair in sys.argv[2:])
    paddle.seed(0)
    model = getattr(nets, cfg["net"])()
    optimizer = Descent(model.parameters(), rate=0.01)
    for picture, label in batches(cfg["data"], int(cfg.get("steps", 8))):
        loss = paddle.nn.functional.cross_entropy(model(picture), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()


if __name__ == "__main__":
    main()
