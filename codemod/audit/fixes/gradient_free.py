"""Values that have no gradient: made of numbers, comparisons, indices and new tensors alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemod.audit.fixes.above import above_in_block, binds, names, surely_binds
from codemod.audit.fixes.remedy import meaning
from codemod.code.module import dotted
from codemod.code.traversal import own_nodes, walk
from codemod.hazards.patterns import is_self_attribute
from codemod.hazards.reach.apis import NAMES
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import UNKNOWN, Flag, ValueKind

Seen = frozenset[tuple[str, ast.stmt]]
# A value that a name is given, and the statement that gives it; None for one that is not seen.
Binding = tuple[ast.expr | None, ast.stmt]

# Parameters that hold labels, masks or numbers, by the names that kits give them.
_FED = re.compile(
    r"^((gt|tag|target|label)s?(_\w+)?|\w+_(ids|labels?|targets?)|((?!pred)\w+_)?mask"
    r"|(\w+_)?strides?)$"
)
_BATCHES = frozenset(("inputs", "batch", "gt_meta", "targets"))
_CASTS = frozenset(("cast", "astype"))
_WITHOUT_GRADIENT = ("int", "uint", "bool")
_ADDING = frozenset(("append", "extend"))


def under_no_grad(reached: Reached, node: ast.AST) -> bool:
    """Whether a node runs under `paddle.no_grad`: in its block, or in a function that it decorates.

    Whether the callers are under it is not looked at.
    """
    for outer in reached.above(node):
        managers: list[ast.expr] = []
        if isinstance(outer, ast.With):
            managers = [item.context_expr for item in outer.items]
        elif isinstance(outer, ast.FunctionDef):
            managers = outer.decorator_list
        for manager in managers:
            named = manager.func if isinstance(manager, ast.Call) else manager
            if meaning(reached, named) == "paddle.no_grad":
                return True
    return False


def gradient_free(
    reached: Reached, value: ast.expr, at: ast.stmt, seen: Seen = frozenset()
) -> bool:
    """Whether a value that is read at a statement is seen to have no gradient.

    `seen` are the names that are looked up already, with the statements that read them.
    """
    if isinstance(value, (ast.Constant, ast.Compare)):
        return True
    if isinstance(value, ast.Attribute):
        return value.attr in ("shape", "dtype") or (
            is_self_attribute(value) and _is_plain(reached.kind(value))
        )
    if isinstance(value, ast.Name):
        # A name that a loop brings round again is as free as what else is put into it.
        inside = seen | {(value.id, at)}
        return (value.id, at) in seen or all(
            part is not None and gradient_free(reached, part, where, inside)
            for part, where in _bound(reached, value.id, at)
        )
    if isinstance(value, ast.Subscript):
        return _is_entry(reached, value) or gradient_free(reached, value.value, at, seen)
    if isinstance(value, ast.Call):
        return _free_call(reached, value, at, seen)
    if isinstance(value, ast.BinOp) and isinstance(value.left, ast.List):
        return gradient_free(reached, value.left, at, seen)
    parts = [part for part in ast.iter_child_nodes(value) if isinstance(part, ast.expr)]
    made = isinstance(value, (ast.BinOp, ast.UnaryOp, ast.List, ast.Tuple))
    return made and all(gradient_free(reached, part, at, seen) for part in parts)


def _free_call(reached: Reached, call: ast.Call, at: ast.stmt, seen: Seen) -> bool:
    whole = meaning(reached, call.func)
    of_paddle = whole.startswith("paddle.")
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    last = whole.rpartition(".")[2] if owner is None else call.func.attr  # type: ignore[attr-defined]
    if (of_paddle or owner is not None) and (
        last in NAMES["fresh"] | NAMES["counting"] or (last in _CASTS and _counts(call))
    ):
        return True
    parts = [*call.args, *(k.value for k in call.keywords if k.arg not in ("dtype", "name"))]
    if owner is not None and not of_paddle:
        parts.insert(0, owner)
    if last in NAMES["selecting"] and not any(k.arg == "x" for k in call.keywords[1:]):
        parts = parts[:1]
    return bool(parts) and all(gradient_free(reached, part, at, seen) for part in parts)


def _is_entry(reached: Reached, value: ast.Subscript) -> bool:
    """`inputs["name"]`: an entry of the batch that the function is handed."""
    named = isinstance(value.slice, ast.Constant) and isinstance(value.slice.value, str)
    base = value.value.id if isinstance(value.value, ast.Name) else ""
    return named and base in _BATCHES and base in reached.function.parameters


def _is_plain(kind: ValueKind) -> bool:
    """Whether a value is a number or an array of NumPy, or holds only such."""
    return kind.has(Flag.PYTHON | Flag.NUMPY) and not kind.may_be_data


def _counts(cast: ast.Call) -> bool:
    """Whether a cast is to a type of integers or to bool."""
    words = [*cast.args, *(keyword.value for keyword in cast.keywords)]
    plain = [word.value for word in words if isinstance(word, ast.Constant)]
    named = [word.attr for word in words if isinstance(word, ast.Attribute)]
    return any(str(word).startswith(_WITHOUT_GRADIENT) for word in (*plain, *named))


def _bound(reached: Reached, name: str, at: ast.stmt) -> Iterator[Binding]:
    """What a name can hold at a statement; the last statement that surely binds it ends it."""
    inner: ast.AST = at
    for outer in reached.above(at):
        for above in above_in_block(outer, inner):
            yield from _bindings(above, name)
            if surely_binds(above, name):
                return
        if isinstance(outer, (ast.For, ast.While, ast.Try)):
            for other in outer.body:
                yield from _bindings(other, name)
        if isinstance(outer, ast.For) and names(outer.target, name):
            yield _taken(outer.target, outer.iter, name), outer
            return
        if isinstance(outer, ast.FunctionDef) and _takes(outer, name):
            own = outer is reached.function.node
            plain = own and _is_plain(reached.unit.params.get(name, UNKNOWN))
            if not plain and not _FED.match(name):
                yield None, at
            return
        inner = outer
    yield None, at


def _takes(function: ast.FunctionDef, name: str) -> bool:
    """Whether a function has a parameter of that name."""
    given = function.args
    return any(one.arg == name for one in (*given.posonlyargs, *given.args, *given.kwonlyargs))


def _taken(target: ast.expr, source: ast.expr, name: str) -> ast.expr:
    """What a loop takes a name's values from: of `zip` and `enumerate`, that argument."""
    called = dotted(source.func) if isinstance(source, ast.Call) else None
    if called == "enumerate" and isinstance(target, ast.Tuple):
        sources: list[ast.expr] = [ast.Constant(0), source.args[0]]  # type: ignore[attr-defined]
    elif called == "zip" and isinstance(target, ast.Tuple):
        sources = source.args  # type: ignore[attr-defined]
    else:
        return source
    parts = zip(target.elts, sources, strict=False)
    found = ((part, one) for part, one in parts if names(part, name))
    part, one = next(found, (target, source))
    return source if part is target else _taken(part, one, name)


def _bindings(statement: ast.stmt, name: str) -> Iterator[Binding]:
    """What a statement and those within it put into a name."""
    for one in walk(statement):
        if isinstance(one, ast.stmt):
            for node in (one, *own_nodes(one)):
                yield from ((value, one) for value in _put(node, name))


def _put(node: ast.AST, name: str) -> Iterator[ast.expr | None]:
    """What one node puts into a name; None for what is not looked into."""
    match node:
        case ast.Assign(targets=targets) if any(_holds(target, name) for target in targets):
            yield node.value
        case ast.AugAssign(target=target) if _holds(target, name):
            yield node.value
        case ast.For(target=target) if names(target, name):
            yield _taken(target, node.iter, name)
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if binds(owner, name):
            yield from node.args if method in _ADDING else ()
            if method.endswith("_"):
                yield None
        case (
            ast.withitem(optional_vars=ast.expr() as target)
            | ast.NamedExpr(target=target)
            | ast.AnnAssign(target=target)
        ) if binds(target, name):
            yield None


def _holds(target: ast.expr, name: str) -> bool:
    """Whether what is assigned to a target is then held by a name: by itself, or as a part."""
    return binds(target, name) or _is_part(target, name)


def _is_part(target: ast.expr, name: str) -> bool:
    """`name[...]`."""
    while isinstance(target, ast.Subscript):
        target = target.value
        if binds(target, name):
            return True
    return False
