"""D-71: an embedding with sparse gradients."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from codemod.code.module import below
from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import named_in, own_constructor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.index import AnyFunction
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`nn.Embedding(..., sparse=True)` in the constructor, and `F.embedding` in forward."""
    made = own_constructor(reached)
    for call in named_in(reached, made, "paddle.nn.Embedding") if made is not None else ():
        if is_sparse(reached, made, call):
            yield call, "the table's gradient is sparse: it becomes dense, or none on 2.6"
    for call, name in reached.calls:
        if name == "paddle.nn.functional.embedding" and is_sparse(
            reached, reached.function.node, call
        ):
            yield call, "the table's gradient is sparse: it becomes dense, or none on 2.6"


def is_sparse(reached: Reached, function: AnyFunction | None, call: ast.Call) -> bool:
    """`sparse=True`, also by a name that is set to True in the function or beside its file."""
    value = next((k.value for k in call.keywords if k.arg == "sparse"), None)
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    if name and function is not None:
        value = set_to(function, name)
        if value is None or isinstance(value, ast.Name):
            return said_true(reached, name)
    return isinstance(value, ast.Constant) and value.value is True


def set_to(tree: ast.AST, name: str) -> ast.expr | None:
    """The first value that a name is assigned below a node."""
    for node in below(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == name:
                    return node.value
    return None


def said_true(reached: Reached, name: str) -> bool:
    """Whether the folder's code or configs say `name = True`, `name: true` or `"name", True`."""
    folder = reached.function.module.path.rpartition("/")[0]
    said = re.compile(rb"%s[\"']?\s*[=:,]\s*[Tt]rue" % name.encode())
    return any(
        said.search(reached.index.tree.read(path))
        for path in reached.index.tree.paths((".py", ".yaml", ".yml"))
        if path.rpartition("/")[0] == folder
    )


HAZARD = Hazard(
    "D-71",
    "sparse-embedding",
    verdicts("wrong wrong wrong wrong"),
    "Pass sparse=False.",
    "设置 sparse=False。",
    find,
)
