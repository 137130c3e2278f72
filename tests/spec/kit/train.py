"""A small training program: batches of several shapes, an evaluation, inputs of several forms."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
import functools
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
from paddle import nn
from paddle.static import InputSpec

CONFIG = json.loads(Path(sys.argv[1]).read_text())
CONFIG.update(pair.split("=", 1) for pair in sys.argv[2:])


class Rows(paddle.io.Dataset):
    """Rows whose length is a batch's own: every second batch is longer."""

    def __init__(self, broken: bool = False, size: int = 0) -> None:
        super().__init__()
        self.broken, self.size = broken, size

    def __len__(self) -> int:
        return 40

    def __getitem__(self, index: int) -> tuple[Any, Any, Any]:
        if self.broken:
            raise KeyError("image")
        random = np.random.RandomState(index)
        size = self.size or (8 if index // 4 % 2 else 12)
        picture = random.rand(3, size, size).astype("float32")
        tokens = random.randint(0, 20, size).astype("int64")
        return picture, tokens, np.array(index % 5, dtype="int64")


class Adapting(type(nn.Layer)):
    """A metaclass that puts a function of its own around a new forward, as paddlenlp's does."""

    def __setattr__(cls, name: str, value: Any) -> None:
        def adapted(*args: Any, **kwargs: Any) -> Any:
            return value(*args, **kwargs)

        super().__setattr__(name, functools.wraps(value)(adapted) if name == "forward" else value)


class Picture(nn.Layer, metaclass=Adapting):
    """One tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Conv2D(3, 4, 3), nn.Linear(4, 5)

    def forward(self, picture: Any) -> Any:
        return self.head(self.body(picture).mean([2, 3]))


class Dictionary(Picture):
    """A dictionary with a list in it, and a number that changes by the step."""

    def forward(self, inputs: Any) -> Any:
        scale = inputs["parts"][1].astype("float32").mean()
        return self.head(self.body(inputs["parts"][0]).mean([2, 3])) * scale


class Upward(nn.Layer):
    """A convolution back to the picture's size, which Paddle 2.6 traces for fixed sizes alone."""

    def __init__(self) -> None:
        super().__init__()
        self.down, self.up = nn.Conv2D(3, 4, 3, 2, 1), nn.Conv2DTranspose(4, 5, 3, 2, 1)

    def forward(self, picture: Any) -> Any:
        size = paddle.shape(picture)
        return self.up(self.down(picture), output_size=size[2:]).mean([2, 3])


class Listing(Picture):
    """A list of tensors."""

    def forward(self, parts: Any) -> Any:
        scale = parts[1].astype("float32").mean() if len(parts) > 1 else 1.0
        return self.head(self.body(parts[0]).mean([2, 3])) * scale


class Placeholder(nn.Layer):
    """A None between tensors, and a text behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.head = nn.Embedding(20, 8), nn.Linear(8, 5)

    def forward(self, tokens: Any, mask: Any = None, weights: Any = None, mode: str = "a") -> Any:
        found = self.table(tokens) * weights.unsqueeze(-1)
        return self.head(found.mean(1) if mask is None else (found * mask).mean(1))


def fed(net: Any, picture: Any, tokens: Any, step: int) -> Any:
    """The net's output for a batch, in the form that it takes."""
    if isinstance(net, Dictionary):
        return net({"parts": [picture, tokens], "step": step if CONFIG.get("counts") else 0})
    if isinstance(net, Listing):
        alone = CONFIG.get("alone") and not net.training
        return net([picture] if alone else [picture, tokens])
    if isinstance(net, Placeholder):
        weights = paddle.ones(tokens.shape, "float32")
        return net(tokens, weights=weights, mode="train" if net.training else "valid")
    return net(picture)


def own_spec(form: str) -> Any:
    """The spec as the official guide lets it be written."""
    direct = InputSpec([None, 3, None, None], "float32")
    rows = InputSpec([None, None], "int64")
    weights = InputSpec([None, None], "float32")
    forms = {
        "none": None,
        "direct": [direct],
        "numpy": [InputSpec.from_numpy(np.zeros((4, 3, 12, 12), "float32"))],
        "tensor": [InputSpec.from_tensor(paddle.zeros([4, 3, 12, 12]))],
        "example": [paddle.zeros([4, 3, 12, 12])],
        "list": [[direct, rows]],
        "tuple": [(direct, rows)],
        "dict": [{"parts": [direct, rows]}],
        "flat": [direct, rows],
        "placeholder": [rows, None, weights],
        "text": [rows, None, weights, "train"],
    }
    return forms[form]


# The specs of some configs, by name.
SPECS: dict[str, Any] = {
    "dict": [
        {
            "parts": [
                InputSpec([None, 3, None, None], "float32"),
                InputSpec([None, None], "int64"),
            ]
        }
    ],
}


def hooked_by_table(net: Any) -> Any:
    """The net with the spec that the table has for the config."""
    spec = SPECS.get(Path(sys.argv[1]).stem)
    return paddle.jit.to_static(net, input_spec=spec)


def main() -> None:
    """Train a few epochs, evaluating after each."""
    nets = {"picture": Picture, "dict": Dictionary, "list": Listing, "placeholder": Placeholder}
    net: Any = Upward() if CONFIG.get("upward") else nets[CONFIG["net"]]()
    if str(CONFIG.get("to_static", "")).lower() == "true":
        spec = own_spec(CONFIG["spec"])
        if CONFIG.get("table"):
            net = hooked_by_table(net)
        elif spec is None:
            net = paddle.jit.to_static(net)
        else:
            net = paddle.jit.to_static(net, input_spec=spec)
    optimizer = paddle.optimizer.SGD(0.01, parameters=net.parameters())
    size = int(CONFIG.get("upward", 0))
    rows, unseen = Rows(size=size), Rows(broken=bool(CONFIG.get("broken")), size=size and 16)
    step = 0
    for _ in range(8):
        net.train()
        for picture, tokens, label in paddle.io.DataLoader(rows, batch_size=4):
            if CONFIG.get("same") and len(label) != 4:
                raise ValueError("this loss holds batches of one size alone")
            nn.functional.cross_entropy(fed(net, picture, tokens, step), label).backward()
            optimizer.step()
            optimizer.clear_grad()
            step += 1
        if CONFIG.get("evaluates"):
            net.eval()
            with paddle.no_grad():
                for picture, tokens, _ in paddle.io.DataLoader(unseen, batch_size=2):
                    fed(net, picture, tokens, step)


main()
