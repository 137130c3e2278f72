"""What was ended from outside says nothing of the kit: the reasons that tell so, and no evidence.

A signal that somebody sent, or a time limit that left static training too little.
"""

from __future__ import annotations

from collections.abc import Iterable

from codemod.base.reason import Reason

DYNAMIC_KILLED = "judging.dynamic-killed"
STATIC_KILLED = "judging.static-killed"
CONTROL_ENDED = "judging.control-ended"
SHORT_LIMIT = "judging.limit-short"
PROBE_KILLED = "experiments.killed"
_CODES = frozenset({DYNAMIC_KILLED, STATIC_KILLED, CONTROL_ENDED, SHORT_LIMIT, PROBE_KILLED})


def ended_from_outside(said: Iterable[Reason]) -> bool:
    """Whether a judgement's sentences say that a run did not come to an end of its own."""
    return any(one.code in _CODES for one in said)
