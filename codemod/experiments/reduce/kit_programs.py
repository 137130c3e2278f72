"""The programs of a kit's net and its layers: inlined by running it once, the smallest first."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from pathlib import Path

from codemod.base import given
from codemod.base.changeset import Source
from codemod.base.errors import FindingsError, UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import from_json
from codemod.base.terminal.doing import doing
from codemod.code.tree import Tree
from codemod.experiments.probe.models import only_model
from codemod.experiments.probe.probing import Prober
from codemod.experiments.probe.request import Limits
from codemod.experiments.probe.server import Server, equipment_of
from codemod.experiments.reduce.halving import Halved, PartlyStatic
from codemod.experiments.reduce.request import ReduceRequest
from codemod.judging.evidence.result import ModeResult
from codemod.kits.config_files import named_configs

_LIMIT_S = 300.0
# A line of so many letters is hardly in two layers by chance.
_TELLING = 12
_MEMORY_GB = 12.0
# Of the time that a reduction may take, what halving may take.
_HALVING = 0.25


@dataclass(frozen=True, slots=True)
class LayerProgram:
    """The program of one layer of the class `path`.

    `text` is empty where none could be written, `why` then says so. `names` are the layers of the
    net that it stands for. One that is `suspected` shows the fault in the net by itself, or holds
    the line that an error names.
    """

    path: str
    text: str
    why: str = ""
    names: tuple[str, ...] = ()
    suspected: bool = False

    @property
    def inner(self) -> bool:
        """Whether it stands for layers within a net alone, which no kit hooks by themselves."""
        return bool(self.names) and all("." in name for name in self.names)


@dataclass(frozen=True, slots=True)
class FailingNet:
    """What a config's probe shows in one mode, and the programs of its net, the likeliest first.

    `place` is the innermost layer that shows it while the rest of the net is dynamic, if halving
    found one.
    """

    shown: ModeResult
    programs: tuple[LayerProgram, ...]
    place: str = ""


def kit_fault(
    source: Source, config: str, asked: ReduceRequest, workspace: Workspace, folder: Path
) -> FailingNet:
    """Probe a config and inline its net; logs go to `folder`.

    Where no error names a line of a layer, halving looks for the layer, for a quarter of the time.

    Raises:
        UsageError: the config is no model of the kit's.
        FindingsError: the probe passes in that mode, or does not run; or nothing can be inlined.
    """
    kit, mode, paddle = source.name, asked.mode, asked.paddle
    # Before an environment is made and Paddle imported: a name may be mistyped.
    named = named_configs(kit, Tree(source.root), [config])
    if len(named) > 1:
        raise UsageError(f"{config} names {len(named)} configs.", "Name one.")
    equipment = equipment_of(kit, workspace, paddle)
    with Server(equipment, source.root, folder / "kit.log") as server:
        server.start()
        model = only_model(server, named[0])
        limits = Limits(_LIMIT_S, _MEMORY_GB)
        found = Prober(server, limits, modes=(mode,)).probe(model)
        shown = found.modes[mode]
        if shown.verdict.passed or shown.verdict.silent:
            raise FindingsError(
                f"{config} does not fail in {mode} mode on Paddle {paddle}: "
                f"{shown.verdict}. {shown.reason}"
            )
        doing(f"Inlining the net of {config}")
        asked_for = {"config": model.config, "attempt": found.part.attempt, "mode": mode}
        answer = server.ask("record", "layers.json", _LIMIT_S, **asked_for)
        rows = given.content(answer.out)
        if rows is None:
            raise FindingsError(f"The net of {config} cannot be inlined.", f"See {answer.log}")
        with given.believed(answer.out):
            programs = tuple(from_json(LayerProgram, row) for row in rows)
        if not any(program.text for program in programs):
            raise FindingsError(f"No layer of {config} can be inlined: {programs[-1].why}.")
        said = shown.traceback + "\n" + shown.message
        place = Halved()
        if not _named(programs, said):
            doing(f"Halving the layers of {config}")
            until = time.monotonic() + _HALVING * 60 * asked.minutes
            part = PartlyStatic(server, model.config, found.part.attempt, mode, shown)
            place = part.innermost(lambda: time.monotonic() < until)
    programs = suspects_first(likeliest_first(programs, said), place)
    return FailingNet(shown, programs, place.layer)


def likeliest_first(programs: tuple[LayerProgram, ...], said: str) -> tuple[LayerProgram, ...]:
    """Programs that hold the innermost line that an error names, then one of each class.

    The first of these are suspected: they are few, and a large net has many others.
    """
    named = _named(programs, said)
    classes: set[str] = set()
    keyed = []
    for program in programs:
        suspected = bool(named) and named in _bare(program.text)
        keyed.append((program.path in classes, replace(program, suspected=suspected)))
        classes.add(program.path)
    keyed.sort(key=lambda one: (not one[1].suspected, one[0]))
    return tuple(program for _, program in keyed)


def suspects_first(programs: tuple[LayerProgram, ...], place: Halved) -> tuple[LayerProgram, ...]:
    """Programs of the layers of a place, the innermost first, before all others.

    Where the time was over before halving ended, the place is somewhere within its last layer.
    """
    found: list[LayerProgram] = []
    if place.ended:
        for name in reversed(place.chain):
            found += [one for one in programs if name in one.names and one not in found]
    else:
        within = f"{place.layer}."
        found = [one for one in programs if any(f"{n}.".startswith(within) for n in one.names)]
    rest = tuple(one for one in programs if one not in found)
    return (*(replace(one, suspected=True) for one in found), *rest)


def _named(programs: tuple[LayerProgram, ...], said: str) -> str:
    """The innermost line that an error names and a program holds; empty where there is none."""
    held = [_bare(program.text) for program in programs]
    lines = [line for line in map(_bare, said.splitlines()) if len(line) > _TELLING]
    return next((line for line in reversed(lines) if any(line in text for text in held)), "")


def _bare(text: str) -> str:
    """Code without what two ways of writing it differ in; the end of a line is none of it."""
    return re.sub(r"[\s'\"()]", "", text)
