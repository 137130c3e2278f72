"""A gradient of a gradient through a static net is lost: the penalty of a GAN trains nothing.

`paddle.grad(..., create_graph=True)` gives the right gradient, but what is differentiated from
there ends at the static net: weights get no gradient, silently; larger nets raise or hang. Such
penalties (R1, WGAN-GP, path length) are in SinGAN, StarGANv2, StyleGANv2 and GPEN of PaddleGAN.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


def outcome(full_graph):
    paddle.seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    x = paddle.ones([2, 3])
    x.stop_gradient = False
    slope = paddle.grad(net(x).sum(), x, create_graph=True)[0]
    (slope**2).sum().backward()
    grad = net[0].weight.grad
    return "none" if grad is None else f"{float(grad.abs().sum()):.6f}"


dynamic, ast, sot = outcome(None), outcome(True), outcome(False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
