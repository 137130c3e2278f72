"""Numbers in the code of a net, rounded to float32, as a program of Paddle keeps them.

A program holds the numbers of `x * 0.088` in float32, and divides by a number by a
product with its inverse; dynamic training keeps all digits. In a run in float64 that alone would be
a difference of 6e-8, which hides what a hook changes. Float32 training rounds them on both sides.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

_METHODS = (
    *(f"__{name}__" for name in ("add", "radd", "sub", "rsub", "mul", "rmul")),
    *(f"__{name}__" for name in ("lt", "le", "gt", "ge", "eq", "ne")),
    "clip",
    "scale",
)
_FUNCTIONS = ("scale", "clip", "full", "full_like")
# Paddle 3 keeps all digits of these.
_METHODS_2 = ("__pow__", "__rpow__", "__rtruediv__", "__rdiv__", "pow")
_FUNCTIONS_2 = ("pow",)


def single(value: Any) -> Any:
    """A number of Python as float32 has it; everything else as it is."""
    return float(np.float32(value)) if type(value) is float else value


def round_constants(paddle: Any) -> None:
    """Patch dynamic tensors and functions."""
    tensor = paddle.base.core.eager.Tensor
    older = paddle.__version__.startswith("2.")
    methods = (*_METHODS, *(_METHODS_2 if older else ()))
    functions = (*_FUNCTIONS, *(_FUNCTIONS_2 if older else ()))
    for owner, names in ((tensor, methods), (paddle, functions)):
        for name in names:
            if hasattr(owner, name):
                setattr(owner, name, _rounded(getattr(owner, name)))
    for method in ("__truediv__", "__div__"):
        if hasattr(tensor, method):
            setattr(tensor, method, _by_inverse(getattr(tensor, method)))


def _rounded(original: Any) -> Any:
    @functools.wraps(original)
    def rounded(*args: Any, **kwargs: Any) -> Any:
        given = [single(value) for value in args]
        return original(*given, **{key: single(value) for key, value in kwargs.items()})

    return rounded


def _by_inverse(original: Any) -> Any:
    @functools.wraps(original)
    def divided(this: Any, other: Any) -> Any:
        if type(other) in (int, float) and other:
            return this * single(1.0 / other)
        return original(this, other)

    return divided
