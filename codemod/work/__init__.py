"""The use cases, from a target to a result, whoever asks for it.

Each takes one request and gives one result. What a user can mend is a `CodemodError`, in one
sentence with its remedy. A use case is loaded when it is asked for: importing this costs nothing.

>>> from codemod.work import Request
>>> Request("PaddleSeg", switch="env").fixes
False
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codemod.work.auditing import Audit, AuditRequest, check
    from codemod.work.mending import Fixed, FixRequest, ProofRequest, fix, prove
    from codemod.work.planning import PlanOutcome, Request, plan
    from codemod.work.surveying import survey

__all__ = [
    "Audit",
    "AuditRequest",
    "FixRequest",
    "Fixed",
    "PlanOutcome",
    "ProofRequest",
    "Request",
    "check",
    "fix",
    "plan",
    "prove",
    "survey",
]
_HOMES = {
    "auditing": ("Audit", "AuditRequest", "check"),
    "mending": ("Fixed", "FixRequest", "ProofRequest", "fix", "prove"),
    "planning": ("PlanOutcome", "Request", "plan"),
    "surveying": ("survey",),
}


def __getattr__(name: str) -> Any:
    """A use case, its request or its result, loaded now."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"{__name__} has no {name}")
