"""The trainer of the first release, kept for its published results: train.py CONFIG."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import paddle
from mini import nets


def main() -> None:
    """Train as the config says."""
    cfg = json.loads(Path(sys.argv[1]).read_text())
    model = getattr(nets, cfg["net"])()
    optimizer = paddle.optimizer.SGD(0.01, parameters=model.parameters())
    for picture in np.load(Path(cfg["data"], "pictures.npy")):
        model(paddle.to_tensor(picture[None])).sum().backward()
        optimizer.step()
        optimizer.clear_grad()


if __name__ == "__main__":
    main()
