"""What a layer keeps on itself: the kind of `self.name` by the constructors of its class."""

from __future__ import annotations

import ast

from codemod.code.module import dotted
from codemod.hazards.reach import apis
from codemod.hazards.reach.builds import Builder
from codemod.hazards.reach.index import Class, Function, Index
from codemod.hazards.reach.values import (
    LAYER,
    NONE,
    NUMPY,
    PARAMETER,
    PYTHON,
    UNKNOWN,
    Flag,
    ValueKind,
    collected,
    join,
    operated,
)

_SETUP = ("__init__", "build", "_init", "init", "setup", "reset", "_make", "create", "from_config")


def attribute_kind(index: Index, builder: Builder, owner: Class, name: str) -> ValueKind:
    """The joined kind of everything that constructors and class bodies bind to `self.name`."""
    if name in ("training", "__class__", "__dict__"):
        return PYTHON
    found = [_class_level(base, name) for base in index.mro(owner)]
    found += [
        _simple(index, value, method)
        for method, value in builder.bound(owner, name)
        if method.node.name.startswith(_SETUP)
    ]
    return join(found)


def _class_level(owner: Class, name: str) -> ValueKind:
    for node in owner.node.body:
        plain = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        targets = node.targets if isinstance(node, ast.Assign) else []
        if plain and any(isinstance(t, ast.Name) and t.id == name for t in targets):
            return PYTHON
        if isinstance(node, ast.FunctionDef) and node.name == name and node.decorator_list:
            return UNKNOWN
    return UNKNOWN


def _simple(index: Index, value: ast.expr, method: Function) -> ValueKind:
    """The kind of an expression in a constructor, where no tensor of a batch can be."""
    if isinstance(value, ast.Constant):
        return NONE if value.value is None else PYTHON
    if isinstance(value, ast.Name):
        return _argument(index, value.id, method)
    if isinstance(value, (ast.BinOp, ast.Compare)):
        ends = [value.left, value.right] if isinstance(value, ast.BinOp) else [value.left]
        kind = operated([_simple(index, part, method) for part in ends])
        return kind if kind.flags else PYTHON
    if isinstance(value, (ast.UnaryOp, ast.BoolOp, ast.JoinedStr)):
        return PYTHON
    if isinstance(value, ast.IfExp):
        return _simple(index, value.body, method) | _simple(index, value.orelse, method)
    if isinstance(value, (ast.List, ast.Tuple)):
        return collected([_simple(index, part, method) for part in value.elts], keep=False)
    if isinstance(value, ast.Call):
        return _made(index, value, method)
    return UNKNOWN


def _argument(index: Index, name: str, method: Function) -> ValueKind:
    default = method.defaults.get(name)
    if isinstance(default, ast.Constant):
        return UNKNOWN if default.value is None or _named(index, default.value) else PYTHON
    return UNKNOWN


def _named(index: Index, value: object) -> bool:
    """Whether a default names a class of the kit, of which a config then makes an instance."""
    return isinstance(value, str) and value[:1].isupper() and value in index.places


def _made(index: Index, call: ast.Call, method: Function) -> ValueKind:
    name = dotted(call.func) or ""
    last = name.rpartition(".")[2]
    if last in ("create_parameter", "add_parameter", "register_buffer"):
        return PARAMETER
    if last == "add_sublayer":
        return LAYER
    found = index.resolve(method.module, name) if name else None
    if isinstance(found, Class):
        return LAYER if index.is_layer(found) else UNKNOWN
    if found is not None:
        return UNKNOWN
    args = [_simple(index, value, method) for value in call.args]
    if "." not in name:
        made = apis.builtin(name, args)
        if made is not None:
            return ValueKind(made.flags & ~(Flag.TENSOR | Flag.READ | Flag.SHAPE))
    canonical = index.canonical(method.module, name)
    if canonical.startswith("paddle."):
        return apis.foreign(canonical, args)
    return NUMPY if canonical.startswith("numpy.") else UNKNOWN
