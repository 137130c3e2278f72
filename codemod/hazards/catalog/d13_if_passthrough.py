"""D-13: a branch of a tensor `if` hands on an outer variable unchanged."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import bound_before, loaded_after, stored, tensor_ifs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`b = y` in a branch, or `out = y` above and rebound in one branch, with `y` read below."""
    for node in tensor_ifs(reached):
        for name, source in [*aliases(node), *kept(reached, node)]:
            if loaded_after(reached, source, node) and loaded_after(reached, name, node):
                yield node, f"{name} is {source} itself on one way, and {source} is used below"
                break


def aliases(node: ast.If) -> list[tuple[str, str]]:
    """`b = y` in one of the branches."""
    return [
        (statement.targets[0].id, statement.value.id)
        for statement in (*node.body, *node.orelse)
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and isinstance(statement.value, ast.Name)
    ]


def kept(reached: Reached, node: ast.If) -> list[tuple[str, str]]:
    """`out = y` above, and one branch that binds `out` anew."""
    found = []
    for name in stored(node.body).keys() ^ stored(node.orelse).keys():
        values = bound_before(reached, name, node)
        if values and isinstance(values[-1], ast.Name) and reached.kind(values[-1]).is_data:
            found.append((name, values[-1].id))
    return found


HAZARD = Hazard(
    "D-13",
    "if-passthrough",
    verdicts("ok wrong ok ok"),
    "Clone before the if what a branch hands through unchanged.",
    "在 if 之前对该变量 .clone()。",
    find,
)
