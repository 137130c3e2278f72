"""From Paddle's tensors to NumPy copies, without an effect on the training."""

from __future__ import annotations

from typing import Any

import numpy as np

from .digests import Sparse


def to_array(tensor: Any) -> Any:
    """A NumPy copy of a dense tensor; None if it holds no memory yet."""
    if tensor is None or not tensor._is_initialized():
        return None
    # `numpy` copies already: a second copy would cost as much as a small step.
    return tensor.numpy()


def gradient_of(parameter: Any) -> Any:
    """The parameter's gradient: an array, a `Sparse`, or None where there is none."""
    grad = parameter._grad_ivar()
    if grad is None:
        return None
    if grad.is_selected_rows():
        rows = grad.get_selected_rows()
        return Sparse(np.array(rows.rows()), np.array(rows.get_tensor()), int(parameter.shape[0]))
    return to_array(grad)


def end_rows(parameter: Any, cpu: Any) -> None:
    """Give the parameter's row-sparse gradient a last row, of zeros, where it has none.

    Adam of Paddle walks all rows of the weight, and behind the last row of the gradient it goes on
    with memory that is not the gradient's: it then changes rows by chance, and equal runs part
    (docs/paddle-issues/adam_sparse_rows.py). Behind the weight's own last row there is nothing to
    walk. Rows of zeros and missing rows are the same to Adam without `lazy_mode`. `cpu` is Paddle's
    `CPUPlace()`; elsewhere another kernel runs.
    """
    grad = parameter._grad_ivar()
    if grad is None or not grad.is_selected_rows() or not parameter.place.is_cpu_place():
        return
    rows = grad.get_selected_rows()
    numbers, last = list(rows.rows()), int(parameter.shape[0]) - 1
    if last in numbers:
        return
    values = np.array(rows.get_tensor())
    zeros = np.zeros((1, *values.shape[1:]), values.dtype)
    rows.set_rows([*numbers, last])
    rows.get_tensor().set(np.concatenate([values, zeros]), cpu)


def loss_value(tensor: Any) -> float | list[float]:
    """What backward was called on: the number itself; of a larger tensor sum, mean and size."""
    array = to_array(tensor)
    if array is None:
        return float("nan")
    if array.dtype == np.uint16:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    if array.size == 1:
        return float(array.reshape(-1)[0])
    wide = array.astype(np.float64)
    return [float(wide.sum()), float(wide.mean()), float(array.size)]


def structure(value: Any, depth: int = 0) -> Any:
    """Shapes and dtypes of nested arguments, as JSON: tensors become ["tensor", shape, dtype]."""
    # A kit may pass the class `paddle.Tensor` itself, which has the same attributes.
    if hasattr(value, "_is_initialized") and not isinstance(value, type):
        return ["tensor", [int(size) for size in value.shape], str(value.dtype).split(".")[-1]]
    if depth > 4:
        return type(value).__name__
    if isinstance(value, dict):
        return {str(key): structure(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [structure(item, depth + 1) for item in value]]
    if isinstance(value, np.ndarray):
        return ["ndarray", list(value.shape), str(value.dtype)]
    if value is None or isinstance(value, (bool, int, float, str)):
        return [type(value).__name__, value if not isinstance(value, str) else value[:40]]
    return type(value).__name__


def parameters_of(optimizer: Any) -> list[Any]:
    """The optimizer's parameters in its own order, through wrappers and groups."""
    found = getattr(optimizer, "_parameter_list", None) or getattr(optimizer, "param_groups", None)
    if not found:
        inner = getattr(optimizer, "inner_optimizer", None)
        return parameters_of(inner) if inner is not None else []
    parameters: list[Any] = []
    for item in found:
        parameters.extend(item["params"] if isinstance(item, dict) else [item])
    return parameters


def walks_all_rows(optimizer: Any) -> bool:
    """Whether it is an Adam that updates the rows without a gradient too, through wrappers."""
    inner = getattr(optimizer, "inner_optimizer", None)
    return walks_all_rows(inner) if inner else getattr(optimizer, "_lazy_mode", True) is False
