"""A program of docs/paddle-issues among statements that have nothing to do with it, reduced."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bench.reducing import Seed, seeds
from codemod.base.errors import FindingsError
from codemod.experiments.reduce.kit_programs import LayerProgram
from codemod.experiments.reduce.reduce_job import reduce_program, run_alone
from codemod.experiments.reduce.report import program
from codemod.experiments.reduce.request import ReduceRequest
from codemod.experiments.reduce.signature import Signature
from codemod.experiments.reduce.trial import READINGS, Reading, trial
from tests.parity.conftest import paddle_python

if TYPE_CHECKING:
    from pathlib import Path

BUILD = """

def build():
    unused = [number * 2 for number in range(4)]
    if len(unused) > 3:
        unused.append(8)
    return Net()
"""
SPARSE = """
import paddle

def build():
    return paddle.nn.Embedding(2, 2, sparse=True)

def step(net):
    return net(paddle.to_tensor([1])).sum()
"""
DRAWN = """
import numpy as np
import paddle

class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight = paddle.create_parameter([4], paddle.get_default_dtype())

    def forward(self):
        return (self.weight * FACTOR).sum()

def build():
    return Net()

def step(net):
    return net()
"""
# In AST, Paddle 2.6 loses the gradient of an input that a net gives back.
PASSED = """
import paddle

class Kept(paddle.nn.Layer):
    def forward(self, x):
        return x

def build():
    return Kept()

def step(net):
    fed = paddle.ones([2])
    fed.stop_gradient = False
    net.fed = [*getattr(net, "fed", []), fed]
    return net(fed * 1).sum()
"""
# What is cut from this one may come to the one above.
PASSED_AND_CUT = """
import paddle

class Doubled(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight = paddle.create_parameter([2], paddle.get_default_dtype())

    def forward(self, x):
        y = x * self.weight
        with paddle.no_grad():
            z = y * 2
        return y + z

def build():
    return Doubled()

def step(net):
    fed = paddle.ones([2])
    fed.stop_gradient = False
    net.fed = [*getattr(net, "fed", []), fed]
    return net(fed * 1).sum()
"""
# More than it takes anywhere: what is found may not go by the clock.
MINUTES = 60.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    # The second leaves behind what aborts its process.
    [seed for seed in seeds() if seed.program in ("number_setitem", "kept_tensor")],
    ids=lambda seed: seed.program,
)
def test_the_cause_is_found_again(seed: Seed, tmp_path: Path) -> None:
    asked = ReduceRequest(seed.mode, seed.paddle, minutes=MINUTES)
    start = LayerProgram(seed.program, seed.text + BUILD)
    result = reduce_program([start], asked, paddle_python, tmp_path)
    assert result.ended
    assert result.verified
    assert result.same == f"{seed.program}.py"
    assert result.printed[seed.paddle].code == 1
    assert "unused" not in (tmp_path / result.file).read_text()


@pytest.mark.slow
def test_what_is_cut_differs_by_about_as_much(tmp_path: Path) -> None:
    with trial(paddle_python("3.3.1"), tmp_path) as runs:
        # A static graph keeps the number in float32.
        assert runs.signature(DRAWN.replace("FACTOR", "5.6568"), "ast", READINGS[0]) is None
        reading = runs.settle(DRAWN.replace("FACTOR", "np.random.rand()"), "ast", READINGS[0])
        assert reading.noise >= 1e-4
        less = DRAWN.replace("FACTOR", "(1 + 1e-5 * np.random.rand())")
        assert runs.signature(less, "ast", READINGS[0]) == Signature("loss")
        assert runs.signature(less, "ast", reading) is None


@pytest.mark.slow
def test_a_layer_that_gives_back_what_it_is_fed_is_not_the_place(tmp_path: Path) -> None:
    asked = ReduceRequest("ast", "2.6.2", minutes=MINUTES)
    kept = LayerProgram("Kept", PASSED, names=("0.kept",), suspected=True)
    cut = LayerProgram("Doubled", PASSED_AND_CUT, names=("0",))
    result = reduce_program([kept, cut], asked, paddle_python, tmp_path, place="0.kept")
    # A fault of a whole net's border is one; it would be the smaller program.
    assert result.same == "no_grad_block.py"
    assert result.place == ""
    net = reduce_program([replace(kept, names=("0",))], asked, paddle_python, tmp_path)
    assert net.sought == Signature("gradient", passes=True)
    assert net.verified


@pytest.mark.slow
def test_the_file_says_what_a_gradient_is(tmp_path: Path) -> None:
    asked = ReduceRequest("ast", "3.3.1", minutes=MINUTES)
    result = reduce_program([LayerProgram("sparse", SPARSE)], asked, paddle_python, tmp_path)
    assert result.verified
    assert "sparse; AST" in result.printed["3.3.1"].line


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS)
def test_a_program_that_is_the_same_in_all_modes_says_so(reading: Reading, tmp_path: Path) -> None:
    text = SPARSE.replace(", sparse=True", "")
    file = tmp_path / "same.py"
    file.write_text(program(text, reading, False, "Words."))
    printed = run_alone(paddle_python("3.3.1"), file, tmp_path)
    assert printed.sound
    assert printed.code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("return net(paddle.ones([1, 2])).sum()", "what dynamic mode gives"),
        ("return net(paddle.ones([1, 2])).sum() / 0", "its loss is not finite"),
        ("return net.there()", "dynamic mode: AttributeError: "),
        ("raise ValueError", "dynamic mode: ValueError."),
        ("import os; os.abort()", "dynamic mode: it ends with -6"),
    ],
)
def test_what_does_not_fail_says_why(step: str, said: str, tmp_path: Path) -> None:
    text = f"import paddle\nfrom paddle import nn\n\n\ndef build():\n    return nn.Linear(2, 2)\n\n\ndef step(net):\n    {step}\n"
    asked = ReduceRequest("ast", "3.3.1", minutes=MINUTES)
    with pytest.raises(FindingsError, match=said):
        reduce_program([LayerProgram("net.py", text)], asked, paddle_python, tmp_path)
