"""Shapes of code that more than one hazard looks for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from codemod.code.module import dotted
from codemod.code.traversal import walk
from codemod.hazards.reach.index import Class
from codemod.hazards.reach.reached import Reached

_DETACHING = ("detach", "cpu")
_NUMBERS = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")
_DTYPES = frozenset((*_NUMBERS, "bfloat16", "complex64", "complex128", "bool"))
_LOGGERS = ("print", "info", "warning", "warn", "debug", "error", "format", "add_scalar")


def is_detached(base: ast.expr) -> bool:
    """Whether a chain of calls holds `.detach()` or `.cpu()`."""
    while isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute):
        if base.func.attr in _DETACHING:
            return True
        base = base.func.value
    return False


def is_logged(reached: Reached, node: ast.AST) -> bool:
    """Whether a value is only printed or logged."""
    return any(
        isinstance(outer, ast.Call) and (dotted(outer.func) or "").rpartition(".")[2] in _LOGGERS
        for outer in reached.above(node)
    )


def is_self_attribute(node: ast.AST | None) -> TypeGuard[ast.Attribute]:
    """`self.name`."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def reads_itself(target: ast.expr, value: ast.expr) -> bool:
    """Whether the value of an assignment is computed from the target's old value."""
    name = dotted(target)
    return name is not None and any(dotted(node) == name for node in walk(value))


def is_dtype(reached: Reached, value: ast.expr) -> bool:
    """Whether an expression reads as a dtype: `"bool"`, `paddle.bool`, `other.dtype`, `dtype`."""
    if isinstance(value, ast.Constant):
        return value.value in _DTYPES
    name = reached.index.canonical(reached.function.module, dotted(value) or "")
    return name.endswith("dtype") or name in {f"paddle.{dtype}" for dtype in _DTYPES}


def is_tensor_test(reached: Reached, test: ast.expr) -> bool:
    """Whether a condition asks a tensor for its truth."""
    if isinstance(test, ast.BoolOp):
        return any(is_tensor_test(reached, value) for value in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return is_tensor_test(reached, test.operand)
    return reached.kind(test).is_tensor


def tensor_ifs(reached: Reached) -> Iterator[ast.If]:
    """The `if` statements on tensors."""
    for node in reached.each(ast.If):
        if is_tensor_test(reached, node.test):
            yield node


def tensor_loops(reached: Reached) -> Iterator[ast.For | ast.While]:
    """Loops whose number of rounds a tensor decides."""
    yield from (node for node in reached.each(ast.While) if is_tensor_test(reached, node.test))
    yield from (node for node in reached.each(ast.For) if ranges_over_tensor(reached, node))


def ranges_over_tensor(reached: Reached, loop: ast.For) -> bool:
    """`for i in range(tensor)`."""
    call = loop.iter
    return (
        isinstance(call, ast.Call)
        and dotted(call.func) == "range"
        and any(reached.kind(value).is_tensor for value in call.args)
    )


def stored(body: list[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """The local names that a block assigns, with the statements that do."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in body:
        for node in walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.setdefault(node.id, []).append(statement)
    return found


def loaded_after(reached: Reached, name: str, statement: ast.stmt) -> bool:
    """Whether a local name is read below a statement, before it is bound anew."""
    last = statement.end_lineno or statement.lineno
    below = [node for node in reached.each(ast.Name) if node.id == name and node.lineno > last]
    first = min((node.lineno for node in below), default=0)
    return any(isinstance(node.ctx, ast.Load) for node in below if node.lineno == first)


def binds(node: ast.AST, name: str) -> TypeGuard[ast.Assign]:
    """Whether a node assigns a value to a name itself, not to a part of a tuple."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def bound_before(reached: Reached, name: str, node: ast.stmt | ast.expr) -> list[ast.expr]:
    """What a name is bound to above a node, the function's parameters left out."""
    return [
        statement.value
        for statement in reached.each(ast.Assign)
        if binds(statement, name) and statement.lineno < node.lineno
    ]


def has_name_before(reached: Reached, name: str, statement: ast.stmt) -> bool:
    """Whether a name exists above a statement, in whatever way it was bound."""
    return name in reached.function.parameters or any(
        node.id == name and isinstance(node.ctx, ast.Store) and node.lineno < statement.lineno
        for node in reached.each(ast.Name)
    )


def in_message(reached: Reached, node: ast.AST) -> bool:
    """Whether an expression is the text of an error or of a failed assertion."""
    return any(isinstance(outer, (ast.Raise, ast.Assert)) for outer in reached.above(node))


def own_constructor(reached: Reached) -> ast.FunctionDef | None:
    """The constructor beside a reached `forward`, in the class that defines both."""
    owner = reached.function.owner
    if owner is None or reached.function.node.name != "forward":
        return None
    made = owner.methods.get("__init__")
    return made if isinstance(made, ast.FunctionDef) else None


def constructor_calls(reached: Reached) -> tuple[tuple[ast.Call, str], ...]:
    """The calls of that constructor with their full names, imports spelled out."""
    made = own_constructor(reached)
    return () if made is None else reached.index.calls(reached.function.module, made)


def built(reached: Reached, *names: str) -> Iterator[ast.Call]:
    """The calls of that constructor whose full name is one of the names."""
    return (call for call, name in constructor_calls(reached) if name in names)


def shows_tensor(reached: Reached, value: ast.expr) -> bool:
    """Whether a value is a tensor, or a text made of one."""
    if reached.kind(value).is_data:
        return True
    if isinstance(value, ast.JoinedStr):
        return any(
            isinstance(part, ast.FormattedValue) and reached.kind(part.value).is_data
            for part in value.values
        )
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod):
        return reached.kind(value.right).is_data
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr == "format" and any(reached.kind(a).is_data for a in value.args)
    return False


def appends_data(reached: Reached, call: ast.Call) -> bool:
    """`list.append(tensor)`."""
    return (
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "append"
        and bool(call.args)
        and reached.kind(call.args[0]).may_be_data
    )


def pylayers(reached: Reached) -> Iterator[tuple[ast.Call, Class]]:
    """Calls of `X.apply` where X is a PyLayer of the kit."""
    for call, _, _ in reached.methods("apply"):
        name = (dotted(call.func) or "").rpartition(".")[0]
        found = reached.index.resolve(reached.function.module, name) if name else None
        if isinstance(found, Class) and any(
            base.endswith("PyLayer") for base in reached.index.foreign_bases(found)
        ):
            yield call, found


def assigned(reached: Reached) -> Iterator[tuple[ast.Assign, ast.expr]]:
    """Every assignment with each of its targets."""
    for node in reached.each(ast.Assign):
        for target in node.targets:
            yield node, target


def over_parameters(node: ast.AST) -> TypeGuard[ast.For]:
    """Whether a node is a loop over parameters."""
    return isinstance(node, ast.For) and any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("parameters", "named_parameters", "state_dict")
        for call in walk(node.iter)
    )
