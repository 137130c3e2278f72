"""What became of a program: planned, changed, run with the switch off and on, and judged."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench.programs.grammar import Program, drawn
from bench.programs.played import Play, play
from codemod.base.changeset import Source, Status
from codemod.engine import plan_change
from codemod.experiments.rehearse import order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from codemod.base.changeset import ChangeSet, Hook
    from codemod.experiments.rehearse.inside.rehearsal_inside.journal import Event

RIGHT, WRONG, SILENT, ABSTAINED = "right", "wrong", "silent", "abstained"
_IN_CONFIG = re.compile(r"^([\w.]+): True in the config$")


@dataclass(frozen=True)
class Answer:
    """What became of one program: `fault` says what is wrong with it, if anything."""

    seed: int
    outcome: str
    fault: str = ""
    pairs: frozenset[tuple[str, str]] = frozenset()


@dataclass
class Tally:
    """The sums over many programs."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[int]] = field(default_factory=dict)
    pairs: set[tuple[str, str]] = field(default_factory=set)

    def add(self, answer: Answer) -> None:
        """Count one more."""
        self.outcomes[answer.outcome] += 1
        self.pairs |= answer.pairs
        if answer.outcome in (WRONG, SILENT):
            self.faults.setdefault(answer.fault, []).append(answer.seed)


def wrong_order(
    events: Sequence[Event], covers: Mapping[str, Collection[str]], told: bool = False
) -> str:
    """What is wrong with where the hooks stood when things happened; empty when nothing is."""
    why = order.wrong_order(events, covers, told=told)
    return why.text() if why else ""


def switched(
    files: dict[str, bytes], hooks: Iterable[Hook]
) -> tuple[dict[str, bytes], list[str], dict[str, str]]:
    """The files, words and variables with which a user turns the hooks on."""
    words: dict[str, None] = {}
    variables: dict[str, str] = {}
    for hook in hooks:
        switch = hook.switch or ""
        if found := _IN_CONFIG.match(switch):
            files = _with_key(files, found[1].rpartition(".")[2].encode())
        elif switch.startswith(("-", "+")):
            words |= dict.fromkeys(switch.split())
        elif "=" in switch:
            name, _, value = switch.split()[0].partition("=")
            variables[name] = value
    return files, list(words), variables


def _with_key(files: dict[str, bytes], key: bytes) -> dict[str, bytes]:
    """The files with the switch in their config, whichever form that has."""
    made = {}
    for path, text in files.items():
        text = text.replace(b'{"epochs": 1}', b'{"epochs": 1, "%s": true}' % key)
        text = text.replace(b"'epochs': 1}", b"'epochs': 1, '%s': True}" % key)
        text = text.replace(b"['epochs', 1]", b"['epochs', 1, '%s', True]" % key)
        made[path] = text.replace(b".%s = False" % key, b".%s = True" % key)
    return made


def changed(program: Program) -> tuple[ChangeSet, dict[str, bytes]]:
    """The change of a program, and its files with it."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "kit")
        root.mkdir()
        for path, text in program.files.items():
            (root / path).write_bytes(text)
        made = plan_change(Source(None, root, None)).change_set()
    return made, {**program.files, **{one.path: one.new for one in made.changes}}


def ask(seed: int) -> Answer:
    """Plan, change and run the program of a seed."""
    return asked(drawn(seed))


def asked(program: Program) -> Answer:
    """Plan, change and run one program.

    Raises:
        ValueError: the program does not run as it is, which is a fault of the grammar.
    """
    plain = play(program.files, program.words)
    if plain.error:
        raise ValueError(f"program {program.seed} does not run: {plain.error}")
    made, files = changed(program)
    hooks = [hook for hook in made.hooks if hook.status is Status.INSERTED]
    left = [hook for hook in made.hooks if hook.status is Status.UNPLACED] or made.skipped
    pairs = program.pairs
    if not hooks:
        if left:
            return Answer(program.seed, ABSTAINED, "", pairs)
        return Answer(program.seed, SILENT, "passed over in silence", pairs)
    fault = _fault(program, plain, files, hooks, bool(left))
    return Answer(program.seed, WRONG if fault else RIGHT, fault, pairs)


def _fault(
    program: Program, plain: Play, files: dict[str, bytes], hooks: list[Hook], told: bool
) -> str:
    off = play(files, program.words)
    if off.error:
        return f"raises with the switch off: {off.error.partition(':')[0]}"
    if off.events != plain.events:
        hooked = any(what.startswith("hook") for what, _ in off.events)
        return "on by default" if hooked else "differs with the switch off"
    switched_files, words, variables = switched(files, hooks)
    on = play(switched_files, [*program.words, *words], variables)
    if fault := wrong_order(on.events, on.covers, told):
        return f"{fault} ({on.error.partition(':')[0]})" if on.error else fault
    if on.error:
        return f"raises with the switch on: {on.error.partition(':')[0]}"
    rest = tuple(event for event in on.events if event[0] != "hook")
    return "" if rest == plain.events else "differs with the switch on"
