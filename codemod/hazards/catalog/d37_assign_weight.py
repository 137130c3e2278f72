"""D-37: a layer's weight is replaced by a computed tensor in forward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted
from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import assigned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`self.layer.weight = tensor`, also by `setattr`."""
    for node, target in assigned(reached):
        weight = isinstance(target, ast.Attribute) and target.attr in ("weight", "bias")
        own = (dotted(target) or "").count(".") == 1
        if weight and not own and is_computed(reached, node):
            yield node, f"{ast.unparse(target)} is replaced"
    for call, name in reached.calls:
        if name == "setattr" and len(call.args) == 3 and reached.kind(call.args[2]).is_tensor:
            yield call, f"{ast.unparse(call)} replaces an attribute by a tensor"


def is_computed(reached: Reached, node: ast.Assign) -> bool:
    """Whether a tensor is assigned, not a layer's other weight."""
    return reached.kind(node.value).is_data or isinstance(node.value, (ast.Call, ast.BinOp))


HAZARD = Hazard(
    "D-37",
    "assign-weight",
    verdicts("wrong error error error"),
    "Call the functional with the computed weight.",
    "用计算出的权重调用 functional。",
    find,
)
