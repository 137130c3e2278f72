"""The two nets of `bench/recorder.py`; run as a script inside a training environment."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
import paddle
from paddle import nn

WARMUP = 10


class Block(nn.Layer):
    """Two convolutions with norms and a way past them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.one, self.two = (nn.Conv2D(width, width, 3, padding=1) for _ in range(2))
        self.first, self.second = nn.BatchNorm2D(width), nn.BatchNorm2D(width)

    def forward(self, x: Any) -> Any:
        """N x width x H x W to the same."""
        inner = self.second(self.two(nn.functional.relu(self.first(self.one(x)))))
        return nn.functional.relu(x + inner)


class Ranker(nn.Layer):
    """A table of 20 000 rows, sparse gradients, and a tower of linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(20_000, 16, sparse=True)
        self.tower = nn.Sequential(
            nn.Linear(26 * 16, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)
        )

    def forward(self, rows: Any) -> Any:
        """N x 26 row numbers to N x 10."""
        return self.tower(self.table(rows).flatten(1))


def conv() -> tuple[Any, Any]:
    """A small residual net and one batch."""
    stem = nn.Conv2D(3, 32, 3, stride=2, padding=1)
    blocks = [Block(32) for _ in range(3)]
    head = (nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.Linear(32, 10))
    return nn.Sequential(stem, *blocks, *head), np.random.rand(8, 3, 64, 64).astype("float32")


def embedding() -> tuple[Any, Any]:
    """A ranking net and one batch of feature numbers."""
    return Ranker(), np.random.randint(0, 20_000, (512, 26)).astype("int64")


def clocks() -> tuple[float, float, float]:
    """Seconds of the wall clock, and of the processor in this thread and in the process."""
    return time.perf_counter(), time.thread_time(), time.process_time()


def main() -> None:
    """Train the named net and print the seconds of each step after warm-up, by three clocks."""
    net, batch = {"conv": conv, "embedding": embedding}[sys.argv[1]]()
    optimizer = paddle.optimizer.Adam(0.001, parameters=net.parameters(), lazy_mode=True)
    label = paddle.to_tensor(np.random.randint(0, 10, len(batch)).astype("int64"))
    inputs = paddle.to_tensor(batch)
    times = []
    for _ in range(int(sys.argv[2])):
        begun = clocks()
        loss = nn.functional.cross_entropy(net(inputs), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        loss.item()
        times.append([now - then for now, then in zip(clocks(), begun, strict=True)])
    print("TIMES " + json.dumps(times[WARMUP:]))


if __name__ == "__main__":
    main()
