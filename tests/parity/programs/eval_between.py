"""Evaluation between steps, a checkpoint that training resumes from, and jit.save at the end."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import paddle
from common import STATIC, Pictures, hooked
from paddle import nn


class Net(nn.Layer):
    """A convolution, a batch norm and dropout: all behave differently in evaluation."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8)
        self.drop, self.head = nn.Dropout(0.2), nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(self.drop(nn.functional.relu(self.norm(self.conv(picture)))).flatten(1))


def step(net: Any, optimizer: Any, batch: Any) -> None:
    loss = nn.functional.cross_entropy(net(batch[0]), batch[1])
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()


def check_saved(net: Any, picture: Any, folder: str) -> None:
    """What is saved after static training must compute what the layer computes."""
    net.eval()
    expected = net(picture).numpy()
    spec = [paddle.static.InputSpec([None, 3, 16, 16], "float32")]
    paddle.jit.save(net, f"{folder}/model", input_spec=spec)
    loaded = paddle.jit.load(f"{folder}/model")
    loaded.eval()
    np.testing.assert_allclose(loaded(picture).numpy(), expected, rtol=1e-5, atol=1e-6)
    Path(folder, "equal").touch()
    print("saved model equal:", bool(STATIC))


net = hooked(Net())
optimizer = paddle.optimizer.Adam(0.001, parameters=net.parameters())
batches = list(paddle.io.DataLoader(Pictures(48), batch_size=4))
with tempfile.TemporaryDirectory() as folder:
    for number, batch in enumerate(batches[:6]):
        step(net, optimizer, batch)
        if number % 2:
            net.eval()
            with paddle.no_grad():
                net(batch[0][:3])
            net.train()
    paddle.save(net.state_dict(), f"{folder}/weights.pdparams")
    paddle.save(optimizer.state_dict(), f"{folder}/weights.pdopt")
    net.set_state_dict(paddle.load(f"{folder}/weights.pdparams"))
    optimizer.set_state_dict(paddle.load(f"{folder}/weights.pdopt"))
    for batch in batches[6:]:
        step(net, optimizer, batch)
    check_saved(net, batches[0][0], folder)
