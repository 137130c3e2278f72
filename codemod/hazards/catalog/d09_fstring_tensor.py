"""D-09: a tensor is written into a text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import in_message, shows_tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """f-strings, `%` and `.format` with a tensor, but not the text of an error."""
    for node in reached.nodes:
        text = isinstance(node, ast.JoinedStr) or is_format(node)
        if text and not in_message(reached, node) and shows_tensor(reached, node):  # type: ignore[arg-type]
            yield node, "a tensor is written into a text"


def is_format(node: ast.AST) -> bool:
    """`"..." % x` or `"...".format(x)`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
        and isinstance(node.func.value, ast.Constant)
    )


HAZARD = Hazard(
    "D-09",
    "fstring-tensor",
    verdicts("error error error break"),
    "Format tensors outside of forward.",
    "移到 forward 之外。",
    find,
)
