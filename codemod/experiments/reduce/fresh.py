"""Run a finished program as a developer would: by itself, in a process of its own, in a box."""

from __future__ import annotations

import shutil
from pathlib import Path

from codemod.base import given
from codemod.base.launch.start import Box, start
from codemod.base.launch.tools import STDOUT
from codemod.experiments.reduce.request import Printed
from codemod.training.runner import RunRequest, environment, run_bounds

_WALL_S = 300.0


def printed(python: Path, program: Path, folder: Path) -> Printed:
    """What a program prints last with that interpreter; `folder` is for its logs and its home."""
    home, log = folder / "fresh.home", folder / "fresh.log"
    variables = environment(RunRequest("reduce", "dynamic", 0), log, "cpu", {}, home)
    for name in ("CODEMOD_PARITY", "PYTHONPATH", "ENABLE_FALL_BACK", "PYTHONPYCACHEPREFIX"):
        variables.pop(name)
    variables["PYTHONDONTWRITEBYTECODE"] = "1"
    with log.open("wb") as sink:
        run = start(
            [str(python), str(program)],
            Box(home, run_bounds(), True, (), ()),
            cwd=home,
            env=variables,
            stdout=sink,
            stderr=STDOUT,
        )
        try:
            run.wait(_WALL_S)
        finally:
            end = run.end()
    shutil.rmtree(home, ignore_errors=True)
    said = [line for line in given.tail(log, 20000).splitlines() if line.startswith("Paddle ")]
    return Printed(said[-1] if said else "", end.code)
