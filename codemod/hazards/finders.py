"""The functions that look for hazards, by the hazard's id."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from codemod.base.reason import Reason
from codemod.hazards.reach.reached import Reached

Match = tuple["ast.AST", Reason]
"""A node that shows a hazard, and what is there: a code of `base/messages/hazards.yaml`."""
Finder = Callable[["Reached"], Iterator[Match]]
FINDERS: dict[str, Finder] = {}


def finds(hazard: str) -> Callable[[Finder], Finder]:
    """Register a function as the one that looks for a hazard, given by its id (`D-01`)."""

    def register(finder: Finder) -> Finder:
        FINDERS[hazard] = finder
        return finder

    return register
