"""The switch of last resort: an environment variable, off unless it is set to 1."""

from __future__ import annotations

import ast

from codemod.base.changeset import EditKind
from codemod.code.module import Module, is_docstring, quote
from codemod.engine.rewrite.ops import Insert, Op

VARIABLE = "PADDLE_TO_STATIC"
SWITCH = f"{VARIABLE}=1"


def variable_test(module: Module) -> str:
    """The condition that the variable is set."""
    mark = quote(module.text)
    return f"os.environ.get({mark}{VARIABLE}{mark}) == {mark}1{mark}"


def import_ops(module: Module) -> tuple[Op, ...] | None:
    """What makes `os` readable in the whole file; None where the name means something else."""
    if module.imports.get("os", "os") != "os":
        return None
    body = module.tree.body
    brought = (one for node in body if isinstance(node, ast.Import) for one in node.names)
    if any(one.name.split(".")[0] == "os" and not one.asname for one in brought):
        return ()
    index = 0
    while index < len(body) and _stays_first(body[index]):
        index += 1
    return (Op(module.path, EditKind.IMPORT, Insert((), "body", index, "import os")),)


def _stays_first(node: ast.stmt) -> bool:
    return is_docstring(node) or (isinstance(node, ast.ImportFrom) and node.module == "__future__")
