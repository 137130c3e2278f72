"""D-24: a tensor is looked for in a Python container."""

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
    """`tensor in [...]` and `list.index(tensor)`."""
    for node in reached.nodes:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            where = reached.kind(node.comparators[0])
            listed = where.flags and not where.has(Flag.TENSOR)
            if reached.kind(node.left).is_tensor and listed:
                yield node, f"{ast.unparse(node)} is decided at the trace"
    for call, base, _ in reached.methods("index"):
        if call.args and reached.kind(call.args[0]).is_tensor and not reached.kind(base).is_tensor:
            yield call, f"{ast.unparse(call)} is decided at the trace"


HAZARD = Hazard(
    "D-24",
    "tensor-in-list",
    verdicts("wrong error wrong wrong"),
    "Write paddle.logical_or(n == a, n == b).",
    "改用 paddle.logical_or(n == a, n == b)。",
    find,
)
