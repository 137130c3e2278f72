"""Programs of docs/paddle-issues among layers that have nothing to do with them, reduced again."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from bench.reducing import Seed, padded, seeds
from codemod.experiments.reduce.kit_programs import LayerProgram
from codemod.experiments.reduce.reduce_job import reduce_program
from codemod.experiments.reduce.request import ReduceRequest
from tests.parity.conftest import paddle_python

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    [seed for seed in seeds() if seed.program == "number_setitem"],
    ids=lambda seed: seed.program,
)
def test_the_cause_is_found_again(seed: Seed, tmp_path: Path) -> None:
    start = padded(seed, random.Random(1))
    asked = ReduceRequest(seed.mode, seed.paddle, minutes=20)
    result = reduce_program([LayerProgram(seed.program, start)], asked, paddle_python, tmp_path)
    assert result.verified
    assert result.same == f"{seed.program}.py"
    assert result.code_lines <= 20
    assert result.printed[seed.paddle].code == 1
