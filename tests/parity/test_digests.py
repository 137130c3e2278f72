"""Fingerprints: equal arrays have equal ones, and sketches measure the distance of others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codemod.judging.comparing.compare import distance, sketch_distance
from codemod.training.inject.parity_recorder.values import digests
from tests.parity.builders import mark


@pytest.mark.parametrize(
    "shape",
    [
        *((3,), (64, 33), (512, 100), (100_003,)),
        pytest.param((2_100_003,), marks=pytest.mark.slow),
    ],
)
def test_sketch_estimates_the_distance(shape: tuple[int, ...]) -> None:
    random = np.random.RandomState(1)
    ratios = []
    for _ in range(12):
        one, two = random.randn(*shape), random.randn(*shape)
        true = float(np.linalg.norm(one - two))
        found = sketch_distance(digests.sketch(one.ravel()), digests.sketch(two.ravel()))
        ratios.append(found / true)
    assert 0.7 < float(np.median(ratios)) < 1.4


@pytest.mark.parametrize("size", [16, 8192, 8200, 40_960, 3 << 20])
def test_structured_differences_do_not_cancel(size: int) -> None:
    # Opposite halves, as gradients whose rows add up to zero: a sketch with one period loses them.
    difference = np.ones(size)
    difference[size // 2 :] = -1.0
    found = sketch_distance(digests.sketch(difference), digests.sketch(np.zeros(size)))
    assert found > 0.2 * np.sqrt(size)


def test_sparse_has_the_sketch_of_its_dense_twin() -> None:
    random = np.random.RandomState(2)
    rows = np.array([5, 900, 5, 17])
    values = random.randn(4, 16).astype("float32")
    dense = np.zeros((1000, 16), "float32")
    np.add.at(dense, rows, values)
    sparse = digests.Sparse(rows, values, 1000)
    assert distance(mark(dense), mark(sparse)) == pytest.approx(0.0, abs=1e-5)
    assert list(sparse.rows) == [5, 17, 900]


def test_order_and_doubles_of_rows_do_not_matter() -> None:
    one = digests.Sparse(np.array([1, 1, 4]), np.array([[1.0], [2.0], [8.0]], "f4"), 9)
    two = digests.Sparse(np.array([4, 1, 6]), np.array([[8.0], [3.0], [0.0]], "f4"), 9)
    assert digests.digest_sparse(one) == digests.digest_sparse(two)


@pytest.mark.parametrize(
    ("value", "number"), [(np.array([0x3F80], np.uint16), 1.0), (np.array([2], np.int64), 2.0)]
)
def test_all_dtypes_become_numbers(value: Any, number: float) -> None:
    assert digests.as_float(value)[0] == number


def test_one_bit_changes_the_digest() -> None:
    one = np.ones(5, "float32")
    two = one.copy()
    two[3] = np.nextafter(two[3], np.float32(2))
    assert digests.digest(one) != digests.digest(two)
