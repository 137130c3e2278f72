"""Forwards that are given an object with tensors in it, and not the tensors.

Measured on Paddle 2.6.2 and 3.3.1 in AST: the object's tensors become constants of the program.
An object that is kept while its tensors change gives the gradients of the first ones, in silence;
a new object a step traces a program a step. SOT does as dynamic training.
"""

from __future__ import annotations

import ast

from codemod.code.module import Module
from codemod.code.traversal import walk

# What a tensor has that is read and not called.
_OF_TENSORS = frozenset(
    {"shape", "dtype", "ndim", "size", "place", "name", "stop_gradient", "grad", "is_leaf"}
    | {"persistable", "data", "T", "mT", "rank", "type", "inplace_version", "itemsize"}
    | {"real", "imag", "strides", "trainable", "block", "lod_level"}
)


def object_of_forward(module: Module, class_: ast.ClassDef) -> tuple[int, str] | None:
    """Where `forward` reads what its first argument has and no tensor has: line and `data.x`."""
    forward = next((m for m in module.methods(class_) if m.function == "forward"), None)
    if forward is None or len(forward.parameters) < 2:
        return None
    given = forward.parameters[1]
    called = {id(call.func) for call in forward.calls}
    for node in forward.nodes:
        if isinstance(node, (ast.Assign, ast.For)) and _rebinds(node, given):
            return None
    for node in forward.nodes:
        if not isinstance(node, ast.Attribute) or id(node) in called:
            continue
        of_given = isinstance(node.value, ast.Name) and node.value.id == given
        if of_given and isinstance(node.ctx, ast.Load) and node.attr not in _OF_TENSORS:
            return node.lineno, f"{given}.{node.attr}"
    return None


def _rebinds(node: ast.Assign | ast.For, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = (part for target in targets for part in walk(target))
    return any(
        isinstance(p, ast.Name) and p.id == name and isinstance(p.ctx, ast.Store) for p in parts
    )
