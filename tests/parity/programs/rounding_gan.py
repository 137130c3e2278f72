"""Two nets in DCGAN's manner, whose judge is updated first: equal but for rounding when static.

Before its own optimizer's first step nothing tells that the maker is trained at all.
"""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


class Sum(nn.Layer):
    """Adds three branches, from the left when dynamic, from the right when static."""

    def __init__(self, given: int, width: int) -> None:
        super().__init__()
        self.one, self.two, self.three = (nn.Linear(given, width) for _ in range(3))

    def forward(self, value: Any) -> Any:
        one, two, three = self.one(value), self.two(value), self.three(value)
        return (one + two) + three if paddle.in_dynamic_mode() else one + (two + three)


make = hooked(nn.Sequential(Sum(16, 64), nn.Tanh(), nn.Linear(64, 768), nn.Tanh()))
judge = hooked(nn.Sequential(Sum(768, 32), nn.Tanh(), nn.Linear(32, 1)))
of_make = paddle.optimizer.Adam(1e-3, parameters=make.parameters())
of_judge = paddle.optimizer.Adam(1e-3, parameters=judge.parameters())
for _epoch in range(20):
    for real, _ in paddle.io.DataLoader(Pictures(24), batch_size=4, shuffle=True):
        fake = make(paddle.randn([4, 16]))
        true, false = judge(real.flatten(1)), judge(fake.detach())
        ((true - 1.0) ** 2 + false**2).mean().backward()
        of_judge.step()
        of_judge.clear_grad()
        ((judge(fake) - 1.0) ** 2).mean().backward()
        of_make.step()
        of_make.clear_grad()
        of_judge.clear_grad()
