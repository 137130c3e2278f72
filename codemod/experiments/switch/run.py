"""Runs the tries of a kit in its environment, in a copy of its text files."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import from_json
from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing
from codemod.code.tree import Tree
from codemod.experiments.probe.probe_job import scratch_folder
from codemod.experiments.probe.server import Answer, Equipment, Server
from codemod.experiments.switch.tried import Executed, SwitchSetting, Try, TryOutcome
from codemod.kits.folder import SWITCH, kit_file, kits_with
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.recipes import read_recipe

ADAPTER = Path(__file__).parent / "inside" / "switch_inside" / "adapter.py"
# What option code may read. Pictures and weights of a full clone are none of it.
_TEXTS = (".py", ".yml", ".yaml", ".json", ".jsonnet", ".txt", ".cfg", ".ini", ".toml", ".csv")
_LARGEST = 5_000_000
# One try runs option code; what takes longer than this builds or trains something after all.
_LIMIT_S = 90.0
# Ways differ in option code that all configs share: the other ways are tried on so many configs at
# most, evenly spread, unless all are asked for.
_SAMPLED = 12
# How argparse ends a program that is given an option which it does not know.
_UNKNOWN_OPTION = "SystemExit: 2"


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
    with scratch_folder(workspace.make("switch")) as scratch:
        copy = scratch / "kit"
        _copy(root, copy)
        with Server(equipment(python, adapter, recipe.env), copy, scratch / "tries.log") as server:
            return tried(server, configs, every_way)


def equipment(python: Path, switch: Path, variables: dict[str, str]) -> Equipment:
    """What the tries of a kit with this `switch.py` need."""
    told = {"CODEMOD_SWITCH": str(switch.resolve())}
    return Equipment(python, ADAPTER, variables={**variables, **told})


def tried(server: Server, configs: list[str], every_way: bool) -> Executed:
    """The tries; the kit's code may lie.

    Raises:
        EnvironmentFault: the kit cannot be imported, or says nothing for too long, or what none of
            our code says.
    """
    answer = server.ask("models", "ways.json", _LIMIT_S, configs=[])
    every = given.content(answer.out)
    if every is None:
        raise EnvironmentFault("The kit's ways to switch cannot be listed.", f"See {answer.log}")
    with given.believed(answer.out):
        ways = _known(server, configs[:1], every)
        tries = tuple(_tries(server, configs, ways, every_way))
        return Executed(tuple(from_json(SwitchSetting, way) for way in ways), tries)


def _known(server: Server, configs: list[str], ways: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The ways that this tree has: an option that its parser does not know comes with a hook."""
    known = [
        way
        for way in ways
        if not any(_UNKNOWN_OPTION in _try(server, config, way).message for config in configs)
    ]
    return known if any(way.get("on") for way in known) else ways


def _tries(
    server: Server, configs: list[str], ways: list[dict[str, Any]], every_way: bool
) -> Iterator[Try]:
    chosen = range(len(configs)) if every_way else sampled(len(configs))
    for number, config in enumerate(configs):
        doing(f"Running the kit's option code: {number} of {len(configs)} configs tried")
        for way in ways if number in chosen else ways[:1]:
            yield _try(server, config, way)


def sampled(count: int) -> Collection[int]:
    """The numbers of the configs, of so many, on which every way is tried unless all are asked."""
    most = min(count, _SAMPLED)
    return {place * count // most for place in range(most)}


def _try(server: Server, config: str, way: dict[str, Any]) -> Try:
    answer = server.ask("try", "try.json", _LIMIT_S, config=config, way=way)
    told = given.content(answer.out)
    with given.believed(answer.out):
        if told is None:
            why = _ended(answer)
            return Try(config, way["name"], TryOutcome.RAISES, message=why.text(), why=why)
        return from_json(Try, {"config": config, "way": way["name"], **told})


def _ended(answer: Answer) -> Reason:
    """Why a try said nothing of itself."""
    if not answer.timed_out:
        return Reason.of("experiments.try-ended")
    by_clock = answer.code == -signal.SIGKILL
    return Reason.of("experiments.try-endless") if by_clock else Reason.of("experiments.try-late")


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
