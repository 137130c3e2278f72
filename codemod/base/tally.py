"""How many hooks a change set has, in the same words wherever a command says so.

A planned hook and a call of `to_static` are two things: one hook may write several calls, or
widen a helper that calls go through. What the code has is therefore counted in calls, what would
be or was written in hooks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from codemod.base.changeset import Hook, Status


def hook_counts(hooks: Iterable[Hook], *, written: bool) -> str:
    """Such as `1 hook to insert, 7 to_static calls present`; once `written`, `1 hook inserted`.

    A hook of the kit's own that changes its place is `1 hook to move`, or `1 hook moved`.
    """
    found = Counter(
        "moved" if hook.moved_from and hook.status is Status.INSERTED else hook.status
        for hook in hooks
    )
    words = {
        Status.INSERTED: ("hook", "inserted" if written else "to insert"),
        "moved": ("hook", "moved" if written else "to move"),
        Status.PRESENT: ("to_static call", "present"),
        Status.UNPLACED: ("hook", "unplaced"),
    }
    parts = [
        f"{found[kind]} {noun}{'' if found[kind] == 1 else 's'} {state}"
        for kind, (noun, state) in words.items()
        if found[kind]
    ]
    return ", ".join(parts) or "no hooks"
