"""One program before and after the change, run on the stand-in."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.programs import wrong_order
from bench.programs.judged import switched
from bench.programs.played import play
from codemod.base.changeset import Source, Status
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Result:
    """What became of a program: its switches, the reasons told, and what is wrong."""

    switches: tuple[str, ...]
    reasons: tuple[str, ...]
    fault: str = ""
    new: str = ""


def tried(source: str | dict[str, str], root: Path) -> Result:
    """Plans, changes and runs one program: off as it was, on in the right order."""
    texts = {"train.py": source} if isinstance(source, str) else source
    files = {path: textwrap.dedent(text).encode() for path, text in texts.items()}
    plain = play(files)
    assert plain.error == ""
    for path, raw in files.items():
        (root / path).write_bytes(raw)
    made = plan_change(Source(None, root, None)).change_set()
    hooks = [hook for hook in made.hooks if hook.status is Status.INSERTED]
    reasons = tuple(str(hook.reason) for hook in made.hooks)
    reasons += tuple(str(skip.reason) for skip in made.skipped)
    if not hooks:
        return Result((), reasons, "" if reasons else "passed over in silence")
    new = {**files, **{change.path: change.new for change in made.changes}}
    switches = tuple(dict.fromkeys(hook.switch or "" for hook in hooks))
    shown = "\n".join(change.new.decode() for change in made.changes)
    off = play(new)
    if (off.events, off.error) != (plain.events, ""):
        return Result(switches, reasons, f"differs with the switch off {off.error}", shown)
    changed, words, variables = switched(new, hooks)
    on = play(changed, words, variables)
    fault = on.error or wrong_order(on.events, on.covers)
    return Result(switches, reasons, fault, shown)
