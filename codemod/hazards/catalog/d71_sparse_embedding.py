"""D-71: an embedding with sparse gradients."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.model import Hazard, verdicts
from codemod.hazards.patterns import named_in, own_constructor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.model import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`nn.Embedding(..., sparse=True)` in the constructor, and `F.embedding` in forward."""
    made = own_constructor(reached)
    for call in named_in(reached, made, "paddle.nn.Embedding") if made is not None else ():
        if is_sparse(made, call):
            yield call, "the table's gradient is sparse: it becomes dense, or none on 2.6"
    for call, name in reached.calls:
        if name == "paddle.nn.functional.embedding" and is_sparse(reached.function.node, call):
            yield call, "the table's gradient is sparse: it becomes dense, or none on 2.6"


def is_sparse(function: ast.AST | None, call: ast.Call) -> bool:
    """`sparse=True`, also by a local name that is first set to True."""
    value = next((k.value for k in call.keywords if k.arg == "sparse"), None)
    if isinstance(value, ast.Name) and function is not None:
        bound = (
            node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            and any(isinstance(t, ast.Name) and t.id == value.id for t in node.targets)
        )
        value = next(bound, None)
    return isinstance(value, ast.Constant) and value.value is True


HAZARD = Hazard(
    "D-71",
    "sparse-embedding",
    verdicts("wrong wrong wrong wrong"),
    "Pass sparse=False.",
    "设置 sparse=False。",
    find,
)
