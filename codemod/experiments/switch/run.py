"""Runs the tries of a kit in its environment, in a copy of its text files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.shared_file import new_log
from codemod.base.files.workspace import Workspace
from codemod.base.given import believed
from codemod.base.json_form import from_json
from codemod.base.launch.start import Box, kept_variables, own_folders, start
from codemod.base.launch.tools import PIPE
from codemod.base.terminal.doing import doing
from codemod.code.tree import Tree
from codemod.experiments.switch.tried import Executed, SwitchSetting, Try
from codemod.kits.folder import SWITCH, kit_file, kits_with
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.recipes import read_recipe
from codemod.training.runner import run_bounds

INSIDE = Path(__file__).parent / "inside"
# What option code may read. Pictures and weights of a full clone are none of it.
_TEXTS = (".py", ".yml", ".yaml", ".json", ".jsonnet", ".txt", ".cfg", ".ini", ".toml", ".csv")
_LARGEST = 5_000_000
# Seconds for an import or a try, which the process itself ends before.
_PATIENCE_S = 900.0


def run_switch(
    kit: str,
    root: Path,
    configs: list[str],
    workspace: Workspace,
    paddle: str | None = None,
    every_way: bool = False,
) -> Executed:
    """Try each config with the kit's first way, and the other ways on some or, on request, all.

    Raises:
        UsageError: the kit has no `switch.py`.
        EnvironmentFault: its environment cannot be made, or the kit not be imported in it.
    """
    adapter = kit_file(kit, SWITCH)
    if adapter is None:
        known = ", ".join(kits_with(SWITCH))
        raise UsageError(
            f"{kit} has no rules/{kit}/{SWITCH}, which --exec needs.", f"Known: {known}."
        )
    recipe = read_recipe(kit, "")
    python = ensure(EnvSpec(paddle or recipe.paddle, recipe.python, recipe.requirements))
    base = workspace.make("switch")
    with tempfile.TemporaryDirectory(dir=base, prefix=f"{kit}-") as scratch:
        copy = Path(scratch, "kit")
        _copy(root, copy)
        job = Path(scratch, "job.json")
        asked = {"adapter": str(adapter.resolve()), "configs": configs, "every_way": every_way}
        job.write_text(json.dumps(asked))
        log = base / f"{kit}.log"
        lines = answers(python, copy, job, log, recipe.env)
    if not lines or "ways" not in lines[0]:
        raise EnvironmentFault(f"{kit} cannot be imported in its environment.", f"See {log}")
    with believed("What the kit's process says"):
        ways = tuple(from_json(SwitchSetting, way) for way in lines[0]["ways"])
        return Executed(ways, tuple(from_json(Try, one) for one in lines[1:]))


def _copy(root: Path, target: Path) -> None:
    """The kit's text files: option code writes logs and results beside them."""
    tree = Tree(root)
    for path in tree.paths(_TEXTS):
        source = root / path
        if source.is_symlink() or not source.is_file() or source.stat().st_size > _LARGEST:
            continue
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)


def answers(
    python: Path, copy: Path, job: Path, log: Path, variables: dict[str, str]
) -> list[dict[str, Any]]:
    """What the tries say, one object each, the first of the ways; the kit's code may lie.

    Raises:
        EnvironmentFault: it says nothing for too long, or what none of our code says.
    """
    home = copy.parent / "home"
    env = {
        **kept_variables(os.environ),
        **own_folders(home),
        **{name: value for name, value in variables.items() if name != "PYTHONPATH"},
        "PYTHONPATH": os.pathsep.join((str(INSIDE), str(copy))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "OMP_NUM_THREADS": "1",
    }
    lines = []
    doing("Importing the kit's option code")
    with new_log(log) as sink:
        process = start(
            [str(python), "-m", "switch_inside", str(job)],
            Box(home, run_bounds(), True, (copy,)),
            cwd=copy,
            env=env,
            stdout=PIPE,
            stderr=sink,
        )
        try:
            while line := process.line(_PATIENCE_S):
                with believed("What the kit's process says"):
                    lines.append(dict(json.loads(line)))
                doing(f"Running the kit's option code: {len(lines)} tries made")
        except TimeoutError as error:
            raise EnvironmentFault(
                f"The kit's option code was ended: {error}.", f"See {log}"
            ) from error
        finally:
            process.end()
    return lines
