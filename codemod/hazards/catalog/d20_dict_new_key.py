"""D-20: a mapping gets new keys in a loop that a tensor bounds."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import tensor_loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`d["k"] = tensor` in a tensor-bounded loop, the key absent above."""
    for loop in tensor_loops(reached):
        for node in ast.walk(loop):
            for target in node.targets if isinstance(node, ast.Assign) else ():
                key = target.slice if isinstance(target, ast.Subscript) else None
                named = isinstance(key, ast.Constant) and isinstance(key.value, str)
                if named and not set_above(reached, target, loop):
                    yield node, f"{ast.unparse(target)} is new in the loop"


def set_above(reached: Reached, target: ast.expr, loop: ast.stmt) -> bool:
    """Whether the same entry is assigned above the loop."""
    text = ast.unparse(target)
    return any(
        isinstance(node, ast.Assign)
        and node.lineno < loop.lineno
        and any(ast.unparse(t) == text for t in node.targets)
        for node in reached.statements
    )


HAZARD = Hazard(
    "D-20",
    "dict-new-key",
    verdicts("error error break eager"),
    "Add the keys before the loop.",
    "在循环之前加入这些键。",
    find,
)
