"""A program of docs/paddle-issues among statements that have nothing to do with it, reduced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.reducing import Seed, seeds
from codemod.experiments.reduce.kit_programs import LayerProgram
from codemod.experiments.reduce.reduce_job import reduce_program
from codemod.experiments.reduce.request import ReduceRequest
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
# More than it takes anywhere: what is found may not go by the clock.
MINUTES = 60.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    [seed for seed in seeds() if seed.program == "number_setitem"],
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
