"""jit.save after training, jit.load, and the same outputs; `--out FILE` keeps both."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
import sys
import tempfile
from typing import Any

import numpy as np
import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """A batch norm and dropout, which compute other things when saved for evaluation."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8)
        self.drop, self.head = nn.Dropout(0.2), nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(self.drop(nn.functional.relu(self.norm(self.conv(picture)))).flatten(1))


net = hooked(Net())
train(net, Pictures(32), paddle.optimizer.Adam(0.001, parameters=net.parameters()), epochs=1)
net.eval()
picture = paddle.to_tensor(np.stack([Pictures()[index][0] for index in range(5)]))
with tempfile.TemporaryDirectory() as folder:
    spec = [paddle.static.InputSpec([None, 3, 16, 16], "float32")]
    paddle.jit.save(net, f"{folder}/model", input_spec=spec)
    loaded = paddle.jit.load(f"{folder}/model")
loaded.eval()
np.savez(
    sys.argv[sys.argv.index("--out") + 1],
    trained=net(picture).numpy(),
    loaded=loaded(picture).numpy(),
)
