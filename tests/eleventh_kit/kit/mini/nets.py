"""The nets that configs name."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
from typing import Any

from paddle import nn


class Plain(nn.Layer):
    """A convolution and a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Conv2D(3, 4, 3), nn.Linear(4, 5)

    def forward(self, picture: Any) -> Any:
        return self.head(self.body(picture).mean([2, 3]))


class Printing(Plain):
    """The same, and it reads a list out of a tensor, which AST cannot trace."""

    def forward(self, picture: Any) -> Any:
        features = self.body(picture).mean([2, 3])
        if features.tolist()[0][0] > 1e9:
            print("large")
        return self.head(features)
