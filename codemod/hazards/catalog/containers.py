"""Lists and mappings of tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import dotted, handed
from codemod.code.traversal import walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import appends_data, tensor_loops
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag


@finds("D-18")
def list_append(reached: Reached) -> Iterator[Match]:
    """A list grows in a loop that a tensor bounds.

    `.append` in a tensor-bounded loop.
    """
    for loop in tensor_loops(reached):
        for node in walk(loop):
            if isinstance(node, ast.Call) and appends_data(reached, node):
                yield node, Reason.of("hazards.list-grows")


@finds("D-19")
def list_append_shape(reached: Reached) -> Iterator[Match]:
    """A list grows in a loop over a tensor's shape.

    `for i in range(x.shape[0])` with `.append`; wrong only where a spec has that dim None.
    """
    for loop in reached.each(ast.For):
        if not _over_shape(reached, loop.iter):
            continue
        calls = (node for node in walk(loop) if isinstance(node, ast.Call))
        if any(appends_data(reached, call) for call in calls):
            yield loop, Reason.of("hazards.list-grows-over-shape")


def _over_shape(reached: Reached, value: ast.expr) -> bool:
    """`range(x.shape[0])`."""
    if not isinstance(value, ast.Call) or dotted(value.func) != "range":
        return False
    kinds = map(reached.kind, value.args)
    return any(kind.has(Flag.SHAPE) and kind.is_python for kind in kinds)


@finds("D-20")
def dict_new_key(reached: Reached) -> Iterator[Match]:
    """A mapping gets new keys in a loop that a tensor bounds.

    `d["k"] = tensor` in a tensor-bounded loop, the key absent above.
    """
    for loop in tensor_loops(reached):
        for node in walk(loop):
            for target in node.targets if isinstance(node, ast.Assign) else ():
                key = target.slice if isinstance(target, ast.Subscript) else None
                named = isinstance(key, ast.Constant) and isinstance(key.value, str)
                if named and not _set_above(reached, target, loop):
                    yield node, Reason.of("hazards.new-key", name=ast.unparse(target))


def _set_above(reached: Reached, target: ast.expr, loop: ast.stmt) -> bool:
    """Whether the same entry is assigned above the loop."""
    text = ast.unparse(target)
    return any(
        node.lineno < loop.lineno and any(ast.unparse(t) == text for t in node.targets)
        for node in reached.each(ast.Assign)
    )


@finds("D-21")
def dict_update(reached: Reached) -> Iterator[Match]:
    """A mapping of tensors is updated with `.update`.

    `d.update(tensors)` of a local mapping.
    """
    for call, base, _ in reached.methods("update"):
        local = isinstance(base, ast.Name) and not reached.kind(base).has(Flag.LAYER)
        given = local and any(reached.kind(value).is_data for value in handed(call))
        if given and not any(_asks_mapping(reached, node) for node in reached.above(call)):
            yield call, Reason.of("hazards.mapping-updated")


def _asks_mapping(reached: Reached, node: ast.AST) -> bool:
    """`if isinstance(x, dict)` on what may well be a tensor."""
    test = node.test if isinstance(node, ast.If) else None
    if isinstance(test, ast.BoolOp):
        test = test.values[0]
    return (
        isinstance(test, ast.Call)
        and dotted(test.func) == "isinstance"
        and reached.kind(test.args[0]).has(Flag.TENSOR)
    )


@finds("D-22")
def list_sort(reached: Reached) -> Iterator[Match]:
    """A list of tensors is sorted by Python.

    `sorted(tensors)` and `tensors.sort()` without a key.
    """
    given = [(call, call.args[0]) for call, name in reached.calls if name == "sorted" and call.args]
    named = [(c, base) for c, base, _ in reached.methods("sort") if isinstance(base, ast.Name)]
    for call, value in (*given, *named):
        if not call.keywords and _holds(reached, value):
            yield call, Reason.of("hazards.sorted-by-python")


def _holds(reached: Reached, node: ast.expr) -> bool:
    """A list of tensors, not a mapping's items (whose keys decide) nor a tensor."""
    kind = reached.kind(node)
    return kind.is_data and not kind.has(Flag.TENSOR) and not kind.items


@finds("D-23")
def py_max(reached: Reached) -> Iterator[Match]:
    """`max` or `min` of Python on tensors.

    `max(t1, t2)`, and `max([t1, t2])`.
    """
    for call, name in reached.calls:
        if name in ("max", "min") and call.args and not call.keywords:
            kinds = [reached.kind(value) for value in call.args]
            held = len(kinds) == 1 and kinds[0].is_data and not kinds[0].has(Flag.TENSOR)
            if held or (len(kinds) > 1 and any(kind.is_tensor for kind in kinds)):
                yield call, Reason.of("hazards.compares-tensors", name=name)


@finds("D-24")
def tensor_in_list(reached: Reached) -> Iterator[Match]:
    """A tensor is looked for in a Python container.

    `tensor in [...]` and `list.index(tensor)`.
    """
    for node in reached.each(ast.Compare):
        if isinstance(node.ops[0], (ast.In, ast.NotIn)):
            where = reached.kind(node.comparators[0])
            listed = where.flags and not where.has(Flag.TENSOR)
            if reached.kind(node.left).is_tensor and listed:
                yield node, Reason.of("hazards.decided-at-trace", code=ast.unparse(node))
    for call, base, _ in reached.methods("index"):
        if call.args and reached.kind(call.args[0]).is_tensor and not reached.kind(base).is_tensor:
            yield call, Reason.of("hazards.decided-at-trace", code=ast.unparse(call))
