"""The hook wraps DataParallel instead of the model inside."""

from __future__ import annotations

import os

os.environ.setdefault("PADDLE_TRAINER_ID", "0")

import paddle
from common import Pictures, hooked, train
from paddle import nn

net = nn.Sequential(nn.Conv2D(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 14 * 14, 10))
net = hooked(paddle.DataParallel(net))
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
