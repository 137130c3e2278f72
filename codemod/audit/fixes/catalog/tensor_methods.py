"""Methods of tensors that a static graph's variables lack."""

from __future__ import annotations

import ast

from codemod.audit.fixes.remedy import mends, reread, source_of
from codemod.base.reason import Reason, Refusal
from codemod.engine.rewrite.ops import Action
from codemod.hazards.patterns import is_dtype
from codemod.hazards.reach.reached import Reached


@mends("D-89")
def cast_by_astype(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`x.to(dtype)` becomes `x.astype(dtype)`; what may be a device or a tensor is refused."""
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    wanted = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "dtype")]
    if len(wanted) != len(node.args) + len(node.keywords) or len(wanted) != 1:
        return Refusal(Reason.of("audit.more-than-dtype"))
    if not is_dtype(reached, wanted[0]):
        return Refusal(Reason.of("audit.no-dtype"))
    # The brackets around what is converted stand before the method's name.
    method = source_of(reached, node.func).removesuffix("to") + "astype"
    return reread(reached, node, f"{method}({source_of(reached, wanted[0])})")
