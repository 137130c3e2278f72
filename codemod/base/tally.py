"""How many hooks a change set has, in the same words wherever a command says so.

A planned hook and a call of `to_static` are two things: one hook may write several calls, or
widen a helper that calls go through. What the code has is therefore counted in calls, what would
be or was written in hooks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from codemod.base.changeset import Hook, Status
from codemod.base.reason import Reason

if TYPE_CHECKING:
    from codemod.base.messages import Language


def hook_counts(hooks: Iterable[Hook], *, written: bool, language: Language = "en") -> str:
    """Such as `1 hook to insert, 7 to_static calls present`; once `written`, `1 hook inserted`.

    A hook of the kit's own that changes its place is `1 hook to move`, or `1 hook moved`.
    """
    found = Counter(
        "moved" if hook.moved_from and hook.status is Status.INSERTED else hook.status
        for hook in hooks
    )
    new, moved = found[Status.INSERTED], found["moved"]
    counts = (
        Reason.of("base.hooks-inserted", number=new)
        if written
        else Reason.of("base.hooks-to-insert", number=new),
        Reason.of("base.hooks-moved", number=moved)
        if written
        else Reason.of("base.hooks-to-move", number=moved),
        Reason.of("base.calls-present", number=found[Status.PRESENT]),
        Reason.of("base.hooks-unplaced", number=found[Status.UNPLACED]),
    )
    told = tuple(one for one in counts if one["number"])
    made = Reason.of("base.several", parts=told) if told else Reason.of("base.no-hooks")
    return made.text(language)
