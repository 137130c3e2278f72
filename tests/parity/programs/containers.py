"""Forward counts its calls in a dict and in a NumPy scalar: a static graph counts once."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
import sys
from typing import Any

import numpy as np
import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Two layers and what they have seen."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Linear(768, 8), nn.Linear(8, 10)
        self.stats, self.seen = {"calls": 0}, np.int64(0)

    def forward(self, picture: Any) -> Any:
        if "numpy" in sys.argv:
            self.seen = self.seen + np.int64(1)
        else:
            self.stats["calls"] += 1
        return self.head(nn.functional.relu(self.body(picture.flatten(1))))


net = hooked(Net())
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
