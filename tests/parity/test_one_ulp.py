"""A weight's neighbour, of any form: as NumPy's `nextafter` gives it, but that zeros stay."""

from __future__ import annotations

import numpy as np
import pytest

from codemod.training.inject.parity_recorder.sides.nudge import one_ulp


def special(kind: type[np.floating]) -> list[float]:
    told = np.finfo(kind)
    near = [float(one) for one in (0, told.smallest_subnormal, told.tiny, 1, told.max, np.inf)]
    return [*near, *(-one for one in near), float("nan")]


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 5), (2, 3, 4)])
@pytest.mark.parametrize("seed", range(4))
def test_numbers_but_zeros_go_where_nextafter_sends_them(
    kind: type[np.floating], shape: tuple[int, ...], seed: int
) -> None:
    random = np.random.RandomState(seed)
    array = np.where(
        random.rand(*shape) < 0.5, random.choice(special(kind), shape), random.randn(*shape)
    ).astype(kind)
    ways = np.where(np.random.RandomState(seed).rand(*shape) < 0.5, -np.inf, np.inf).astype(kind)
    wanted = np.where(array == 0, array, np.nextafter(array, ways))
    before = array.copy()
    found = one_ulp(array, np.random.RandomState(seed))
    assert (found.dtype, found.shape) == (array.dtype, shape)
    assert found.tobytes() == wanted.tobytes()
    assert array.tobytes() == before.tobytes()


def test_a_view_with_steps_in_it_is_taken_as_it_reads() -> None:
    array = np.arange(24, dtype=np.float32).reshape(4, 6)[:, ::2].T
    ways = np.where(np.random.RandomState(1).rand(*array.shape) < 0.5, -np.inf, np.inf)
    wanted = np.where(array == 0, array, np.nextafter(array, ways.astype(np.float32)))
    assert np.array_equal(one_ulp(array, np.random.RandomState(1)), wanted)
