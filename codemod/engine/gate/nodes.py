"""Declares a key in the code that makes a node of `yacs`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.changeset import EditKind
from codemod.base.reason import Reason, Refusal
from codemod.code.module import Statement
from codemod.code.sites import assigned
from codemod.engine.gate.kinds import Node
from codemod.engine.gate.uses import MAPPING, changed_by_option
from codemod.engine.rewrite.ops import Insert, Op


def key_of(node: Node, name: str) -> str:
    """The switch's key, in capitals where all keys of the node are."""
    keys = [key for key, _ in _keys(node)]
    return name.upper() if keys and all(key.isupper() for key in keys) else name


def key_ops(node: Node, name: str) -> tuple[Op, ...] | Refusal:
    """Declares the key behind the node's last one, off; nothing where it is declared so."""
    key = key_of(node, name)
    for known, statement in _keys(node):
        if known == key:
            value = assigned(statement.node)[1]
            if isinstance(value, ast.Constant) and value.value is False:
                return ()
            place = node.at.place(statement.node)
            return Refusal(Reason.of("engine.option-taken", place=place))
    if why := changed_by_option(node.at, node.name, MAPPING, key):
        return Refusal(why)
    last = _last(node)
    if last is None:
        return Refusal(Reason.of("engine.nothing-read"))
    insert = Insert.beside(last.path, f"{node.name}.{key} = False", behind=True)
    return (Op(node.at.module.path, EditKind.PLUMBING, insert),)


def _keys(node: Node) -> Iterator[tuple[str, Statement]]:
    """The node's own keys, without those of the nodes in it, and where each is set."""
    for statement in node.at.scope.statements:
        for target in assigned(statement.node)[0]:
            owner, _, key = target.rpartition(".")
            if owner == node.name:
                yield key, statement


def _last(node: Node) -> Statement | None:
    """The last statement that makes the node or sets a key of it, in the block that makes it."""
    found: Statement | None = None
    for statement in node.at.scope.statements:
        targets = assigned(statement.node)[0]
        if node.name in targets:
            found = statement
        inside = any(target.startswith(f"{node.name}.") for target in targets)
        if found and inside and found.path[:-1] == statement.path[:-1]:
            found = statement
    return found
