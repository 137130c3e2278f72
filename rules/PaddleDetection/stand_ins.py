"""Operators that the kit builds from CUDA sources, of Paddle's own operators.

A probe judges the model that calls them, not them: they give targets, which have no gradient.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
from typing import Any

paddle: Any = importlib.import_module("paddle")
_MODULE = "ext_op"


def install() -> None:
    """Put the stand-ins where the kit looks for its operators, unless these were built."""
    if importlib.util.find_spec(_MODULE) is None:
        module = types.ModuleType(_MODULE)
        vars(module).update(matched_rbox_iou=matched_rbox_iou, rbox_iou=rbox_iou)
        sys.modules[_MODULE] = module


def matched_rbox_iou(boxes: Any, others: Any) -> Any:
    """How far turned boxes [N, 5] (x, y, width, height, angle) agree with others one by one: [N].

    The upright rectangles around the boxes are compared.
    """
    low, high = _around(boxes)
    other_low, other_high = _around(others)
    sides = paddle.minimum(high, other_high) - paddle.maximum(low, other_low)
    shared = paddle.clip(sides, min=0.0).prod(axis=-1)
    whole = (high - low).prod(axis=-1) + (other_high - other_low).prod(axis=-1)
    return shared / paddle.clip(whole - shared, min=1e-9)


def rbox_iou(boxes: Any, others: Any) -> Any:
    """The same for each of the boxes [N, 5] with each of the others [M, 5]: [N, M]."""
    return matched_rbox_iou(boxes.unsqueeze(1), others.unsqueeze(0))


def _around(boxes: Any) -> tuple[Any, Any]:
    """The least and the greatest x and y of turned boxes [..., 5]: [..., 2] each."""
    cos, sin = paddle.cos(boxes[..., 4]).abs(), paddle.sin(boxes[..., 4]).abs()
    wide = boxes[..., 2] * cos + boxes[..., 3] * sin
    high = boxes[..., 2] * sin + boxes[..., 3] * cos
    half = paddle.stack([wide, high], axis=-1) / 2
    return boxes[..., :2] - half, boxes[..., :2] + half
