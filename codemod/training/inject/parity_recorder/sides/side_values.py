"""The values of one side of a run: which there are, and what its lines say of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..values.tensors import gradient_of, to_array
from .exact import distances, kind_of, size


def all_tensors(roots: list[tuple[str, Any]]) -> dict[str, Any]:
    """All weights and buffers by name; a tensor that is held twice counts once."""
    found: dict[int, tuple[str, Any]] = {}
    for root, layer in roots:
        for path, tensor in (*layer.named_parameters(), *layer.named_buffers()):
            if tensor is not None and tensor._is_initialized():
                found.setdefault(id(tensor), (f"{root}.{path}", tensor))
    return dict(found.values())


def arrays(tensors: dict[str, Any]) -> dict[str, Any]:
    """The values of tensors by name."""
    return {name: to_array(tensor) for name, tensor in tensors.items()}


def gradients(names: list[str], parameters: list[Any]) -> dict[str, Any]:
    """The gradients of an optimizer's parameters, "f" for a frozen one."""
    return {
        name: "f" if parameter.stop_gradient else gradient_of(parameter)
        for name, parameter in zip(names, parameters)
    }


def changes(tensors: dict[str, Any], base: Any, now: dict[str, Any]) -> dict[str, list[Any]]:
    """Of the first side `[kind, norm of the change, norm of what it began from]`.

    `base` is the snapshot of before; of a value that was not there then the norm alone is told.
    """
    found: dict[str, list[Any]] = {}
    for name, tensor in tensors.items():
        value, known = now[name], base.values.get(id(tensor))
        if known is None or value.dtype.kind != "f":
            found[name] = [kind_of(value), size(value)]
            continue
        was = to_array(known[1])
        moved = value.astype(np.float64)
        moved -= was
        found[name] = [kind_of(value), size(moved), size(was)]
    return found


def told(first: dict[str, Any], values: dict[str, Any], kind: str) -> dict[str, list[Any]]:
    """What a side's line says of its values, beside those of the first side."""
    if kind == "buffers":
        # Which vectors are statistics may only be known after the first side.
        both = [name for name in first if name in values]
        first, values = ({name: held[name] for name in both} for held in (first, values))
    return distances(first, values)


def changed_state(first: dict[str, str], other: dict[str, str]) -> dict[str, list[str]]:
    """Attributes that two visits left with other values."""
    return {
        name: [first.get(name, "-"), other.get(name, "-")]
        for name in sorted({*first, *other})
        if first.get(name) != other.get(name)
    }
