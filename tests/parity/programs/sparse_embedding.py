"""An embedding with sparse gradients: Paddle 2.6 loses them when the model is static."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Tokens, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Embedding, mean, two linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(50, 8, sparse=True)
        self.hidden = nn.Linear(8, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, rows: Any) -> Any:
        mean = self.table(rows).mean(axis=1)
        wide = nn.functional.relu(self.hidden(mean)) * 2.0 + 0.1
        wide = paddle.tanh(wide) + wide.exp().log1p() * 0.1
        return self.head(wide)


net = hooked(Net())
train(net, Tokens(), paddle.optimizer.Adam(0.01, parameters=net.parameters(), lazy_mode=True))
