"""Loops, recursion and generators."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import DEFINITIONS, dotted
from codemod.code.traversal import blocks, walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import is_tensor_test, ranges_over_tensor, tensor_ifs
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag

_RESIZES = frozenset(("append", "insert", "extend", "remove", "pop", "clear"))


@finds("D-14")
def while_tensor(reached: Reached) -> Iterator[Match]:
    """A `while` loop on a tensor.

    `while` with a tensor in its condition.
    """
    for node in reached.each(ast.While):
        if is_tensor_test(reached, node.test):
            yield node, Reason.of("hazards.while-tensor")


@finds("D-15")
def while_pred_type(reached: Reached) -> Iterator[Match]:
    """A loop's condition is a Python value first and a tensor later.

    `while` on a name that is bound to both.
    """
    for node in reached.each(ast.While):
        test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
        kind = reached.kind(test)
        if isinstance(test, ast.Name) and kind.has(Flag.TENSOR) and kind.has(Flag.PYTHON):
            yield node, Reason.of("hazards.tensor-later", name=test.id)


@finds("D-16")
def for_range_tensor(reached: Reached) -> Iterator[Match]:
    """`for i in range(tensor)`.

    A loop over a range with a tensor as its bound.
    """
    for node in reached.each(ast.For):
        if ranges_over_tensor(reached, node):
            yield node, Reason.of("hazards.tensor-range")


@finds("D-17")
def for_break(reached: Reached) -> Iterator[Match]:
    """`break` or `continue` on a tensor's condition.

    A tensor `if` within a loop that leaves it or goes on.
    """
    for node in tensor_ifs(reached):
        leaves = any(isinstance(s, (ast.Break, ast.Continue)) for s in (*node.body, *node.orelse))
        if leaves:
            yield node, Reason.of("hazards.left-on-tensor")


@finds("D-95")
def nested_break(reached: Reached) -> Iterator[Match]:
    """A loop within another one is left by `break`.

    Both loops in one function, whatever the condition (nested_break.py).
    """
    live = reached.each(ast.Break)
    for node in _breaks(reached.function.node.body, depth=0) if live else ():
        if node in live:
            yield node, Reason.of("hazards.never-again")


def _breaks(block: list[ast.stmt], depth: int) -> Iterator[ast.Break]:
    """Each `break` of a loop that stands in `depth` loops or more, where that is two at least."""
    for line in block:
        if isinstance(line, ast.Break) and depth > 1:
            yield line
        if isinstance(line, DEFINITIONS):
            continue
        loop = line if isinstance(line, (ast.For, ast.While)) else None
        for inner in blocks(line):
            # What follows a loop that was not left belongs to the loop around it.
            within = loop is not None and inner is loop.body
            yield from _breaks(inner, depth + within)


@finds("D-100")
def loop_else(reached: Reached) -> Iterator[Match]:
    """The `else` of a loop.

    `for … else` or `while … else`, whatever leaves the loop (loop_else.py).
    """
    loops: list[ast.For | ast.While] = [*reached.each(ast.For), *reached.each(ast.While)]
    for node in loops:
        if node.orelse:
            yield node, Reason.of("hazards.else-of-loop")


@finds("D-101")
def resized_list(reached: Reached) -> Iterator[Match]:
    """A loop over a list makes the list longer or shorter.

    `for x in items:` with `items.append(...)`, `items.remove(...)`, `items += ...` or
    `del items[...]` within (resized_list.py).
    """
    for node in reached.each(ast.For):
        name = dotted(node.iter)
        if name and any(_resizes(inner, name) for line in node.body for inner in walk(line)):
            yield node, Reason.of("hazards.resized", name=name)


def _resizes(node: ast.AST, name: str) -> bool:
    """Whether a node changes how long the list of that name is."""
    if isinstance(node, ast.AugAssign):
        return dotted(node.target) == name
    if isinstance(node, ast.Delete):
        parts = (one.value for one in node.targets if isinstance(one, ast.Subscript))
        return any(dotted(one) == name for one in parts)
    method = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(method, ast.Attribute)
        and method.attr in _RESIZES
        and dotted(method.value) == name
    )


@finds("D-91")
def generator_name(reached: Reached) -> Iterator[Match]:
    """A generator's variable has the name of an earlier one, within a branch or a loop.

    A generator in a block of an `if`, `for` or `while`, with a variable that a generator in a
    statement of the function itself before that has as well (generator_name.py).
    """
    live = reached.each(ast.GeneratorExp)
    known: set[str] = set()
    for line in reached.function.node.body if live else ():
        if isinstance(line, (ast.If, ast.For, ast.While)):
            for block in (line.body, line.orelse):
                for node in _generators(block):
                    again = known & _variables(node)
                    if again and node in live:
                        yield node, Reason.of("hazards.generator-before", name=min(again))
        elif not isinstance(line, (ast.With, ast.Try)):
            known.update(*map(_variables, _generators([line])))


def _generators(block: list[ast.stmt]) -> Iterator[ast.GeneratorExp]:
    nodes = (node for line in block for node in walk(line))
    return (node for node in nodes if isinstance(node, ast.GeneratorExp))


def _variables(node: ast.GeneratorExp) -> set[str]:
    targets = (part for one in node.generators for part in walk(one.target))
    return {part.id for part in targets if isinstance(part, ast.Name)}


@finds("D-65")
def recursion(reached: Reached) -> Iterator[Match]:
    """A function calls itself on a tensor's condition.

    A direct recursion with a tensor `if`.
    """
    if reached.unit in reached.unit.edges and any(True for _ in tensor_ifs(reached)):
        yield (
            reached.function.node,
            Reason.of("hazards.calls-itself", name=reached.function.node.name),
        )
