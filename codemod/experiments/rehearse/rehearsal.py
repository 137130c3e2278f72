"""Each inserted hook's trainer, run on the stand-in before and after the change, and judged."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import zip_longest
from pathlib import Path
from typing import Any

from codemod.audit.findings import Finding, Level
from codemod.base import given
from codemod.base.changeset import ChangeSet, Hook, Status
from codemod.base.grouping import grouped
from codemod.base.json_form import named
from codemod.base.launch.start import Bounds, Box, own_folders, start
from codemod.base.reason import NO_REASON, Reason
from codemod.base.terminal.doing import doing
from codemod.base.terminal.spoken import told
from codemod.experiments.rehearse.order import wrong_order
from codemod.kits.paddles import measured

_INSIDE = Path(__file__).parent / "inside"
_RUN = """import sys
sys.path.insert(0, sys.argv[1])
from rehearsal_inside.stage import main
main(sys.argv[2])
"""
# What made-up conditions are worth follows from a seed: one of them leads to the hook.
SEEDS = 12
# Before, off and on; a script has a fourth run, with its gate forced.
SCOPE_RUNS = 3
TOP = "<module>"
BOUNDS = Bounds(memory_mb=4_000, processes=64, file_mb=200)
# The seconds of one scope, all runs together.
PATIENCE_S = 60
_VARIABLE = re.compile(r"^([A-Z][A-Z0-9_]*)=(\S+)")
_NAMES = re.compile(r"\w+")


class RehearsalOutcome(str, Enum):
    """What a rehearsal found: the change holds, must be refused, or could not be looked at."""

    HOLDS = "holds"
    REFUSED = "refused"
    NOT_RUN = "not-run"


_WORDS = {
    RehearsalOutcome.HOLDS: Reason.of("experiments.rehearsed"),
    RehearsalOutcome.REFUSED: Reason.of("experiments.refused"),
    RehearsalOutcome.NOT_RUN: Reason.of("experiments.not-run"),
}


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The rehearsal of the hooks of one scope.

    `level` is "script" where the whole script ran, and "scope" where that scope ran alone, with
    what it needs made up. `reason` says why it is refused, or why it could not be run.
    """

    file: str
    scope: str
    hooks: int
    outcome: RehearsalOutcome
    level: str = ""
    reason: Reason | None = None

    def line(self) -> str:
        """The rehearsal in one line for people."""
        whole = Reason.of("experiments.whole-script"), Reason.of("experiments.scope-alone")
        said = told(self.reason or whole[self.level != "script"])
        return f"{told(_WORDS[self.outcome]):9}  {self.file}  {self.scope}  {said}"

    def to_json(self) -> dict[str, Any]:
        """An entry of `rehearsed` in `apply --json`."""
        return {
            **named(self, "file", "scope", "hooks", "outcome"),
            "level": self.level or None,
            "reason": self.reason.text() if self.reason else None,
            **(self.reason.to_json() if self.reason else NO_REASON),
        }


def rehearse(change: ChangeSet) -> tuple[Rehearsal, ...]:
    """The rehearsal of every scope that the change hooks; its code runs in a box.

    Raises:
        OSError: no process can be started.
    """
    planned = (hook for hook in change.hooks if hook.status is Status.INSERTED)
    groups = grouped(((hook.file, hook.scope), hook) for hook in planned)
    jobs = [_job(change, file, scope, hooks) for (file, scope), hooks in groups.items()]
    if not jobs:
        return ()
    doing("Rehearsing the change on a stand-in for Paddle")
    found = _played(_trees(change), jobs)
    with given.believed("What the script's process says"):
        return tuple(
            Rehearsal(file, scope, len(hooks), *_judged(told))
            for ((file, scope), hooks), told in zip_longest(groups.items(), found[: len(groups)])
        )


def _job(change: ChangeSet, file: str, scope: str, hooks: Sequence[Hook]) -> dict[str, Any]:
    """The runs of one scope: its script, then the scope by itself with each seed."""
    old, new = (_trees(change)[name][file] for name in ("before", "after"))
    words: list[str] = []
    variables: dict[str, str] = {}
    for switch in dict.fromkeys(hook.switch or "" for hook in hooks):
        if found := _VARIABLE.match(switch):
            variables[found[1]] = found[2]
        elif switch.startswith(("-", "+")):
            words += switch.split()
    stages: list[list[dict[str, Any]]] = []
    script = [("script", 0)] if "__main__" in old or scope == TOP else []
    for level, seed in (*script, *(("scope", seed) for seed in range(SEEDS))):
        plain = {"level": level, "seed": seed, "words": [], "variables": {}, "on": False}
        on = {**plain, "tree": "after", "words": words, "variables": variables, "on": True}
        stages.append([{**plain, "tree": "before"}, {**plain, "tree": "after"}, on])
    if script:
        # A key of a config that the script makes itself: what the gate guards is run all the same.
        stages[0].append({**stages[0][-1], "forced": _forced(new, hooks)})
    return {
        "root": str(change.source.root),
        "file": file,
        "scope": scope,
        "paddle": measured()[-1],
        "switches": sorted({name for hook in hooks for name in _switches(hook.gate or "")}),
        "message": "Training runs under paddle.jit.to_static.",
        "stages": stages,
    }


def _trees(change: ChangeSet) -> dict[str, dict[str, str]]:
    """The changed files, before and after."""
    return {
        "before": {one.path: _text(one.old) for one in change.changes},
        "after": {one.path: _text(one.new) for one in change.changes},
    }


def _forced(text: str, hooks: Sequence[Hook]) -> str:
    """A changed file whose hooks act whatever its config says."""
    for gate in {hook.gate for hook in hooks if hook.gate}:
        text = text.replace(f"if {gate}:", "if True:")
    return text


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _switches(gate: str) -> list[str]:
    """The names by which a gate reads its switch."""
    names = _NAMES.findall(gate)
    static = [name for name in names if "static" in name.lower()]
    return static or names[-1:]


def _played(
    trees: dict[str, dict[str, str]], jobs: list[dict[str, Any]]
) -> list[list[list[dict[str, Any]]]]:
    """What the boxed process says of each job, as far as it came."""
    with tempfile.TemporaryDirectory(prefix="rehearsal-") as scratch:
        home = Path(scratch, "home")
        # Beside what the box may write: it is read after.
        listed, said = Path(scratch, "jobs.json"), Path(scratch, "said")
        # The folder that a made-up path leads to.
        (home / "made-up").mkdir(parents=True)
        listed.write_text(json.dumps({"trees": trees, "jobs": jobs}), encoding="utf-8")
        command = [sys.executable, "-I", "-B", "-c", _RUN, str(_INSIDE), str(listed)]
        box = Box(home, replace(BOUNDS, wall_s=PATIENCE_S * len(jobs)), contained=True)
        with said.open("wb") as out:
            env = {**own_folders(home), "PYTHONHASHSEED": "0"}
            start(command, box, cwd=home, env=env, stdout=out).wait()
        with given.believed("What the script's process says"):
            return [json.loads(line) for line in given.lines(said) if line.endswith(b"]")]


def _judged(
    stages: list[list[dict[str, Any]]] | None,
) -> tuple[RehearsalOutcome, str, Reason | None]:
    """The whole script's word, else the first that a scope by itself gives; None was lost."""
    if stages is None:
        return RehearsalOutcome.NOT_RUN, "", Reason.of("experiments.rehearsal-ended")
    error, level = "", ""
    for runs in stages:
        before, off, on = runs[:3]
        here = "script" if len(runs) > SCOPE_RUNS else "scope"
        if why := _differs(before, off):
            return RehearsalOutcome.REFUSED, here, why
        if not _reaches(on):
            on = runs[-1]
        if not _reaches(on):
            error = on["error"] or error
            continue
        happened = [(what, model) for what, model in on["events"]]
        if why := wrong_order(happened, on["covers"], told=True):
            return RehearsalOutcome.REFUSED, here, why
        level = level or here
    if level:
        return RehearsalOutcome.HOLDS, level, None
    if error:
        return RehearsalOutcome.NOT_RUN, "", Reason.of("experiments.rehearsal-raises", error=error)
    return RehearsalOutcome.NOT_RUN, "", Reason.of("experiments.hook-not-reached")


def _reaches(run: dict[str, Any]) -> bool:
    return any(what.startswith("hook") for what, _ in run["events"])


def _differs(before: dict[str, Any], off: dict[str, Any]) -> Reason | None:
    """The first event that differs with the switch off, or the error that only the change has."""
    if before["error"] != off["error"]:
        ends = [one["error"] or Reason.of("experiments.no-error") for one in (before, off)]
        return Reason.of("experiments.off-raises", before=ends[0], after=ends[1])
    pairs = zip_longest(before["events"], off["events"], fillvalue=["nothing", ""])
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            return Reason.of(
                "experiments.off-differs",
                number=number,
                before=" ".join(one).strip(),
                after=" ".join(other).strip(),
            )
    return None


REFUSED = "rehearsal-refused"


def findings(rehearsed: Iterable[Rehearsal]) -> tuple[Finding, ...]:
    """One finding for each scope whose hooks a rehearsal refuses."""
    return tuple(
        Finding(
            REFUSED,
            Level.ERROR,
            one.file,
            None,
            Reason.of("findings.rehearsal-refused", scope=one.scope, why=one.reason),
        )
        for one in rehearsed
        if one.outcome is RehearsalOutcome.REFUSED and one.reason is not None
    )
