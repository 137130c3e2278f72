"""Operators that the kit builds from CUDA sources, of Paddle's own operators.

A probe judges the model that calls them, not them: they give what the sources of the kit describe,
differentiable where those are, in dynamic and in static mode. What has no stand-in says so when it
is used.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

from probe_inside.train import Refused

paddle: Any = importlib.import_module("paddle")


def install() -> None:
    """Put the stand-ins where the kit looks for its operators, before it is imported."""
    for name, operators in _OPERATORS.items():
        module = _Operators("paddle3d.ops." + name)
        vars(module).update({operator.__name__: operator for operator in operators})
        sys.modules[module.__name__] = module


class _Operators(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def missing(*_args: Any, **_options: Any) -> None:
            words = "The model needs the operator {}, which is built from CUDA sources alone."
            raise Refused(words.format(name))

        return missing


def hard_voxelize(
    points: Any, voxel_size: Any, point_range: Any, most_points: int, most_voxels: int
) -> tuple[Any, Any, Any, Any]:
    """Points [N, C] by voxels: [V, P, C], their z, y, x [V, 3], how many points each has, V."""
    low = paddle.to_tensor(point_range[:3], dtype="float32")
    size = paddle.to_tensor(voxel_size, dtype="float32")
    sides = [round((point_range[3 + i] - point_range[i]) / voxel_size[i]) for i in range(3)]
    place = paddle.floor((points[:, :3] - low) / size).astype("int64")
    inside = paddle.logical_and(place >= 0, place < paddle.to_tensor(sides)).all(axis=1)
    kept = paddle.nonzero(inside).flatten()
    points, place = paddle.gather(points, kept), paddle.gather(place, kept)
    flat = (place[:, 2] * sides[1] + place[:, 1]) * sides[0] + place[:, 0]
    voxels, owner, counts = paddle.unique(flat, return_inverse=True, return_counts=True)
    # Points in the order of their voxels, each with its number within its own.
    order = paddle.argsort(owner, stable=True) if _STABLE else paddle.argsort(owner)
    first = paddle.cumsum(counts) - counts
    owner = paddle.gather(owner, order)
    number = paddle.arange(owner.shape[0]) - paddle.gather(first, owner)
    whole = paddle.nonzero(paddle.logical_and(number < most_points, owner < most_voxels)).flatten()
    index = paddle.stack([paddle.gather(owner, whole), paddle.gather(number, whole)], axis=1)
    filled = paddle.gather(paddle.gather(points, order), whole)
    total = min(voxels.shape[0], most_voxels)
    made = paddle.scatter_nd(index, filled, [total, most_points, points.shape[1]])
    voxels = voxels[:total]
    depth = voxels // (sides[0] * sides[1])
    row = voxels // sides[0] % sides[1]
    coordinates = paddle.stack([depth, row, voxels % sides[0]], axis=1).astype("int32")
    counts = paddle.clip(counts[:total], max=most_points).astype("int32")
    return made, coordinates, counts, paddle.to_tensor(total)


def assign_score_withk(scores: Any, points: Any, centers: Any, knn_idx: Any) -> Any:
    """Near ones [B, N, K] of points [B, N, M, O], weighed by [B, N, K, M]: [B, O, N]."""
    batch, number, kernels, channels = points.shape
    neighbours = knn_idx.shape[2]
    offset = paddle.arange(batch).reshape([-1, 1, 1]) * number
    flat = (knn_idx.astype("int64") + offset).flatten()
    near = paddle.gather(points.reshape([-1, kernels * channels]), flat)
    near = near.reshape([batch, number, neighbours, kernels, channels])
    far = near - centers.unsqueeze(2)
    return (far * scores.unsqueeze(-1)).sum(axis=[2, 3]).transpose([0, 2, 1])


def farthest_point_sample(points: Any, number: int) -> Any:
    """Indices [B, number] of points [B, N, 3], each the farthest from those before it."""
    batch = points.shape[0]
    rows = paddle.arange(batch)
    newest = paddle.zeros([batch], dtype="int64")
    chosen = [newest]
    distance = paddle.full(points.shape[:2], 1e10)
    for _ in range(number - 1):
        last = paddle.gather_nd(points, paddle.stack([rows, newest], axis=1)).unsqueeze(1)
        distance = paddle.minimum(distance, ((points - last) ** 2).sum(-1))
        newest = paddle.argmax(distance, axis=1)
        chosen.append(newest)
    return paddle.stack(chosen, axis=1).astype("int32")


def gather_operation(features: Any, index: Any) -> Any:
    """Features [B, C, N] of the points [B, M]: [B, C, M]."""
    wide = index.astype("int64").unsqueeze(1).tile([1, features.shape[1], 1])
    return paddle.take_along_axis(features, wide, axis=2)


def grouping_operation_batch(features: Any, index: Any) -> Any:
    """Features [B, C, N] of groups of points [B, M, S]: [B, C, M, S]."""
    batch, groups, size = index.shape
    found = gather_operation(features, index.reshape([batch, groups * size]))
    return found.reshape([batch, features.shape[1], groups, size])


def ball_query_batch(centres: Any, points: Any, radius: float, number: int) -> Any:
    """The first points [B, N, 3] near each centre [B, M, 3]: [B, M, number], the first repeated."""
    gap = ((centres.unsqueeze(2) - points.unsqueeze(1)) ** 2).sum(-1)
    last = points.shape[1]
    places = paddle.arange(last).expand(gap.shape)
    near = paddle.where(gap < radius**2, places, paddle.full_like(places, last))
    near = paddle.sort(near, axis=-1)[:, :, :number]
    first = paddle.where(near[:, :, :1] == last, paddle.zeros_like(near[:, :, :1]), near[:, :, :1])
    return paddle.where(near == last, first.expand(near.shape), near).astype("int32")


def ball_query_stack(
    centres: Any, centre_counts: Any, points: Any, counts: Any, radius: float, number: int
) -> Any:
    """Like `ball_query_batch`, of centres [M, 3] and points [N, 3] of scans one after the other.

    Indices [M, number] count from the first point of the scan; -1 stands first where none is near.
    """
    first, scan = _starts(counts), _owner(centre_counts, centres.shape[0])
    gap = ((centres.unsqueeze(1) - points.unsqueeze(0)) ** 2).sum(-1)
    same = scan.unsqueeze(1) == _owner(counts, points.shape[0]).unsqueeze(0)
    near = paddle.logical_and(gap < radius**2, same)
    return _first_of(near, paddle.arange(points.shape[0]), number, paddle.gather(first, scan))


def voxel_query_wrapper(
    centres: Any, points: Any, cells: Any, index: Any, radius: float, number: int, *ranges: int
) -> Any:
    """The points [N, 3] near centres [M, 3], of the voxels around their cells [M, 4]: [M, number].

    `index` [B, Z, Y, X] says which point a voxel holds, -1 for none.
    """
    around = paddle.stack(
        paddle.meshgrid([paddle.arange(-reach, reach + 1) for reach in ranges]), axis=-1
    ).reshape([1, -1, 3])
    cells = cells.astype("int64")
    places = cells[:, 1:].unsqueeze(1) + around
    sides = paddle.to_tensor(list(index.shape[1:]), dtype="int64")
    inside = paddle.logical_and(places >= 0, places < sides).all(axis=-1)
    places = paddle.clip(paddle.minimum(places, sides - 1), min=0)
    scan = cells[:, :1].expand([cells.shape[0], around.shape[1]])
    held = paddle.gather_nd(index, paddle.concat([scan.unsqueeze(-1), places], axis=-1))
    held = held.astype("int64")
    other = paddle.gather(points, paddle.clip(held, min=0).flatten()).reshape(places.shape)
    gap = ((other - centres.unsqueeze(1)) ** 2).sum(-1)
    near = paddle.logical_and(paddle.logical_and(inside, held >= 0), gap < radius**2)
    return _first_of(near, held, number, paddle.zeros([centres.shape[0]], dtype="int64"))


def _first_of(near: Any, index: Any, number: int, less: Any) -> Any:
    """The first of the indices [M, K] or [K] that are near, less what each row counts from."""
    last = near.shape[1]
    order = paddle.where(
        near, paddle.arange(last).expand(near.shape), paddle.full(near.shape, last, dtype="int64")
    )
    order = paddle.sort(order.astype("int64"), axis=-1)[:, :number]
    none = order[:, :1] == last
    order = paddle.where(order == last, order[:, :1].expand(order.shape), order)
    order = paddle.clip(order, max=last - 1)
    found = paddle.take_along_axis(paddle.expand(index, near.shape), order, axis=1)
    found = paddle.where(
        none.expand(found.shape), paddle.zeros_like(found), found - less.unsqueeze(1)
    )
    column = paddle.where(none, paddle.full_like(found[:, :1], -1), found[:, :1])
    return paddle.concat([column, found[:, 1:]], axis=1).astype("int32")


def _starts(counts: Any) -> Any:
    """Where each scan begins, from how many points they have."""
    counts = counts.astype("int64")
    return paddle.cumsum(counts) - counts


def _owner(counts: Any, number: int) -> Any:
    """The scan that each of `number` points is of."""
    ends = paddle.cumsum(counts.astype("int64"))
    return (paddle.arange(number).unsqueeze(1) >= ends.unsqueeze(0)).astype("int64").sum(1)


def grouping_operation_stack(features: Any, counts: Any, index: Any, group_counts: Any) -> Any:
    """Features [N, C] of scans one after the other, of groups of points [M, S]: [M, C, S]."""
    groups, size = index.shape
    first = paddle.gather(_starts(counts), _owner(group_counts, groups)).unsqueeze(1)
    flat = (index.astype("int64") + first).flatten()
    found = paddle.gather(features, flat).reshape([groups, size, features.shape[1]])
    return found.transpose([0, 2, 1])


def _around(boxes: Any) -> Any:
    """The upright rectangles x, y, x, y [N, 4] around turned boxes [N, 7] seen from above."""
    cos, sin = paddle.cos(boxes[:, 6]).abs(), paddle.sin(boxes[:, 6]).abs()
    wide = (boxes[:, 3] * cos + boxes[:, 4] * sin) / 2
    deep = (boxes[:, 3] * sin + boxes[:, 4] * cos) / 2
    x, y = boxes[:, 0], boxes[:, 1]
    return paddle.stack([x - wide, y - deep, x + wide, y + deep], axis=1)


def nms_gpu(boxes: Any, threshold: float) -> tuple[Any, Any]:
    """Which boxes [N, 7] stay, best first, and how many: by the upright rectangles around them."""
    kept = paddle.vision.ops.nms(_around(boxes), threshold)
    return kept, paddle.shape(kept)[0]


def boxes_overlap_bev_gpu(one: Any, other: Any) -> Any:
    """The area [N, M] that boxes share seen from above, by the upright rectangles around them."""
    one, other = _around(one).unsqueeze(1), _around(other).unsqueeze(0)
    low = paddle.maximum(one[..., :2], other[..., :2])
    high = paddle.minimum(one[..., 2:], other[..., 2:])
    return paddle.clip(high - low, min=0).prod(axis=-1)


def points_in_boxes_gpu(points: Any, boxes: Any) -> Any:
    """Which of the boxes [B, T, 7] each point [B, N, 3] lies in, -1 for none: [B, N]."""
    shift = points.unsqueeze(2) - boxes[:, :, :3].unsqueeze(1)
    turn = boxes[:, :, 6].unsqueeze(1)
    along = shift[..., 0] * paddle.cos(turn) + shift[..., 1] * paddle.sin(turn)
    aside = shift[..., 1] * paddle.cos(turn) - shift[..., 0] * paddle.sin(turn)
    half = boxes[:, :, 3:6].unsqueeze(1) / 2
    gaps = (along.abs() < half[..., 0], aside.abs() < half[..., 1])
    inside = paddle.logical_and(paddle.logical_and(*gaps), shift[..., 2].abs() <= half[..., 2])
    inside = inside.astype("int32")
    found = paddle.argmax(inside, axis=-1).astype("int32")
    return paddle.where(inside.sum(-1) > 0, found, paddle.full_like(found, -1))


def ms_deform_attn(
    value: Any, places: Any, weights: Any, shapes: Any, starts: Any, step: int
) -> Any:
    """Values [B, S, H, D] of levels, sampled at [B, Q, H, L, P, 2], weighed: [B, Q, H * D]."""
    batch, _, heads, width = value.shape
    queries, levels, points = places.shape[1], places.shape[3], places.shape[4]
    sampled = []
    first = 0
    for level in range(levels):
        height, across = (int(side) for side in shapes[level])
        part = value[:, first : first + height * across]
        first += height * across
        part = part.transpose([0, 2, 3, 1]).reshape([batch * heads, width, height, across])
        grid = (2 * places[:, :, :, level] - 1).transpose([0, 2, 1, 3, 4])
        grid = grid.reshape([batch * heads, queries, points, 2])
        sampled.append(paddle.nn.functional.grid_sample(part, grid, align_corners=False))
    found = paddle.stack(sampled, axis=-2)
    weights = weights.transpose([0, 2, 1, 3, 4])
    weights = weights.reshape([batch * heads, 1, queries, levels, points])
    return (found * weights).sum([-1, -2]).reshape([batch, -1, queries]).transpose([0, 2, 1])


_STABLE = "stable" in paddle.argsort.__code__.co_varnames
_OPERATORS: dict[str, tuple[Any, ...]] = {
    "voxelize": (hard_voxelize,),
    "assign_score_withk": (assign_score_withk,),
    "pointnet2_ops": (
        farthest_point_sample,
        gather_operation,
        grouping_operation_batch,
        ball_query_batch,
        ball_query_stack,
        voxel_query_wrapper,
        grouping_operation_stack,
    ),
    "roiaware_pool3d": (points_in_boxes_gpu,),
    "ms_deform_attn": (ms_deform_attn,),
    "iou3d_nms": (nms_gpu, boxes_overlap_bev_gpu),
    "centerpoint_postprocess": (),
    "bev_pool_v2": (),
    "bev_pool_v2_backward": (),
}
