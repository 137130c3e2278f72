"""Single edits of a syntax tree, how they are applied, and the walks that look for their places."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Edit = Callable[[Any], Any]
Edits = Mapping[ast.AST, Edit]


def applied(node: Any, edits: Edits) -> Any:
    """A copy of the tree after the edits; an emptied block holds `pass`."""
    made = ast.copy_location(type(node)(), node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            value = _parts(value, edits)
            if name == "body" and not value and not isinstance(node, ast.Module):
                value = [ast.Pass()]
        elif isinstance(value, ast.AST):
            value = applied(value, edits)
        setattr(made, name, value)
    edit = edits.get(node)
    return made if edit is None else edit(made)


def _parts(values: list[Any], edits: Edits) -> list[Any]:
    kept: list[Any] = []
    for value in values:
        part = applied(value, edits) if isinstance(value, ast.AST) else value
        if isinstance(part, list):
            kept += part
        elif part is not None or value is None:
            kept.append(part)
    return kept


def remove(_node: Any) -> Any:
    """The edit that takes a node away."""
    return None


def instead(node: ast.AST) -> Edit:
    """The edit that puts another node in the place of one."""
    return lambda _node: applied(node, {})


def without(name: str, index: int) -> Edit:
    """The edit that takes an item out of a node's list, of a dictionary with its value."""

    def edit(made: Any) -> Any:
        for each in (name, "values") if name == "keys" else (name,):
            items = list(getattr(made, each))
            del items[index]
            setattr(made, each, items)
        return made

    return edit


def nodes(top: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one, each before what it holds."""
    for child in ast.iter_child_nodes(top):
        yield child
        yield from nodes(child)


def values(top: ast.AST) -> Iterator[ast.AST]:
    """All nodes but imports, what is assigned to, and what is called."""
    for child in ast.iter_child_nodes(top):
        bound = not isinstance(getattr(child, "ctx", ast.Load()), ast.Load)
        if bound or isinstance(child, (ast.Import, ast.ImportFrom, ast.arguments)):
            continue
        if not (isinstance(top, ast.Call) and child is top.func):
            yield child
        yield from values(child)


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods, with the name of the class that a method is in."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    yield node.name, part


def names(body: list[ast.stmt], name: str) -> list[ast.Name]:
    """The uses of a name."""
    found = (node for part in body for node in ast.walk(part) if isinstance(node, ast.Name))
    return [node for node in found if node.id == name]


def imported(node: ast.AST) -> set[str]:
    """The names that an import binds; none for another node."""
    known = node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []
    return {(name.asname or name.name).partition(".")[0] for name in known}


def last_name(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    name = call.func
    return name.attr if isinstance(name, ast.Attribute) else str(getattr(name, "id", ""))
