"""Real Paddle in environments of its own, made once from the package index and kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codemod.experiments.parity.experiment import JudgedMode, run_experiment
from codemod.experiments.parity.runs import Experiment
from codemod.training.environment.environments import EnvSpec, ensure, find_python
from codemod.training.run_spec import RunSpec
from codemod.training.runner import Command

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAMS = Path(__file__).parent / "programs"
PADDLES = ("2.6.2", "3.3.1")
# The versions for which both Paddles have wheels and SOT; the first that is here is taken.
PYTHONS = ("3.10", "3.11", "3.9")


def paddle_python(version: str) -> Path:
    """An interpreter with that Paddle."""
    python = next((one for one in PYTHONS if find_python(one)), PYTHONS[0])
    return ensure(EnvSpec(version, python))


@pytest.fixture
def train(tmp_path: Path) -> Callable[..., dict[str, JudgedMode]]:
    """Run one of the small programs in all asked modes and judge it."""

    def run(
        program: str,
        paddle: str,
        modes: tuple[str, ...] = ("ast", "sot"),
        arguments: tuple[str, ...] = (),
        steps: int = 6,
        controls: bool = True,
        jobs: int = 1,
        ranks: int = 1,
    ) -> dict[str, JudgedMode]:
        argv = (str(paddle_python(paddle)), str(PROGRAMS / f"{program}.py"), *arguments)
        spec = RunSpec(program, program, steps, modes, controls=controls, jobs=jobs, ranks=ranks)
        experiment = Experiment(
            spec,
            off=Command(argv, PROGRAMS),
            on=Command((*argv, "--to-static"), PROGRAMS),
            folder=tmp_path / "runs",
            limit_s=180,
            backend="gloo" if ranks > 1 else "",
        )
        return run_experiment(experiment)

    return run


@pytest.fixture
def plain_python() -> str:
    """This interpreter, for programs that need no Paddle."""
    return sys.executable
