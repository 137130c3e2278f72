"""A training that takes its time, to be interrupted."""

from __future__ import annotations

import time

import paddle
from common import Pictures, hooked
from paddle import nn

net = hooked(nn.Sequential(nn.Flatten(), nn.Linear(768, 10)))
optimizer = paddle.optimizer.SGD(0.01, parameters=net.parameters())
for picture, label in paddle.io.DataLoader(Pictures(), batch_size=1):
    nn.functional.cross_entropy(net(picture), label).backward()
    optimizer.step()
    optimizer.clear_grad()
    time.sleep(0.3)
