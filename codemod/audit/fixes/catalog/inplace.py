"""Values written in place, and detached values that an operation may overwrite."""

from __future__ import annotations

import ast
import re

from codemod.audit.fixes.above import binds, last_assigned
from codemod.audit.fixes.remedy import mends, reread, source_of, statement_of
from codemod.base.reason import Reason, Refusal
from codemod.code.module import Statement
from codemod.code.traversal import walk
from codemod.engine.rewrite.ops import Action, Replace
from codemod.hazards.catalog.inplace import changed_in_place, read_below
from codemod.hazards.detached import overwritten
from codemod.hazards.reach.reached import Reached

# Those that give a tensor another shape and leave its numbers alone: no other view sees a change.
_SHAPES = frozenset(("reshape_", "squeeze_", "unsqueeze_", "flatten_"))
_VIEWS = frozenset(name.removesuffix("_") for name in _SHAPES) | {"transpose"}
# What they return has memory of its own.
_COPIES = frozenset(
    ("tile", "clone", "zeros", "ones", "full", "rand", "randn", "concat", "stack", "sum", "mean")
)
# What they return is another tensor, whether or not it shares memory with the first.
_OTHERS = _COPIES | _VIEWS
_PLAIN = frozenset(("shape", "dtype", "ndim", "place"))


@mends("D-77", "D-78", "D-79")
def clone_detached(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`x.detach()` under an operation becomes `x.clone().detach()`."""
    call = next(call for operation, call in overwritten(reached) if operation is node)
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return reread(reached, call, f"{source_of(reached, call.func.value)}.clone().detach()")


@mends("D-57")
def out_of_place(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`view.reshape_(shape)` becomes `view.reshape(shape)` where nobody else holds the view.

    As a statement of its own it becomes `view = view.reshape(shape)`.
    """
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    name, base = node.func.attr, node.func.value
    found = statement_of(reached, node)
    whole = found.node.value if found is not None and isinstance(found.node, ast.Expr) else None
    if isinstance(base, ast.Name) and found is not None and whole is node:
        return _assigned(reached, node, base.id, found)
    if name not in _SHAPES:
        return Refusal(Reason.of("audit.changes-numbers", method=name))
    if isinstance(base, ast.Name) and not _rebound(reached, node, base.id):
        return Refusal(Reason.of("audit.read-again", name=base.id, method=name))
    if not isinstance(base, (ast.Name, ast.Call)):
        return Refusal(Reason.of("audit.held-unseen", method=name))
    new = f"{source_of(reached, base)}.{name.removesuffix('_')}"
    return reread(reached, node.func, new)


@mends("D-97")
def result_used(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`mask.floor_()` becomes `mask = mask.floor_()`, which in dynamic mode is the same tensor.

    So `y = x.floor_()` becomes `x = y = x.floor_()`. Not where the name is read no more: a caller's
    tensor stays as it was all the same.
    """
    assert isinstance(node, ast.Call)
    base = changed_in_place(node, next(name for call, name in reached.calls if call is node))
    found = statement_of(reached, node)
    if not isinstance(base, ast.Name) or found is None or not read_below(reached, base.id, node):
        return Refusal(Reason.of("audit.held-unseen", method=_method(node)))
    if not isinstance(found.node, (ast.Expr, ast.Assign)) or found.node.value is not node:
        return Refusal(Reason.of("audit.within", name=base.id, method=_method(node)))
    code = _outdented(reached, found, source_of(reached, found.node))
    return (Replace(found.path, f"{base.id} = {code}"),)


def _outdented(reached: Reached, found: Statement, code: str) -> str:
    """Code of a statement without its indentation, which the engine gives each line itself."""
    assert isinstance(found.node, ast.stmt)
    before = reached.function.module.lines[found.node.lineno - 1][: found.node.col_offset]
    own = re.sub(r"[^\t]", " ", before.decode("utf-8", "replace"))
    return code.replace(f"\n{own}", "\n")


def _assigned(
    reached: Reached, call: ast.Call, name: str, found: Statement
) -> tuple[Action, ...] | Refusal:
    """The call that is not in place, whose result the name is given."""
    assert isinstance(call.func, ast.Attribute) and isinstance(found.node, ast.stmt)
    function = call.func.attr
    if function in _SHAPES:
        made = last_assigned(reached, name, found.node)
        if made is None or not _alone(reached, name, made, found.node, _OTHERS):
            return Refusal(Reason.of("audit.read-again", name=name, method=function))
    elif not _owns(reached, name, found.node):
        return Refusal(Reason.of("audit.changes-numbers", method=function))
    head, whole = source_of(reached, call.func), source_of(reached, call)
    rest = _outdented(reached, found, whole.removeprefix(head))
    return (Replace(found.path, f"{name} = {head.removesuffix('_')}{rest}"),)


def _owns(reached: Reached, name: str, at: ast.stmt) -> bool:
    """Whether a view and what it is a view of are held by the name alone, up to a statement."""
    made = last_assigned(reached, name, at)
    while made is not None and _alone(reached, name, made, at, _COPIES):
        value = made.value
        if isinstance(value, (ast.BinOp, ast.Compare)) or _method(value) in _COPIES:
            return True
        viewed = value.func.value if isinstance(value, ast.Call) else None  # type: ignore[attr-defined]
        if _method(value) not in _VIEWS or viewed is None or not binds(viewed, name):
            return False
        at = made
        made = last_assigned(reached, name, at)
    return False


def _method(value: ast.AST | None) -> str:
    """The last name of what is called; empty for what is not such a call."""
    made = value.func if isinstance(value, ast.Call) else None
    return made.attr if isinstance(made, ast.Attribute) else ""


def _alone(
    reached: Reached, name: str, made: ast.Assign, at: ast.stmt, allowed: frozenset[str]
) -> bool:
    """Whether nothing else refers to the tensor that a name is given, up to a statement."""
    new = isinstance(made.value, (ast.BinOp, ast.Compare)) or _method(made.value) in _OTHERS
    first = made.end_lineno or made.lineno
    reads = [
        node
        for node in walk(reached.function.node)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    between = (node for node in reads if first < node.lineno < at.lineno)
    return (
        new
        and not any(_inside(reached, node) for node in reads)
        and all(_lets_go(reached, node, allowed) for node in between)
    )


def _inside(reached: Reached, node: ast.AST) -> bool:
    """Whether a node stands in a function within the function."""
    inner = (ast.Lambda, ast.FunctionDef)
    whole = reached.function.node
    return any(isinstance(one, inner) and one is not whole for one in reached.above(node))


def _lets_go(reached: Reached, read: ast.Name, allowed: frozenset[str]) -> bool:
    """Whether what comes of a name where it is read holds neither its tensor nor its memory.

    `allowed` are methods of which that is known.
    """
    around = reached.parents[read]
    if isinstance(around, (ast.BinOp, ast.Compare)):
        return True
    if not isinstance(around, ast.Attribute):
        return False
    call = reached.parents[around]
    if not (isinstance(call, ast.Call) and call.func is around):
        return around.attr in _PLAIN
    dropped = isinstance(reached.parents[call], ast.Expr) and around.attr.endswith("_")
    return around.attr in allowed or dropped


def _rebound(reached: Reached, node: ast.Call, name: str) -> bool:
    """Whether the statement of a call binds the name that it is called on, and no other."""
    found = statement_of(reached, node)
    if found is None or not isinstance(found.node, ast.Assign):
        return False
    targets = found.node.targets
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name
