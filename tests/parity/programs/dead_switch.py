"""A switch that is parsed and never read."""

from __future__ import annotations

import argparse

import paddle
from common import Pictures, train
from paddle import nn

parser = argparse.ArgumentParser()
parser.add_argument("--to-static", action="store_true")
arguments = parser.parse_args()
config = {"to_static": False}

net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 16 * 16, 16), nn.Tanh(), nn.Linear(16, 10))
if config["to_static"]:
    net = paddle.jit.to_static(net)
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
