"""Values read out of tensors: NumPy arrays, Python numbers, lists, text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import in_message, is_detached, is_logged, shows_tensor
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag


@finds("D-01")
def numpy_roundtrip(reached: Reached) -> Iterator[Match]:
    """A tensor is taken to NumPy in the middle of the graph.

    Calls of `.numpy()`, unless the tensor was detached and moved to the CPU first (D-02).
    """
    for call, base, _ in reached.methods("numpy"):
        if not is_detached(base) and not reached.kind(base).is_python:
            yield call, Reason.of("hazards.method-in-forward", name="numpy")


@finds("D-02")
def detach_cpu_numpy(reached: Reached) -> Iterator[Match]:
    """A detached copy is taken to NumPy.

    `t.detach().numpy()`, `t.cpu().numpy()` and their chains.
    """
    for call, base, _ in reached.methods("numpy"):
        if is_detached(base):
            yield call, Reason.of("hazards.detached-numpy")


@finds("D-03")
def item_scale(reached: Reached) -> Iterator[Match]:
    """A number is read out of a tensor with `.item()`.

    Calls of `.item()` on a tensor, and `.numpy()[0]`, whose value is used.
    """
    for call, base, _ in reached.methods("item"):
        kind = reached.kind(base)
        if not kind.is_python and not kind.has(Flag.NUMPY) and not is_logged(reached, call):
            yield call, Reason.of("hazards.method-in-forward", name="item")


@finds("D-06")
def tolist(reached: Reached) -> Iterator[Match]:
    """`.tolist()` of a tensor.

    Calls of `.tolist()` on what is not an array.
    """
    for call, base, _ in reached.methods("tolist"):
        if reached.kind(base).is_data:
            yield call, Reason.of("hazards.method-of-tensor", name="tolist")


@finds("D-07")
def print_tensor(reached: Reached) -> Iterator[Match]:
    """A tensor is printed.

    `print(tensor)`.
    """
    for call, name in reached.calls:
        if name == "print" and any(shows_tensor(reached, value) for value in call.args):
            yield call, Reason.of("hazards.printed")


_LEVELS = frozenset(("debug", "info", "warning", "warn", "error", "critical", "log"))


@finds("D-08")
def logging_tensor(reached: Reached) -> Iterator[Match]:
    """A tensor is logged.

    Calls of a logger or of `warnings.warn` with a tensor.
    """
    for call, name in reached.calls:
        owner, _, last = name.rpartition(".")
        logs = last in _LEVELS and ("log" in owner.lower() or owner == "warnings")
        if logs and any(shows_tensor(reached, value) for value in call.args):
            yield call, Reason.of("hazards.logged", name=name)


@finds("D-09")
def fstring_tensor(reached: Reached) -> Iterator[Match]:
    """A tensor is written into a text.

    f-strings, `%` and `.format` with a tensor, but not the text of an error.
    """
    operations = (*reached.each(ast.BinOp), *reached.each(ast.Call))
    for node in (*reached.each(ast.JoinedStr), *filter(_is_format, operations)):
        if not in_message(reached, node) and shows_tensor(reached, node):
            yield node, Reason.of("hazards.in-text")


def _is_format(node: ast.AST) -> bool:
    """`"..." % x` or `"...".format(x)`."""
    match node:
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str())):
            return True
        case ast.Call(func=ast.Attribute(attr="format", value=ast.Constant())):
            return True
    return False
