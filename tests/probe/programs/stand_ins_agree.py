"""Compares the stand-ins for Paddle3D's operators with NumPy; ends with an error where they differ."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

paddle: Any = importlib.import_module("paddle")
ops: Any = importlib.import_module("stand_ins")
random = np.random.RandomState(0)


def given(array: Any) -> Any:
    """The array as a tensor."""
    return paddle.to_tensor(array)


def same(found: Any, wanted: Any) -> None:
    """Raise where a tensor is not the array."""
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-5, atol=1e-6)


def voxels() -> None:
    """Each voxel has its own points, at most three, and none from outside the range."""
    points = random.uniform(-0.5, 4.5, [200, 4]).astype("float32")
    made, places, counts, total = (
        part.numpy()
        for part in ops.hard_voxelize(given(points), [1, 1, 4], [0, 0, 0, 4, 4, 4], 3, 50)
    )
    inside = points[((points[:, :3] >= 0) & (points[:, :3] < 4)).all(axis=1)]
    where: dict[Any, set[Any]] = {
        tuple(place): set() for place in np.floor(inside[:, 1::-1]).astype(int).tolist()
    }
    for point in inside:
        where[int(point[1]), int(point[0])].add(tuple(point.tolist()))
    assert int(total) == len(where) == len(places) == len(made)
    for voxel, (depth, row, column), count in zip(made, places, counts, strict=True):
        mine = {tuple(point.tolist()) for point in voxel[:count]}
        assert depth == 0 and count == min(3, len(where[row, column]))
        assert len(mine) == count and mine <= where[row, column]
        assert not voxel[count:].any()


def scores() -> None:
    """Neighbours less the centre, weighed."""
    weights = random.standard_normal([2, 5, 3, 4])
    points, centres = random.standard_normal([2, 2, 5, 4, 6])
    near = random.randint(0, 5, [2, 5, 3])
    wanted = np.zeros([2, 6, 5])
    for b, n, k in np.ndindex(2, 5, 3):
        wanted[b, :, n] += weights[b, n, k] @ (points[b, near[b, n, k]] - centres[b, n])
    same(ops.assign_score_withk(*map(given, (weights, points, centres, near))), wanted)


def groups() -> None:
    """The farthest points, and those near them."""
    points = random.uniform(0, 1, [2, 40, 3]).astype("float32")
    chosen = ops.farthest_point_sample(given(points), 6).numpy()
    for b in range(2):
        for n in range(1, 6):
            gaps = np.linalg.norm(points[b, :, None] - points[b, chosen[b, :n]], axis=-1)
            assert chosen[b, n] == gaps.min(axis=1).argmax()
    centres = np.take_along_axis(points, chosen[:, :, None].astype("int64"), axis=1)
    found = ops.gather_operation(given(points.transpose(0, 2, 1)), given(chosen))
    same(found, centres.transpose(0, 2, 1))
    centres[0, 0] = 9  # near nothing
    near = ops.ball_query_batch(given(centres), given(points), 0.4, 5)
    grouped = ops.grouping_operation_batch(given(points.transpose(0, 2, 1)), near).numpy()
    for b, m in np.ndindex(2, 6):
        close = np.flatnonzero(np.linalg.norm(points[b] - centres[b, m], axis=-1) < 0.4)[:5]
        wanted = [*close, *[close[0] if len(close) else 0] * (5 - len(close))]
        assert near.numpy()[b, m].tolist() == wanted
        same(given(grouped[b, :, m]), points[b, wanted].T)


def stacks() -> None:
    """Points near centres, of scans one after the other, by distance and by voxels."""
    points = random.uniform(0, 4, [30, 3]).astype("float32")
    counts, centre_counts = np.array([10, 20], "int32"), np.array([2, 3], "int32")
    centres = np.concatenate([points[[0, 9]], points[[10, 29]], [[50, 50, 50]]]).astype("float32")
    near = ops.ball_query_stack(
        given(centres), given(centre_counts), given(points), given(counts), 2.0, 4
    )
    for m, (scan, begin, end) in enumerate([(0, 0, 10)] * 2 + [(1, 10, 30)] * 3):
        close = np.flatnonzero(np.linalg.norm(points[begin:end] - centres[m], axis=1) < 2)[:4]
        wanted = [*close, *[close[0]] * (4 - len(close))] if len(close) else [-1, 0, 0, 0]
        assert near.numpy()[m].tolist() == wanted, scan
    index = np.maximum(near.numpy(), 0)
    grouped = ops.grouping_operation_stack(
        given(points), given(counts), given(index), given(centre_counts)
    )
    begins = np.array([0, 0, 10, 10, 10])[:, None]
    same(grouped, points[index + begins].transpose(0, 2, 1))
    # Points in the middle of voxels: those near one are found by going through its neighbours.
    held = np.full([1, 4, 4, 4], -1, "int32")
    places = np.array([[0, 0, 0], [0, 0, 1], [3, 3, 3], [0, 2, 0]])
    held[0, places[:, 0], places[:, 1], places[:, 2]] = range(4)
    middles = (places + 0.5).astype("float32")
    cells = np.array([[0, 0, 0, 0], [0, 3, 3, 3], [0, 3, 0, 0]], "int32")
    asked = np.array([[0.5, 0.5, 0.5], [3.5, 3.5, 3.5], [3.5, 0.5, 0.5]], "float32")
    found = ops.voxel_query_wrapper(
        given(asked), given(middles), given(cells), given(held), 1.5, 3, 1, 1, 1
    )
    assert found.numpy().tolist() == [[0, 1, 0], [2, 2, 2], [-1, 0, 0]]


def overlaps() -> None:
    """Areas shared seen from above, and boxes that stay; a quarter turn swaps the sides."""
    some = np.array(
        [[0, 0, 0, 4, 2, 1, 0], [0, 0, 0, 2, 4, 1, np.pi / 2], [1, 0, 0, 4, 2, 1, 0]], "float32"
    )
    same(ops.boxes_overlap_bev_gpu(given(some[:1]), given(some)), [[8, 8, 6]])
    kept, number = ops.nms_gpu(given(some), 0.7)
    assert kept.numpy().tolist() == [0, 2] and int(number) == 2


def boxes() -> None:
    """Points in turned boxes."""
    box = np.array([[[0, 0, 0, 4, 2, 2, np.pi / 2], [9, 0, 0, 4, 2, 2, 0]]], "float32")
    points = np.array([[[0.5, 1.5, 0], [1.5, 0.5, 0], [10.5, 0.5, 0], [0, 0, 3]]], "float32")
    assert ops.points_in_boxes_gpu(given(points), given(box)).numpy().tolist() == [[0, -1, 1, -1]]


def attention() -> None:
    """The middle of each pixel is the pixel, and weights are those of the points."""
    sides = [[2, 3], [1, 2]]
    value = random.standard_normal([1, 8, 2, 4])
    places = np.empty([1, 1, 2, 2, 1, 2])
    places[..., 0, 0, :] = [2.5 / 3, 0.75]
    places[..., 1, 0, :] = [0.25, 0.5]
    weights = random.uniform(0, 1, [1, 1, 2, 2, 1])
    first, second = value[0, 5], value[0, 6]
    share = weights[0, 0, :, :, 0]
    wanted = first * share[:, :1] + second * share[:, 1:]
    found = ops.ms_deform_attn(
        *map(given, (value, places, weights)), given(np.array(sides)), given(np.array([0, 6])), 64
    )
    same(found, wanted.reshape([1, 1, 8]))


for check in (voxels, scores, groups, stacks, overlaps, boxes, attention):
    check()
print("equal")
