"""What Paddle does on a CPU where float16 or bfloat16 is asked for, as a JSON line each."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import numpy as np
import paddle

STEPS = 3


class Net(paddle.nn.Layer):  # type: ignore[misc, unused-ignore]
    """A convolution, a norm, an activation and a product, as most nets hold them."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = paddle.nn.Conv2D(3, 4, 3)
        self.norm = paddle.nn.BatchNorm2D(4)
        self.head = paddle.nn.Linear(4 * 6 * 6, 2)

    def forward(self, x: Any) -> Any:
        return self.head(paddle.nn.functional.relu(self.norm(self.conv(x))).flatten(1))


def hooked(net: Any, mode: str) -> Any:
    return net if mode == "dynamic" else paddle.jit.to_static(net, full_graph=mode == "ast")


def batch(number: int) -> Any:
    return paddle.to_tensor(np.random.RandomState(number).rand(2, 3, 8, 8).astype("float32"))


def train(level: str, kind: str, mode: str) -> dict[str, Any]:
    """Three steps under auto_cast with a scaled loss, as kits write them."""
    paddle.seed(0)
    net = Net()
    optimizer = paddle.optimizer.Momentum(0.1, parameters=net.parameters())
    if level == "O2":
        net, optimizer = paddle.amp.decorate(net, optimizer, level=level, dtype=kind)
    scaler = paddle.amp.GradScaler(init_loss_scaling=1024.0)
    forward, losses, scaled, types = hooked(net, mode), [], [], set()
    for number in range(STEPS):
        with paddle.amp.auto_cast(level=level, dtype=kind):
            out = forward(batch(number))
            loss = out.astype("float32").square().mean()
        big = scaler.scale(loss)
        big.backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.clear_grad()
        types |= {str(tensor.dtype).split(".")[-1] for tensor in (out, *net.parameters())}
        losses.append(float(loss))
        scaled.append(float(big))
    return {"losses": losses, "scaled": scaled, "types": sorted(types)}


def by_hand(kind: str) -> dict[str, Any]:
    """Weights and input of that type, without auto_cast."""
    net = Net()
    net.to(dtype=kind)
    try:
        net(batch(0).astype(kind))
    except RuntimeError as error:
        return {"error": " ".join(str(error).split())}
    return {"error": ""}


def main(mode: str) -> None:
    for kind in ("bfloat16", "float16"):
        print(json.dumps({"hand": kind, **by_hand(kind)}))
        for level in ("O1", "O2"):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = train(level, kind, mode)
            said = sorted({str(one.message) for one in caught if "effect" in str(one.message)})
            print(json.dumps({"level": level, **found, "said": said}))


if __name__ == "__main__":
    main(sys.argv[1])
