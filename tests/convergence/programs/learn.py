"""Learns four clouds of points: `learn.py CONFIG --epochs=N --seed=S [--static]`.

The config `fault` makes one layer's gradient one in a hundred too large in the first ten updates,
only where training is static. The config `same` takes no notice of the seed.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import paddle
from paddle import nn

POINTS, EVALUATED, CLASSES, SIZE = 160, 80, 4, 8


class Clouds(paddle.io.Dataset):
    """Points about a centre for each class."""

    def __init__(self, first: int, count: int) -> None:
        super().__init__()
        centres = np.random.RandomState(0).randn(CLASSES, SIZE)
        random = np.random.RandomState(1 + first)
        self._labels = np.arange(count) % CLASSES
        points = centres[self._labels] + 0.7 * random.randn(count, SIZE)
        self._points = points.astype("float32")

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        return self._points[index], np.array(self._labels[index], dtype="int64")


class Net(nn.Layer):
    """Two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(SIZE, 32)
        self.last = nn.Linear(32, CLASSES)

    def forward(self, points: Any) -> Any:
        return self.last(paddle.tanh(self.first(points)))


def main() -> None:
    """Train, then say how many of the other points are known."""
    parser = argparse.ArgumentParser()
    parser.add_argument("config")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--static", action="store_true")
    asked = parser.parse_args()
    seed = 0 if asked.config == "same" else asked.seed
    paddle.seed(seed)
    np.random.seed(seed)
    net = Net()
    if asked.static:
        net = paddle.jit.to_static(net)
    optimizer = paddle.optimizer.Momentum(0.05, parameters=net.parameters())
    loader = paddle.io.DataLoader(Clouds(0, POINTS), batch_size=16, shuffle=True, num_workers=0)
    updates = 0
    for _ in range(asked.epochs):
        for points, labels in loader:
            loss = nn.functional.cross_entropy(net(points), labels)
            loss.backward()
            if asked.static and asked.config == "fault" and updates < 10:
                net.last.weight.grad.scale_(1.01)
            optimizer.step()
            optimizer.clear_grad()
            updates += 1
    net.eval()
    others = [Clouds(9, EVALUATED)[number] for number in range(EVALUATED)]
    points, labels = (paddle.to_tensor(np.stack([one[part] for one in others])) for part in (0, 1))
    known = (net(points).argmax(axis=1) == labels).astype("float32").mean()
    print("accuracy:", float(known))


if __name__ == "__main__":
    main()
