"""One program before and after the change, run on the stand-in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.programs import played, switched_on, wrong_order
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


def tried(source: str, root: Path) -> Result:
    """Plans, changes and runs one program: off as it was, on in the right order."""
    raw = source.encode()
    plain = played(raw)
    (root / "train.py").write_bytes(raw)
    made = plan_change(Source(None, root, None)).change_set()
    inserted = [hook for hook in made.hooks if hook.status is Status.INSERTED]
    reasons = tuple(hook.reason for hook in made.hooks) + tuple(s.reason for s in made.skipped)
    switches = tuple(dict.fromkeys(hook.switch or "" for hook in inserted))
    if not inserted:
        return Result((), reasons, "" if reasons else "passed over in silence")
    (change,) = made.changes
    fault = ""
    try:
        if played(change.new) != plain:
            fault = "differs with the switch off"
        else:
            fault = wrong_order(switched_on(change.new, switches[0]))
    except (Exception, SystemExit) as stopped:
        fault = f"does not run: {type(stopped).__name__} {stopped}"
    return Result(switches, reasons, fault, change.new.decode())
