"""D-22: a list of tensors is sorted by Python."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`sorted(tensors)` and `tensors.sort()` without a key."""
    for call, name in reached.calls:
        if call.keywords:
            continue
        if name == "sorted" and call.args and holds(reached, call.args[0]):
            yield call, "tensors are sorted by Python"
    for call, base, _ in reached.methods("sort"):
        if isinstance(base, ast.Name) and holds(reached, base) and not call.keywords:
            yield call, "tensors are sorted by Python"


def holds(reached: Reached, node: ast.expr) -> bool:
    """A list of tensors, not a mapping's items (whose keys decide) nor a tensor."""
    kind = reached.kind(node)
    return kind.is_data and not kind.has(Flag.TENSOR) and not kind.items


HAZARD = Hazard(
    "D-22",
    "list-sort",
    verdicts("wrong error error eager"),
    "Use paddle.sort.",
    "改用 paddle.sort。",
    find,
)
