"""What a run gives, in few numbers: losses, gradients and buffers, or the error it ended by."""

from __future__ import annotations

import hashlib
import traceback
from typing import Any

import numpy as np


def loss_told(loss: Any) -> dict[str, Any]:
    """A loss; what is none (a number of Python's, a tensor of many values) is an error."""
    if list(loss.shape) not in ([], [1]):
        raise ValueError(f"step() gives a tensor of shape {list(loss.shape)}")
    return tensor_told(loss)


def gradient_told(value: Any) -> dict[str, Any] | None:
    """A gradient's form and, of a dense one, its numbers."""
    if value is None:
        return None
    if value.is_selected_rows():
        return {"form": "sparse"}
    return {"form": "dense", **tensor_told(value)}


def tensor_told(value: Any) -> dict[str, Any]:
    """A digest of the values, their norm, and projections that tell how far two tensors differ."""
    array = np.ascontiguousarray(value.numpy())
    flat = array.astype("float64").ravel()
    weights = np.random.RandomState(7).standard_normal((3, flat.size))
    return {
        "digest": hashlib.sha256(array.tobytes()).hexdigest()[:16],
        "norm": float(np.linalg.norm(flat)),
        "projected": [float(number) for number in weights @ flat],
    }


def error_told(error: BaseException) -> dict[str, Any]:
    """An error as its class, its message, and the functions of Paddle that it came through.

    They are those of the error it was raised from: SOT raises each of its own from one place.
    """
    first = error
    while first.__cause__ is not None:
        first = first.__cause__
    frames = traceback.extract_tb(first.__traceback__)
    own = [frame.name for frame in frames if "/paddle/" in frame.filename]
    return {
        "class": type(error).__name__,
        "message": str(error)[-4000:],
        "inside": own[-3:],
        "program": not own,
    }
