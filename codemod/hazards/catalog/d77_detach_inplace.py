"""D-77: arithmetic on a detached tensor: the in-place pass writes it into the tensor itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.model import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.model import Finding
    from codemod.hazards.reached import Reached

ARITHMETIC = (ast.Mult, ast.Add, ast.Sub, ast.Div)


def find(reached: Reached) -> Iterator[Finding]:
    """`t.detach() * s`: the left operand's memory is that of `t`, and is taken for free."""
    for node in reached.nodes:
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ARITHMETIC)
            and _detached(node.left)
            and reached.kind(node.left).is_data
        ):
            yield node, f"{ast.unparse(node.left)} goes into arithmetic"


def _detached(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "detach"
        and not _cloned(node.func.value)
    )


def _cloned(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "clone"
    )


HAZARD = Hazard(
    "D-77",
    "detach-inplace",
    verdicts("ok ok wrong wrong"),
    "Write t.clone().detach(), or train with FLAGS_pir_apply_inplace_pass=0.",
    "改用 t.clone().detach()，或设置 FLAGS_pir_apply_inplace_pass=0。",
    find,
)
