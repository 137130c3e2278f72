"""Detached values that an operation may take for its result, and where such a value comes from.

`detach` shares memory in a graph, and Paddle's in-place pass counts the detached value alone: an
operation that is its last use writes the result into the value itself. Which operations do, and
what becomes of them where, was measured on Paddle 2.6.2 and 3.3.1.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from codemod.code.kept import once_each
from codemod.code.module import dotted
from codemod.code.traversal import below, names_in
from codemod.hazards.hazard import Effect, Mode
from codemod.hazards.measured import VERSIONS
from codemod.hazards.patterns import is_tensor_test
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag

_SHARING = frozenset(("clone", "reshape", "flatten", "unsqueeze"))
_IN_PLACE = frozenset(
    ("exp", "sigmoid", "softmax", "clip", "relu", "sqrt", "abs", "tanh", "floor", "scale")
) | {"add", "subtract", "divide"}
_NEW = VERSIONS[-1]


class Origin(Enum):
    """Where a detached value comes from, as the graph that detaches it sees it."""

    MADE = "made"  # in the same graph, as far as one sees, or in none of Paddle 3
    BEFORE = "before"  # handed in, or made before a graph break: in SOT, an input of the graph
    INPUT = "input"  # an argument or a weight of the hooked net: an input of every graph


@once_each
def overwritten(reached: Reached) -> tuple[tuple[ast.expr, ast.expr], ...]:
    """Every operation that may write into a detached value, and the `detach` of it.

    None where something keeps SOT from compiling the function on both versions.
    """
    found = []
    # Without a `detach` there is nothing to look for.
    for node in reached.nodes if any(reached.methods("detach")) else ():
        operand = _operand(reached, node)
        call = _detach(operand) if operand is not None else None
        if isinstance(node, ast.expr) and call is not None:
            found.append((node, call))
    return () if found and any(_hazards(reached, Effect.EAGER, *VERSIONS)) else tuple(found)


def _operand(reached: Reached, node: ast.AST) -> ast.expr | None:
    """The part of an operation whose memory its result may take."""
    match node:
        case ast.BinOp(op=ast.Mult() | ast.Add() | ast.Sub()):
            # A number on the left scales the tensor; 1 / t makes a new one.
            return node.right if reached.kind(node.left).is_python else node.left
        case ast.BinOp(op=ast.Div()):
            return node.left
        case ast.UnaryOp(op=ast.USub()):
            return node.operand
        case ast.Call(func=ast.Attribute(attr=name, value=owner)) if name in _IN_PLACE:
            if reached.function.module.meaning(dotted(node.func) or "").startswith("paddle."):
                return node.args[0] if node.args else None
            return owner
    return None


def _detach(node: ast.expr) -> ast.Call | None:
    """`value.detach()`, also under a clone or another shape, of a value that can be read again."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "detach":
            again = isinstance(node.func.value, (ast.Name, ast.Attribute, ast.Subscript))
            return node if again else None
        if node.func.attr not in _SHARING:
            return None
        node = node.func.value
    return None


def origin(reached: Reached, call: ast.expr) -> Origin:
    """Where the value comes from that a call of `overwritten` detaches."""
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    value = call.func.value
    if reached.kind(value).has(Flag.PARAMETER):
        return Origin.INPUT
    if _left_by_paddle_3(reached):
        return Origin.MADE
    name, bound = _root(value), _bound(reached, _root(value), call.lineno)
    if name == "self" or (bound and _breaks_between(reached, bound.lineno, call.lineno)):
        return Origin.BEFORE
    while bound is not None:
        source = _source(bound)
        if source is None:
            return Origin.MADE
        name, bound = source, _bound(reached, source, bound.lineno)
    if name not in reached.function.parameters:
        return Origin.MADE
    return Origin.INPUT if reached.is_hooked else Origin.BEFORE


def _root(node: ast.expr) -> str:
    """The name at the root of a chain of attributes and subscripts."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _bound(reached: Reached, name: str, line: int) -> ast.Assign | ast.For | None:
    """The last statement before a line that binds a name."""
    found: ast.Assign | ast.For | None = None
    for node in reached.statements:
        if node.lineno >= line or not isinstance(node, (ast.Assign, ast.For)):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(name in names_in(target) for target in targets):
            found = node
    return found


def _source(node: ast.Assign | ast.For) -> str | None:
    """The name whose part a statement binds; None where it binds something new."""
    if isinstance(node, ast.For):
        parts = node.iter.args if isinstance(node.iter, ast.Call) else [node.iter]
        roots = [_root(part) for part in parts]
        return roots[0] if roots and all(roots) else None
    return _root(node.value) or None


def _breaks_between(reached: Reached, first: int, last: int) -> bool:
    """Whether SOT of Paddle 3 is known to break the graph on a line between two others."""
    lines = (getattr(node, "lineno", 0) for node in _hazards(reached, Effect.BREAK, _NEW))
    return any(first < line < last for line in lines)


def _left_by_paddle_3(reached: Reached) -> bool:
    """Whether SOT of Paddle 3 leaves the whole function uncompiled, as 2.6 does not.

    That is so where a loop's body may break the graph; a call of another part counts as one that
    does, for assigners and samplers all do.
    """
    if any(_hazards(reached, Effect.EAGER, _NEW)):
        return True
    loops = [node for node in reached.statements if isinstance(node, (ast.For, ast.While))]
    inside = [node for loop in loops for part in loop.body for node in (part, *below(part))]
    known = set(_hazards(reached, Effect.BREAK, _NEW)) if inside else set()
    return any(
        node in known
        or (isinstance(node, (ast.If, ast.IfExp)) and is_tensor_test(reached, node.test))
        or (isinstance(node, ast.Call) and (dotted(node.func) or "").startswith("self."))
        for node in inside
    )


def _hazards(reached: Reached, effect: Effect, *versions: str) -> Iterator[ast.AST]:
    """Where the function shows hazards that have an effect in SOT of all these versions."""
    from codemod.hazards.catalog import CATALOG

    for hazard in CATALOG:
        alike = all(hazard.effect(Mode.SOT, version) is effect for version in versions)
        if hazard.find is not None and alike:
            yield from (node for node, _ in hazard.find(reached))
