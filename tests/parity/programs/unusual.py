"""What trainers do apart from the plain loop: see the test for what must be recorded."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


class Net(nn.Layer):
    """Two layers, one of them frozen, one parameter that no loss reaches."""

    def __init__(self) -> None:
        super().__init__()
        self.frozen = nn.Linear(768, 8)
        self.frozen.weight.stop_gradient = True
        self.unused = nn.Linear(2, 2)
        self.head = nn.Linear(8, 10)
        self.norm = nn.BatchNorm1D(8)

    def forward(self, picture: Any) -> Any:
        return self.head(self.norm(self.frozen(picture.flatten(1))))


class Scaled(paddle.optimizer.SGD):
    """A kit's own optimizer class, which overrides step."""

    def step(self) -> None:
        super().step()


first, second = Net(), hooked(Net())
one = Scaled(0.01, parameters=first.parameters())
two = paddle.optimizer.Adam(0.001, parameters=second.parameters())
scaler = paddle.amp.GradScaler(init_loss_scaling=8.0, enable=False)
loader = paddle.io.DataLoader(Pictures(), batch_size=4)
try:
    for picture, label in loader:
        loss = nn.functional.cross_entropy(first(picture), label)
        scaled = scaler.scale(loss)
        scaled.backward()
        scaler.step(one)
        scaler.update()
        one.clear_grad()
        # Called past __call__, as some kits do.
        other = nn.functional.cross_entropy(second.forward(picture), label)
        aside = 0.1 * (second.head.weight**2).sum()
        other.backward()
        aside.backward()
        two.minimize(other)
        two.clear_gradients()
except Exception:  # a trainer that survives everything must not survive the recorder's stop
    print("swallowed")
