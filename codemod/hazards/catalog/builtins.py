"""Plain Python that a mode does not simulate: in several graphs, or with another value."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codemod.base.reason import Reason
from codemod.code.traversal import walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.reach.reached import Reached


@finds("D-82")
def larger_of_numbers(reached: Reached) -> Iterator[Match]:
    """Python's `min` or `max` of two numbers.

    `min(a, b)` and `max(a, b)` whose arguments are all seen to be no tensors.
    """
    for call, name in reached.calls:
        if name in ("min", "max") and len(call.args) > 1:
            kinds = [reached.kind(value) for value in call.args]
            if all(kind.is_python for kind in kinds):
                yield call, Reason.of("hazards.call-of-numbers", name=name)


@finds("D-84")
def list_compared(reached: Reached) -> Iterator[Match]:
    """Lists are compared, as whole shapes are.

    `==` or `!=` with a list, a tuple, a whole shape or a slice of one.
    """
    for node in reached.each(ast.Compare):
        equal = all(isinstance(sign, (ast.Eq, ast.NotEq)) for sign in node.ops)
        if equal and any(_is_list(side) for side in (node.left, *node.comparators)):
            yield node, Reason.of("hazards.lists-compared")


def _is_list(node: ast.expr) -> bool:
    """A list or tuple that is written out, a whole shape, a slice of one, `list(shape)`."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        node = node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return node.func.id in ("list", "tuple")
    written = isinstance(node, (ast.List, ast.Tuple))
    return written or (isinstance(node, ast.Attribute) and node.attr == "shape")


@finds("D-103")
def starred_names(reached: Reached) -> Iterator[Match]:
    """A starred name with other names behind it.

    `first, *middle, last = row` and `*most, last = row` (starred_names.py).
    """
    for node in reached.each(ast.Assign):
        parts = (part for target in node.targets for part in walk(target))
        for part in parts:
            if isinstance(part, (ast.Tuple, ast.List)):
                for name in _starred(part.elts[:-1]):
                    yield node, Reason.of("hazards.starred", name=name)


@finds("D-104")
def starred_loop(reached: Reached) -> Iterator[Match]:
    """A starred name in the head of a loop.

    `for first, *rest in rows:` (starred_names.py).
    """
    for node in reached.each(ast.For):
        for name in _starred(walk(node.target)):
            yield node, Reason.of("hazards.starred-loop", name=name)


def _starred(parts: Iterable[ast.AST]) -> list[str]:
    """The starred names among some nodes."""
    return [ast.unparse(part.value) for part in parts if isinstance(part, ast.Starred)]
