"""Small models known to train alike in all modes; `--model NAME` chooses one.

With `--fault NAME` the static run's gradient of that parameter is scaled by 1.001: a planted fault
of one in a thousand.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import paddle
from common import STATIC, Pictures, hooked, train
from paddle import nn

if TYPE_CHECKING:
    from collections.abc import Callable


class Residual(nn.Layer):
    """Two convolutions with batch norms and a way past them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.one, self.two = nn.Conv2D(width, width, 3, padding=1), nn.Conv2D(width, width, 1)
        self.norm = nn.BatchNorm2D(width)

    def forward(self, x: Any) -> Any:
        return x + nn.functional.relu(self.two(self.norm(nn.functional.relu(self.one(x)))))


class Recurrent(nn.Layer):
    """Reads the rows of a picture one after the other."""

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.cell, self.head = kind(48, 12), nn.Linear(12, 10)

    def forward(self, x: Any) -> Any:
        rows = x.transpose([0, 2, 1, 3]).reshape([-1, 16, 48])
        return self.head(self.cell(rows)[0][:, -1])


class Attention(nn.Layer):
    """One encoder layer over the rows of a picture."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.encoder = nn.TransformerEncoderLayer(48, 4, 32, dropout=dropout)
        self.head = nn.Linear(48, 10)

    def forward(self, x: Any) -> Any:
        rows = x.transpose([0, 2, 1, 3]).reshape([-1, 16, 48])
        return self.head(self.encoder(rows).mean(axis=1))


class Gated(nn.Layer):
    """A gate between two branches."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.right = nn.Linear(768, 16), nn.Linear(768, 16)
        self.head = nn.Linear(16, 10)

    def forward(self, x: Any) -> Any:
        flat = x.flatten(1)
        return self.head(self.left(flat) * nn.functional.sigmoid(self.right(flat)))


class Sliced(nn.Layer):
    """Convolutions with batch norms side by side, all but the first of them by a slice."""

    def __init__(self) -> None:
        super().__init__()
        parts = [nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4)) for _ in range(3)]
        self.parts, self.head = nn.LayerList(parts), nn.Linear(4 * 14 * 14, 10)

    def forward(self, x: Any) -> Any:
        y = self.parts[0](x)
        for part in self.parts[1:]:
            y = y + part(x)
        return self.head(nn.functional.relu(y).flatten(1))


class Whole(nn.Layer):
    """A sequence in a layer of our own: SOT leaves Paddle's own layers dynamic."""

    def __init__(self, *parts: Any) -> None:
        super().__init__()
        self.body = nn.Sequential(*parts)

    def forward(self, x: Any) -> Any:
        return self.body(x)


def head(width: int) -> tuple[Any, Any]:
    """From maps to ten classes."""
    return nn.Flatten(), nn.Linear(width, 10)


def norm_net(norm: Any) -> Any:
    """A convolution, a norm, a linear layer."""
    return Whole(nn.Conv2D(3, 8, 3), norm, nn.ReLU(), *head(8 * 14 * 14))


MODELS: dict[str, Callable[[], Any]] = {
    "linear": lambda: Whole(*head(768)),
    "mlp": lambda: Whole(nn.Flatten(), nn.Linear(768, 32), nn.Tanh(), nn.Linear(32, 10)),
    "mlp-gelu": lambda: Whole(nn.Flatten(), nn.Linear(768, 32), nn.GELU(), nn.Linear(32, 10)),
    "conv": lambda: Whole(nn.Conv2D(3, 8, 3), nn.ReLU(), *head(8 * 14 * 14)),
    "strided": lambda: Whole(nn.Conv2D(3, 8, 3, stride=2), nn.ReLU(), *head(8 * 7 * 7)),
    "depthwise": lambda: Whole(nn.Conv2D(3, 6, 3, groups=3), nn.Hardswish(), *head(6 * 14 * 14)),
    "transposed": lambda: Whole(nn.Conv2DTranspose(3, 4, 2), nn.ReLU(), *head(4 * 17 * 17)),
    "max-pool": lambda: Whole(nn.Conv2D(3, 8, 3), nn.MaxPool2D(2), *head(8 * 7 * 7)),
    "mean-pool": lambda: Whole(nn.Conv2D(3, 8, 3), nn.AdaptiveAvgPool2D(2), *head(8 * 4)),
    "batch-norm": lambda: norm_net(nn.BatchNorm2D(8)),
    "group-norm": lambda: norm_net(nn.GroupNorm(2, 8)),
    "instance-norm": lambda: norm_net(nn.InstanceNorm2D(8)),
    "layer-norm": lambda: Whole(nn.Flatten(), nn.LayerNorm(768), nn.Linear(768, 10)),
    "dropout": lambda: Whole(nn.Conv2D(3, 8, 3), nn.ReLU(), nn.Dropout(0.3), *head(8 * 14 * 14)),
    "residual": lambda: Whole(nn.Conv2D(3, 8, 3), Residual(8), *head(8 * 14 * 14)),
    "lstm": lambda: Recurrent(nn.LSTM),
    "gru": lambda: Recurrent(nn.GRU),
    "attention": lambda: Attention(0.0),
    "attention-dropout": lambda: Attention(0.1),
    "gated": Gated,
    "sliced": Sliced,
}


def main() -> None:
    """Train the chosen model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=sorted(MODELS), required=True)
    parser.add_argument("--fault", type=int, default=-1)
    parser.add_argument("--to-static", action="store_true")
    arguments = parser.parse_args()
    net = MODELS[arguments.model]()
    parameters = net.parameters()
    if arguments.fault >= 0 and STATIC:
        parameters[arguments.fault % len(parameters)].register_hook(lambda grad: grad * 1.001)
    optimizer = paddle.optimizer.Momentum(0.01, parameters=parameters)
    train(hooked(net), Pictures(), optimizer)


main()
