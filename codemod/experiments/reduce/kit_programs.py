"""The programs of a kit's net and its layers: inlined by running it once, the smallest first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from codemod.base import given
from codemod.base.changeset import Source
from codemod.base.doing import doing
from codemod.base.errors import FindingsError, UsageError
from codemod.base.workspace import Workspace
from codemod.experiments.probe.equipment import equipment_of
from codemod.experiments.probe.limits import Limits
from codemod.experiments.probe.models import list_models
from codemod.experiments.probe.probing import Prober
from codemod.experiments.reduce.signature import Signature, template
from codemod.judging.evidence.result import ModeResult
from codemod.judging.verdict import Verdict

_LIMIT_S = 300.0
# A line of so many letters is hardly in two layers by chance.
_TELLING = 12
_MEMORY_GB = 12.0


@dataclass(frozen=True, slots=True)
class LayerProgram:
    """The program of one layer of the class `path`.

    `text` is empty where none could be written, `why` then says so.
    """

    path: str
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class FailingNet:
    """What a config's probe shows in one mode, and the programs of its net, the likeliest first."""

    shown: ModeResult
    programs: tuple[LayerProgram, ...]


_ALIKE = {
    Verdict.FAILS: ("error",),
    Verdict.CRASH: ("crash",),
    Verdict.TIMEOUT: ("hang",),
}


def agrees(found: Signature, shown: ModeResult) -> bool:
    """Whether a program shows what the kit's own net shows: the kind, and of an error its class.

    A net's difference may show in other numbers first: its program has another loss.
    """
    wanted = _ALIKE.get(shown.verdict, ("loss", "gradient", "gradient's form", "buffer"))
    if found.kind not in wanted:
        return False
    kind, _, message = found.detail.partition(": ")
    return found.kind != "error" or (
        kind in shown.traceback + shown.reason and message in template(shown.message)
    )


def kit_fault(
    source: Source, config: str, mode: str, paddle: str, workspace: Workspace, folder: Path
) -> FailingNet:
    """Probe a config and inline its net; logs go to `folder`.

    Raises:
        UsageError: the config is no model of the kit's.
        FindingsError: the probe passes in that mode, or does not run; or nothing can be inlined.
    """
    kit = source.kit or source.root.name
    with equipment_of(kit, workspace, paddle).server(source.root, folder / "kit.log") as server:
        server.start()
        listing = list_models(server, [config])
        if not listing.models:
            why = listing.unread.get(config, "it names no model")
            raise UsageError(f"{config} cannot be probed: {why}.")
        model = listing.models[0]
        limits = Limits(_LIMIT_S, _MEMORY_GB)
        found = Prober(server, limits, modes=(mode,)).probe(model)
        shown = found.modes[mode]
        if shown.verdict.passed or shown.verdict.silent:
            raise FindingsError(
                f"{config} does not fail in {mode} mode on Paddle {paddle}: "
                f"{shown.verdict}. {shown.reason}"
            )
        doing(f"Inlining the net of {config}")
        out, log = server.folder / "layers.json", server.folder / "layers.log"
        server.ask("record", out, log, _LIMIT_S, config=model.config, attempt=found.part.attempt)
    rows = given.content(out)
    if rows is None:
        raise FindingsError(f"The net of {config} cannot be inlined.", f"See {log}")
    with given.believed(out):
        programs = tuple(LayerProgram(**row) for row in rows)
    if not any(program.text for program in programs):
        raise FindingsError(f"No layer of {config} can be inlined: {programs[-1].why}.")
    return FailingNet(shown, likeliest_first(programs, shown.traceback + "\n" + shown.message))


def likeliest_first(programs: tuple[LayerProgram, ...], said: str) -> tuple[LayerProgram, ...]:
    """Programs that hold the innermost line that an error names, then one of each class."""
    held = [_bare(program.text) for program in programs]
    lines = [line for line in map(_bare, said.splitlines()) if len(line) > _TELLING]
    named = next((line for line in reversed(lines) if any(line in text for text in held)), None)
    classes: set[str] = set()
    keys = {}
    for number, program in enumerate(programs):
        here = named is not None and named in held[number]
        keys[number] = (not here, program.path in classes, number)
        classes.add(program.path)
    return tuple(programs[number] for number in sorted(keys, key=keys.__getitem__))


def _bare(text: str) -> str:
    """Code without what two ways of writing it differ in; the end of a line is none of it."""
    return re.sub(r"[\s'\"()]", "", text)
