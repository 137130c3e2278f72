"""The loader's thread and the training loop draw from one generator."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import random
from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


class Augmented(Pictures):
    """Pictures of random brightness."""

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        picture, label = super().__getitem__(index)
        return picture * random.random(), label


net = hooked(nn.Sequential(nn.Flatten(), nn.Linear(768, 10)))
optimizer = paddle.optimizer.SGD(0.01, parameters=net.parameters())
loader = paddle.io.DataLoader(Augmented(40), batch_size=4, shuffle=True, num_workers=0)
for _ in range(20):
    first = next(iter(loader))  # An iterator that is dropped.
    for picture, label in loader:
        # A step that compiles first would leave the loader time to draw for later batches.
        loss = nn.functional.cross_entropy(net(picture), label) * random.random()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
