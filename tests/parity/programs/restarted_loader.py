"""A trainer that starts its loader anew where it hears that it is at its end, by the exception."""

from __future__ import annotations

import paddle
from common import Pictures, hooked
from paddle import nn

net = hooked(nn.Sequential(nn.Flatten(), nn.Linear(768, 16), nn.Tanh(), nn.Linear(16, 10)))
optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
loader = paddle.io.DataLoader(Pictures(20), batch_size=4)
batches = iter(loader)
for _ in range(1000):
    try:
        picture, label = next(batches)
    except StopIteration:
        # Here the exception still holds the loader that has ended.
        batches = iter(loader)
        picture, label = next(batches)
    loss = nn.functional.cross_entropy(net(picture), label)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
