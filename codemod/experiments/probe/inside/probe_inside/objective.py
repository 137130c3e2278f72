"""A loss for any model: every number that comes out of it counts, each in its own way.

A plain mean would not do: the mean of a batch norm's output has no gradient at all, and equal
gradients would prove nothing. So each output is squashed, which bounds it, and projected on fixed
random weights, which tells its elements apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def tensors(value: Any) -> list[Any]:
    """The tensors in nested outputs, in a fixed order."""
    if hasattr(value, "stop_gradient") and hasattr(value, "shape"):
        return [value]
    if isinstance(value, Mapping):
        return [t for key in sorted(value, key=str) for t in tensors(value[key])]
    if isinstance(value, (list, tuple)):
        return [t for item in value for t in tensors(item)]
    return []


def loss_of(paddle: Any, subject: Any, attempt: dict[str, Any], outputs: Any, step: int) -> Any:
    """The loss that an attempt asks for: the kit's own of a step's outputs, or the general one."""
    own = attempt.get("loss") == "kit"
    return subject.loss(outputs, step) if own else objective(paddle, outputs)


def objective(paddle: Any, outputs: Any) -> Any:
    """A scalar that depends on all floating outputs.

    Those without a gradient count too: which ones are, a mode may see otherwise (a model that sets
    `stop_gradient` of its input). They are left out only where they are not finite.

    Raises ValueError if no output has a gradient.
    """
    total, trained = None, False
    for index, tensor in enumerate(tensors(outputs)):
        if "float" not in str(tensor.dtype):
            continue
        if tensor.stop_gradient and not bool(paddle.isfinite(tensor).all()):
            continue
        trained = trained or not tensor.stop_gradient
        shape = [int(size) for size in tensor.shape]
        weights = np.random.RandomState(1000 + index).standard_normal(shape)
        weights = weights / max(1.0, float(np.sqrt(weights.size)))
        flat = tensor.astype("float32")
        squashed = flat / (1.0 + flat.abs())
        part = (squashed * paddle.to_tensor(weights.astype("float32"))).sum()
        total = part if total is None else total + part
    if not trained:
        raise ValueError("The model returns nothing that has a gradient.")
    return total
