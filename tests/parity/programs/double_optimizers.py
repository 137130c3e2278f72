"""Each optimizer of Paddle with each gradient clip and weight decay: the type of the weights that it leaves.

usage: double_optimizers.py FOLDER_OF_THE_RECORDER [double]

Prints a JSON object: the names of the three to the type and the first weight after two steps, or to
the error. An optimizer that ends its process is not named.
"""

from __future__ import annotations

import json
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import paddle
from in_children import double_if_asked, in_a_child
from paddle import nn

CLIPS = ("", "ClipGradByNorm", "ClipGradByGlobalNorm", "ClipGradByValue")
DECAYS = ("", "L1Decay", "L2Decay")


def told(name: str, clip: str, decay: str) -> str:
    """The type and the first weight after two steps; else the error."""
    more: dict[str, Any] = {}
    if clip:
        more["grad_clip"] = getattr(nn, clip)(0.01)
    if decay:
        more["weight_decay"] = getattr(paddle.regularizer, decay)(0.1)
    paddle.seed(0)
    try:
        layer = nn.Linear(3, 2)
        made = getattr(paddle.optimizer, name)(
            learning_rate=0.1, parameters=layer.parameters(), **more
        )
        for _ in range(2):
            batch = paddle.to_tensor(np.random.RandomState(0).rand(4, 3).astype("float32"))
            layer(batch).sum().backward()
            made.step()
            made.clear_grad()
    except Exception as error:  # whatever does not fit this optimizer
        return f"{type(error).__name__}: {error}"[:300]
    return f"{layer.weight.dtype} {float(layer.weight.flatten()[0]):.5f}"


def main() -> None:
    """Print what each of them says."""
    double_if_asked()
    kinds = {name: getattr(paddle.optimizer, name) for name in sorted(dir(paddle.optimizer))}
    names = [
        name
        for name, kind in kinds.items()
        if isinstance(kind, type) and issubclass(kind, paddle.optimizer.Optimizer)
    ]
    each = product(names, CLIPS, DECAYS)
    print(
        json.dumps(
            {" ".join(filter(None, words)): in_a_child(partial(told, *words)) for words in each}
        )
    )


main()
