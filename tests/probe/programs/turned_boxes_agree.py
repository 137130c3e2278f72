"""Compares PaddleDetection's stand-ins with NumPy; ends with an error where they differ."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

paddle: Any = importlib.import_module("paddle")
importlib.import_module("stand_ins").install()
built: Any = importlib.import_module("ext_op")


def around(box: Any) -> Any:
    """The upright rectangle around a turned box: least x and y, greatest x and y."""
    x, y, wide, high, angle = box
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [wide / 2, high / 2]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    places = corners @ turn.T + [x, y]
    return places.min(axis=0), places.max(axis=0)


def overlap(one: Any, other: Any) -> float:
    """The shared area of two turned boxes' rectangles over the area of both."""
    (low, high), (other_low, other_high) = around(one), around(other)
    shared = np.clip(np.minimum(high, other_high) - np.maximum(low, other_low), 0, None).prod()
    whole = (high - low).prod() + (other_high - other_low).prod()
    return float(shared / (whole - shared))


random = np.random.RandomState(0)
low, high = [0, 0, 1, 1, -1.5], [4, 4, 6, 6, 1.5]
boxes, others = (random.uniform(low, high, [50, 5]).astype("float32") for _ in range(2))
others[0], others[1, 0] = boxes[0], 100
given = paddle.to_tensor(boxes), paddle.to_tensor(others)
found = built.matched_rbox_iou(*given).numpy()
wanted = [overlap(one, other) for one, other in zip(boxes, others, strict=True)]
np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
assert abs(found[0] - 1) < 1e-5 and found[1] == 0
every = [[overlap(one, other) for other in others] for one in boxes]
np.testing.assert_allclose(built.rbox_iou(*given).numpy(), every, rtol=1e-4, atol=1e-6)
print("equal")
