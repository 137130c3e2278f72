"""D-70: a name-mangled attribute is read in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import is_self_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`self.__name` (two underscores in front, none behind)."""
    for node in reached.nodes:
        name = node.attr if isinstance(node, ast.Attribute) and is_self_attribute(node) else ""
        if name.startswith("__") and not name.endswith("__"):
            yield node, f"self.{name} is mangled by its class"


HAZARD = Hazard(
    "D-70",
    "private-name",
    verdicts("error error ok ok"),
    "Rename self.__name to self._name.",
    "把 self.__name 改名为 self._name。",
    find,
)
