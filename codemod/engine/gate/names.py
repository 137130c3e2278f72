"""The names in a scope that look like a config, and how they are read there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemod.code.module import Scope, dotted
from codemod.code.sites import assigned
from codemod.code.traversal import below, own_nodes, walk
from codemod.engine.assignments import values_of

CONFIG_NAMES = re.compile(
    r"^(self\.)?_?((train(ing|er)?|global|base|exp|run|main|user|kit)_)?"
    r"(config|cfg|conf|hparams|args|opts?|options|flags|settings)$",
    re.IGNORECASE,
)
OF_THE_MODEL = re.compile(r"pretrained|model|tokenizer|net(work)?\b", re.IGNORECASE)


def config_names(scope: Scope) -> list[str]:
    """Names of the scope that look like a config, the kit's config before its arguments."""
    names = [p for p in scope.parameters if CONFIG_NAMES.match(p)]
    for node in _own(scope):
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            name = dotted(node.value)
            if name and CONFIG_NAMES.match(name):
                names.append(name)
    # Last what is only handed on as a whole.
    whole = (node.id for node in _own(scope) if isinstance(node, ast.Name))
    names += (name for name in whole if CONFIG_NAMES.match(name))
    names += _kept(scope) if not names else ()
    unique = list(dict.fromkeys(names))
    return sorted(unique, key=lambda name: "arg" in name.lower() or "flags" in name.lower())


def _kept(scope: Scope) -> Iterator[str]:
    """The attributes like a config that the constructor of the scope's class always sets."""
    for method in scope.owner.body if scope.owner else ():
        if isinstance(method, ast.FunctionDef) and method.name == "__init__":
            for node in method.body if scope.function != "__init__" else ():
                found = (name for name in assigned(node)[0] if name.startswith("self."))
                yield from (name for name in found if CONFIG_NAMES.match(name))


def _own(scope: Scope) -> Iterator[ast.AST]:
    """The nodes of a scope without those of nested functions, whose names mean nothing here."""
    if not isinstance(scope.node, ast.Module):
        yield from below(scope.node.args)
    for statement in scope.statements:
        yield from own_nodes(statement.node)


def not_the_users(scope: Scope, name: str) -> bool:
    """Whether a name holds a model's own configuration, or a dictionary made on the spot."""
    in_function = not isinstance(scope.node, ast.Module)
    return any(
        (in_function and isinstance(value, ast.Dict)) or OF_THE_MODEL.search(ast.unparse(value))
        for value in values_of(scope, name)
    )


def read_as_mapping(scope: Scope, name: str) -> bool:
    """Whether the scope (its class, for an attribute) reads a key of the name."""
    everywhere = scope.owner is not None and name.startswith("self.")
    for node in walk(scope.owner) if everywhere and scope.owner else _own(scope):
        match node:
            case (
                ast.Subscript(value=owner, slice=ast.Constant(value=str()))
                | ast.Call(func=ast.Attribute(value=owner, attr="get"))
            ) if dotted(owner) == name:
                return True
    return False
