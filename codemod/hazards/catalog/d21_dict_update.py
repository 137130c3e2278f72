"""D-21: a mapping of tensors is updated with `.update`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.model import Hazard, verdicts
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.model import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`d.update(tensors)` of a local mapping."""
    for call, base, _ in reached.methods("update"):
        held = [*call.args, *(keyword.value for keyword in call.keywords)]
        local = isinstance(base, ast.Name) and not reached.kind(base).has(Flag.LAYER)
        if local and any(reached.kind(value).is_data for value in held):
            yield call, "a mapping of tensors is updated"


HAZARD = Hazard(
    "D-21",
    "dict-update",
    verdicts("wrong ok eager eager"),
    "Assign the keys: d['k'] = v.",
    "逐个赋值：d['k'] = v。",
    find,
)
