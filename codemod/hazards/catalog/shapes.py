"""Shapes that the data decide, and NumPy on shapes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from codemod.base.reason import Reason
from codemod.code.module import dotted
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import stored
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag


@finds("D-60")
def unique(reached: Reached) -> Iterator[Match]:
    """The shape of what `paddle.unique` gives is read.

    `paddle.unique(...)` whose result's shape (or length) is read below.
    """
    for node in reached.each(ast.Assign):
        call = node.value
        if not isinstance(call, ast.Call) or not _is_unique(reached, call):
            continue
        names = stored([node]).keys()
        if any(_reads_shape(part, names) for part in reached.nodes):
            yield node, Reason.of("hazards.unique-shape")


def _is_unique(reached: Reached, call: ast.Call) -> bool:
    """`paddle.unique(x)` or `x.unique()`; NumPy's own breaks the graph before."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    numpy = reached.kind(call).has(Flag.NUMPY)
    return name in ("unique", "unique_consecutive") and not numpy


def _reads_shape(node: ast.AST, names: Collection[str]) -> bool:
    """`name.shape` or `len(name)`."""
    if isinstance(node, ast.Attribute) and node.attr == "shape":
        return isinstance(node.value, ast.Name) and node.value.id in names
    return (
        isinstance(node, ast.Call)
        and dotted(node.func) in ("len", "range")
        and any(isinstance(a, ast.Name) and a.id in names for a in node.args)
    )


@finds("D-61")
def np_on_shape(reached: Reached) -> Iterator[Match]:
    """NumPy is called with a tensor's shape.

    `np.prod(x.shape)` and the like.
    """
    for call, name in reached.calls:
        shapes = (reached.kind(value) for value in call.args)
        if name.startswith("numpy.") and any(k.has(Flag.SHAPE) and k.is_python for k in shapes):
            yield call, Reason.of("hazards.call-of-shape", name=name)
