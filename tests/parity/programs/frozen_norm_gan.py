"""Two nets in CycleGAN's manner; the discriminator's instance norms are made frozen."""

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


def norm(width: int) -> Any:
    """An instance norm whose scale and shift are not to be trained."""
    frozen = {"learning_rate": 0.0, "trainable": False}
    return nn.InstanceNorm2D(
        width,
        weight_attr=paddle.ParamAttr(initializer=nn.initializer.Constant(1.0), **frozen),
        bias_attr=paddle.ParamAttr(initializer=nn.initializer.Constant(0.0), **frozen),
    )


def generator() -> Any:
    """A tiny picture-to-picture net."""
    return nn.Sequential(
        nn.Conv2D(3, 8, 3, padding=1), norm(8), nn.ReLU(), nn.Conv2D(8, 3, 3, padding=1), nn.Tanh()
    )


def discriminator() -> Any:
    """A tiny patch discriminator."""
    return nn.Sequential(
        nn.Conv2D(3, 8, 4, stride=2, padding=1),
        nn.LeakyReLU(0.2),
        nn.Conv2D(8, 8, 3, padding=1),
        norm(8),
        nn.LeakyReLU(0.2),
        nn.Conv2D(8, 1, 3),
    )


def set_requires_grad(net: Any, value: bool) -> None:
    """Freeze or free all parameters: this frees the norms too, which were made frozen."""
    for parameter in net.parameters():
        parameter.trainable = value


def mean_square(prediction: Any, target: float) -> Any:
    return ((prediction - target) ** 2).mean()


make, judge = hooked(generator()), hooked(discriminator())
optimizer_g = paddle.optimizer.Adam(2e-4, parameters=make.parameters())
optimizer_d = paddle.optimizer.Adam(2e-4, parameters=judge.parameters())
loader = paddle.io.DataLoader(Pictures(), batch_size=2, shuffle=True)
for _epoch in range(2):
    for real, _ in loader:
        real.stop_gradient = False
        fake = make(real)
        optimizer_g.clear_grad()
        loss_g = mean_square(judge(fake), 1.0) + 10.0 * (fake - real).abs().mean()
        loss_g.backward()
        set_requires_grad(judge, False)
        optimizer_g.step()
        set_requires_grad(judge, True)
        optimizer_d.clear_grad()
        loss_d = 0.5 * (mean_square(judge(real), 1.0) + mean_square(judge(fake.detach()), 0.0))
        loss_d.backward()
        optimizer_d.step()
