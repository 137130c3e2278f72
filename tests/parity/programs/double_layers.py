"""Each layer of Paddle that takes a map, a sequence or a row: its output's type, in this process.

usage: double_layers.py FOLDER_OF_THE_RECORDER [double]

Prints a JSON object: the layer's name to the type of its output, or to the error. A layer that
ends its process is not named. What no argument or shape of the lists fits is left out.
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

ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    (),
    (4,),
    (6,),
    (8,),
    (4, 4),
    (6, 6),
    (4, 4, 3),
    (2,),
    (8, 2, 16),
    ([1, 1, 1, 1],),
)
SHAPES: tuple[tuple[int, ...], ...] = ((2, 4, 8, 8), (2, 4, 8), (2, 6), (2, 4, 4, 8, 8))


def trained(layer: Any, arguments: tuple[Any, ...], shape: tuple[int, ...]) -> str:
    """The type of what a layer gives for a batch, once its gradient was taken; else the error."""
    batch = paddle.to_tensor(np.random.RandomState(0).rand(*shape).astype("float32"))
    batch.stop_gradient = False
    try:
        given = layer(*arguments)(batch)
        first = given[0] if isinstance(given, (list, tuple)) else given
        first.sum().backward()
    except Exception as error:  # whatever does not fit this layer
        return f"{type(error).__name__}: {error}"[:300]
    return str(first.dtype)


def told(layer: Any) -> str:
    """What the first arguments and shape that fit lead to; the last error if none does."""
    said = ""
    for arguments, shape in product(ARGUMENTS, SHAPES):
        said = trained(layer, arguments, shape)
        if said.startswith("paddle."):
            break
    return said


def main() -> None:
    """Print what each layer says."""
    double_if_asked()
    layers = {name: getattr(nn, name) for name in sorted(dir(nn))}
    kinds = {k: v for k, v in layers.items() if isinstance(v, type) and issubclass(v, nn.Layer)}
    print(json.dumps({name: in_a_child(partial(told, layer)) for name, layer in kinds.items()}))


main()
