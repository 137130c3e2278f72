"""The generators' states: taken fast, digested later, as if they had been digested at once."""

from __future__ import annotations

import hashlib
import random
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codemod.training.inject.parity_recorder.values import generators
from tests.parity.conftest import PADDLES, paddle_python

INJECT = Path(generators.__file__).parents[2]
PROGRAM = """
import hashlib, random, sys
import numpy as np, paddle
sys.path.insert(0, sys.argv[1])
from parity_recorder.values.generators import take_random
from parity_recorder.values.naming import Names


def slowly():
    words = [w for s in paddle.get_rng_state() for w in str(s).split() if not w.startswith("0x")]
    state = np.random.get_state()
    return {
        "python": hashlib.blake2b(repr(random.getstate()).encode(), digest_size=8).hexdigest(),
        "numpy": hashlib.blake2b(state[1].tobytes(), digest_size=8).hexdigest() + ":%d" % state[2],
        "paddle": hashlib.blake2b(" ".join(words).encode(), digest_size=8).hexdigest(),
    }


taken, said = [], []
for step in range(40):
    taken.append(take_random(paddle))
    said.append(slowly())
    step % 3 or (random.random(), random.gauss(0, 1))
    step % 4 or np.random.rand(7)
    step % 5 or paddle.rand([step + 1])
assert [take() for take in taken] == said
assert len({tuple(one.items()) for one in said}) > 20


class Own(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.one = paddle.nn.Linear(2, 2)

    def named_sublayers(self, prefix="", include_self=False, layers_set=None, **more):
        yield prefix + "-own", self.one


shared = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.BatchNorm1D(2))
net = paddle.nn.Sequential(shared, Own(), paddle.nn.LayerList([shared, paddle.nn.ReLU()]))
net.add_sublayer("none", None)
assert Names(paddle)._parts(net) == list(net.named_sublayers(include_self=True))
print("equal")
"""


def told_by_numpy() -> tuple[bytes, int]:
    state: Any = np.random.get_state()
    return state[1].tobytes(), int(state[2])


def test_python_s_state_is_what_its_memory_holds() -> None:
    before, seen = random.getstate(), set()
    fast = generators._PythonState()
    try:
        for seed in range(5):
            random.seed(seed)
            for draw in (
                random.random,
                lambda: random.gauss(0, 1),
                lambda: random.sample([1] * 900, 900),
            ):
                draw()
                taken = fast.take()
                assert isinstance(taken[0], bytes), "read, not asked for"
                assert repr(generators._python_state(taken)) == repr(random.getstate())
                seen.add(taken)
    finally:
        random.setstate(before)
    assert len(seen) == 15


def test_numpy_s_state_is_what_its_memory_holds() -> None:
    before, seen = np.random.get_state(), set()
    fast = generators._NumpyState()
    try:
        for seed in range(5):
            np.random.seed(seed)
            for draws in (0, 1, 700):
                np.random.rand(draws)
                found = fast.take()
                assert isinstance(found[0], bytes), "read, not asked for"
                assert found == told_by_numpy()
                seen.add(found)
        np.random.set_state(before)
        assert fast.take() == told_by_numpy()
    finally:
        np.random.set_state(before)
    assert len(seen) == 15


def test_a_generator_of_another_kind_is_asked() -> None:
    assert generators._state_address(np.random.PCG64(1)) is None
    other = np.random.MT19937(1)
    assert generators._state_address(other) is None, "its memory is not what NumPy tells"


def test_an_equal_state_has_the_digest_of_the_first() -> None:
    state = random.getstate()
    found = [generators._digested("python", one, repr) for one in (state, (3, (1,), None), state)]
    assert found[0] == found[2] != found[1]
    assert found[0] == hashlib.blake2b(repr(state).encode(), digest_size=8).hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize("paddle", PADDLES)
def test_later_is_as_now_on_real_paddle(paddle: str) -> None:
    words = [str(paddle_python(paddle)), "-c", PROGRAM, str(INJECT)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr
