"""D-35: a value is asked whether it is a `paddle.Tensor`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted
from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`isinstance(x, paddle.Tensor)` and `type(x) is paddle.Tensor`."""
    for node in reached.nodes:
        if isinstance(node, ast.Call) and dotted(node.func) == "isinstance":
            asked = alternatives(node.args[1]) if len(node.args) == 2 else []
            if any(is_tensor_class(reached, c) for c in asked):
                yield node, ast.unparse(node)
        elif isinstance(node, ast.Compare) and any(
            is_type_of(node.left) and is_tensor_class(reached, c) for c in node.comparators
        ):
            yield node, ast.unparse(node)


def alternatives(classes: ast.expr) -> list[ast.expr]:
    """The classes that an `isinstance` asks for."""
    return classes.elts if isinstance(classes, ast.Tuple) else [classes]


def is_type_of(node: ast.expr) -> bool:
    """`type(x)`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"


def is_tensor_class(reached: Reached, node: ast.expr) -> bool:
    """`paddle.Tensor` under any of its names; a static `Variable` beside it does not help."""
    name = reached.index.canonical(reached.function.module, dotted(node) or "")
    return name.startswith("paddle.") and name.endswith(".Tensor")


HAZARD = Hazard(
    "D-35",
    "isinstance-tensor",
    verdicts("wrong wrong ok ok"),
    "Ask paddle.is_tensor(x), or test for list and tuple.",
    "改用 paddle.is_tensor(x)，或判断 list/tuple。",
    find,
)
