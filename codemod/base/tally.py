"""How many hooks a change set has, in the same words wherever a command says so.

A planned hook and a call of `to_static` are two things: one hook may write several calls, or
widen a helper that calls go through. What the code has is therefore counted in calls, what would
be or was written in hooks.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codemod.base.changeset import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codemod.base.changeset import Hook


def hook_counts(hooks: Iterable[Hook], *, written: bool) -> str:
    """Such as `1 hook to insert, 7 to_static calls present`; once `written`, `1 hook inserted`."""
    found = Counter(hook.status for hook in hooks)
    words = {
        Status.INSERTED: ("hook", "inserted" if written else "to insert"),
        Status.PRESENT: ("to_static call", "present"),
        Status.UNPLACED: ("hook", "unplaced"),
    }
    parts = [
        f"{found[status]} {noun}{'' if found[status] == 1 else 's'} {state}"
        for status, (noun, state) in words.items()
        if found[status]
    ]
    return ", ".join(parts) or "no hooks"
