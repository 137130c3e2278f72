"""D-25: Python state on the layer is counted up in forward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import is_self_attribute, reads_itself

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`self.n += 1` and `self.n = self.n ...` where the attribute is a Python value."""
    for node in reached.statements:
        if isinstance(node, ast.AugAssign):
            target: ast.expr | None = node.target
            counted = True
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            counted = reads_itself(target, node.value)
        else:
            continue
        plain = is_self_attribute(target) and reached.kind(target).is_python
        if counted and plain and reached.owner is not None:
            yield node, f"{ast.unparse(target)} is counted in forward"  # type: ignore[arg-type]


HAZARD = Hazard(
    "D-25",
    "self-counter",
    verdicts("wrong wrong ok ok"),
    "Register a buffer and write self.n = self.n + 1.",
    "注册为 buffer，并写成 self.n = self.n + 1。",
    find,
)
