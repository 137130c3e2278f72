"""Parity results as a pull request cites them: read from the store, never judged here."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason, spoken
from codemod.base.terminal.amounts import number
from codemod.judging.blame import failed_with_switch_off
from codemod.judging.evidence.base import read_base
from codemod.judging.evidence.result import ModeResult, ParityPart, Result
from codemod.judging.evidence.result_files import PARITY_FOLDER, KeptResult, read_results
from codemod.judging.evidence.speed_rows import SPEED, SpeedRow
from codemod.judging.verdict import Verdict
from codemod.training.environment.devices import processes_on
from codemod.training.runner import DYNAMIC

PICTURES = (".png", ".svg")


@dataclass(frozen=True, slots=True)
class CitedRun:
    """One config in one mode.

    `revision` is the kit's, None where the record names none; `hook` is the checksum of the
    code that was run; `reason` says why a verdict is not a plain `pass`. `off` and `ran` are the
    lines that were executed with the switch off and on, as `ParityPart.ran` has them; `bad_legs`
    are the further checks that did not pass, `pictures` the files of its loss curves. `edited` are
    the files it read that were not its revision's, those of its hooks aside.
    """

    config: str
    mode: str
    verdict: Verdict
    steps: str
    loss_max_abs: str
    grad_max_rel: str
    device: str
    paddle: str
    revision: str | None
    hook: str | None
    command: str
    reason: str
    said: tuple[Reason, ...] = ()
    off: dict[str, str] = field(default_factory=dict)
    ran: dict[str, str] = field(default_factory=dict)
    bad_legs: tuple[str, ...] = ()
    pictures: tuple[Path, ...] = ()
    edited: frozenset[str] = frozenset()

    @property
    def ended_by_itself(self) -> bool:
        """Whether training fails with the switch off, so that nothing could be compared.

        What was static with the switch off is another matter: that is a fault of the change.
        """
        return failed_with_switch_off(self.said)


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """What the store knows of a kit: runs, timings of the configs that ran, unreadable files."""

    rows: tuple[CitedRun, ...] = ()
    unreadable: tuple[str, ...] = ()
    speed: tuple[SpeedRow, ...] = ()

    @property
    def pictures(self) -> tuple[Path, ...]:
        """The pictures of loss curves that the runs have, each once."""
        return tuple(dict.fromkeys(path for row in self.rows for path in row.pictures))

    @property
    def judged(self) -> tuple[CitedRun, ...]:
        """The runs that prove something: one without a verdict executed lines, and no more."""
        return tuple(row for row in self.rows if row.verdict is not Verdict.NOT_RUN)

    def of_code(self, hook: str) -> CitedEvidence:
        """The runs of the code with this checksum."""
        return self.only(lambda row: row.hook == hook)

    def in_tree(self, paths: Collection[str]) -> CitedEvidence:
        """The runs of configs that a tree with these files holds: nobody can repeat another."""
        return self.only(lambda row: row.config in paths)

    def of_change(self, paths: Collection[str]) -> CitedEvidence:
        """The runs that read no edited file but those that the change edits."""
        return self.only(lambda row: row.edited <= frozenset(paths))

    def only(self, cited: Callable[[CitedRun], bool]) -> CitedEvidence:
        """These runs, with the timings of their configs on the same code."""
        rows = tuple(row for row in self.rows if cited(row))
        ran = {(row.config, row.hook) for row in rows}
        speed = tuple(row for row in self.speed if (row.config, row.hook) in ran)
        return replace(self, rows=rows, speed=speed)


def read_evidence(workspace: Workspace, kit: str | None) -> CitedEvidence:
    """All parity results of `kit`, by config and mode.

    They are the workspace's, and the base's rows for what no result of the workspace covers.
    """
    kept = read_results(workspace.root / PARITY_FOLDER)
    own = [one for one in kept.results if one.result.kit == kit and _is_cited(one.result)]
    rows = [
        replace(_run(one.result, mode), pictures=tuple(_pictures(one, workspace.root)))
        for one in own
        for mode in one.result.modes
    ]
    seen = {(row.config, row.mode, row.device, row.paddle) for row in rows}
    cited = base_runs(kit) if kit else ()
    rows += [r for r in cited if (r.config, r.mode, r.device, r.paddle) not in seen]
    rows.sort(key=lambda row: (row.config, row.mode, row.device))
    damaged = tuple(
        f"{file.relative_to(workspace.root).as_posix()}: {why}"
        for file, why in kept.damaged.items()
    )
    configs = {row.config for row in rows}
    timed = SPEED.read(kit, workspace) if kit else ()
    speed = tuple(row for row in timed if row.config in configs)
    return CitedEvidence(tuple(rows), damaged, speed)


def base_runs(kit: str) -> list[CitedRun]:
    """The base's parity rows of a kit, by which its executed statements are counted everywhere.

    None is left out for what it came to: a run that failed, with the switch off too, or that
    could not be judged, has executed what it executed.
    """
    parity = (row for row in read_base(kit).rows if row.kind == "parity")
    return [_run(row.to_result(), row.mode) for row in parity]


def _is_cited(result: Result) -> bool:
    """Whether a run says something: one that was interrupted does not, of steps not reached.

    Nor does one of which nobody knows whether what it read was edited.
    """
    return not result.interrupted and result.edited is not None and _has_hook(result)


def _has_hook(result: Result) -> bool:
    """Whether a run read a hook: one of a checkout without any says nothing of this change.

    Of results of before, what they read is not known, and a kit that fails by itself reads none.
    """
    part = result.parity or ParityPart()
    failed = any(failed_with_switch_off(mode.said) for mode in result.modes.values())
    return bool(part.hooks) or failed or not part.reads


def _run(result: Result, mode: str) -> CitedRun:
    found, part = result.modes[mode], result.parity or ParityPart()
    said = _why(found)
    return CitedRun(
        config=result.config,
        mode=mode,
        verdict=found.verdict,
        steps=number(found.steps),
        loss_max_abs=number(found.loss_max_abs),
        grad_max_rel=number(found.grad_max_rel),
        device=number(result.device),
        paddle=result.paddle,
        revision=result.revision,
        hook=part.hook,
        command=_public(part.command or _command(result, mode), result.paddle),
        reason=spoken(said),
        said=said,
        off=part.ran.get(DYNAMIC, {}),
        ran=part.ran.get(mode, {}),
        bad_legs=found.bad_legs,
        edited=frozenset(result.edited or ()) - part.hooks.keys(),
    )


def _why(found: ModeResult) -> tuple[Reason, ...]:
    if found.speaks_for_itself:
        return ()
    advice = found.advice or (Reason.said(found.hint) if found.hint else None)
    return (*found.sentences, advice) if advice else found.sentences


def _command(result: Result, mode: str) -> str:
    words = ["codemod", "parity", result.kit, "-c", result.config]
    steps = result.modes[mode].steps
    words += [] if steps is None else ["--steps", str(steps)]
    words += ["--modes", f"{DYNAMIC},{mode}"]
    return shlex.join([*words, *(["--device", result.device] if result.device else [])])


def _public(command: str, paddle: str | None) -> str:
    """The command as others can run it: in their own clone, with their own Python.

    The options are those that the tool takes: a run of two processes is recorded as on `2xcpu`,
    and one that ended before its first step as of no steps.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return shlex.quote(command)
    kept: list[str] = []
    at = 0
    while at < len(words):
        option, value = words[at], words[at + 1] if at + 1 < len(words) else ""
        if option not in _OPTIONS:
            kept.append(option)
            at += 1
            continue
        kept += _as_given(option, value)
        at += 2
    if "--path" not in kept:  # without it the kit as it is fetched would be run, unchanged
        kept += ["--path", "."]
    if paddle and "--paddle" not in kept:
        kept += ["--paddle", paddle]
    return shlex.join(kept)


_OPTIONS = ("--path", "--python", "--workspace", "--device", "--steps")


def _as_given(option: str, value: str) -> list[str]:
    """An option with its value, as a user would give it; nothing where only we need it."""
    if option == "--path":
        return ["--path", "."]
    if option == "--steps":
        return [option, value] if value != "0" else []
    if option == "--device":
        count, each = processes_on(value)
        return ["--nproc", str(count), option, each] if count > 1 else [option, value]
    return []


def _pictures(kept: KeptResult, workspace: Path) -> list[Path]:
    """The pictures that the result names; of one picture in two formats, the PNG.

    A result may come from elsewhere: it names pictures of the workspace, or none.
    """
    named = kept.result.parity.pictures if kept.result.parity else ()
    found = [kept.file.parent / name for name in named]
    inside = [path for path in found if path.resolve().is_relative_to(workspace.resolve())]
    there = [path for path in inside if path.suffix in PICTURES and path.is_file()]
    return [
        path for path in there if path.suffix == ".png" or path.with_suffix(".png") not in there
    ]
