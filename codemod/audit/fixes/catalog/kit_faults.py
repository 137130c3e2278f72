"""Faults of a kit's own: code that a newer Paddle or NumPy refuses, with the hook or without."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.audit.fixes.remedy import finds_fault, meaning, mends, reread, source_of
from codemod.base.reason import Reason, Refusal
from codemod.code.traversal import below
from codemod.engine.rewrite.ops import Action
from codemod.hazards.patterns import binds, bound_before
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag

# Removed in NumPy 1.24; each was the type itself.
_ALIASES = {f"numpy.{name}": name for name in ("int", "float", "bool", "complex", "object", "str")}
# Without an axis they give one number, which is a tensor without axes since Paddle 2.5.
_REDUCTIONS = frozenset(f"paddle.{name}" for name in ("max", "min", "sum", "mean", "prod"))


@finds_fault("K-01")
def numpy_alias(reached: Reached) -> Iterator[ast.AST]:
    """`np.float`, which was Python's `float`."""
    for node in reached.nodes:
        if isinstance(node, ast.Attribute) and meaning(reached, node) in _ALIASES:
            yield node


@mends("K-01")
def python_type(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`np.float` becomes `float`."""
    assert isinstance(node, ast.Attribute)
    end = reached.function.node.body[-1]
    if node.attr in reached.function.parameters or bound_before(reached, node.attr, end):
        return Refusal(Reason.of("audit.another-thing", name=node.attr))
    return reread(reached, node, node.attr)


@finds_fault("K-02")
def integer_promotion(reached: Reached) -> Iterator[ast.AST]:
    """An index of `argmax`, which is int64, and a range of another tensor's integer type.

    `index + batch * n`, where `index = x.argmax(...)` and `batch = paddle.arange(dtype=y.dtype)`.
    """
    for node in reached.nodes:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
            continue
        left, right = node.left, node.right
        if isinstance(left, ast.Name) and _is_argmax(reached, left) and _ranges(reached, right):
            yield node


def _is_argmax(reached: Reached, name: ast.Name) -> bool:
    value = _value(reached, name)
    call = value.func if isinstance(value, ast.Call) else None
    plain = isinstance(value, ast.Call) and all(k.arg != "dtype" for k in value.keywords)
    return isinstance(call, ast.Attribute) and call.attr in ("argmax", "argmin") and plain


def _ranges(reached: Reached, node: ast.expr) -> bool:
    """Whether an expression is a range of another tensor's type, times something or as it is."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        node = node.left
    value = _value(reached, node) if isinstance(node, ast.Name) else None
    for call in (value, *below(value)) if value is not None else ():
        if not isinstance(call, ast.Call):
            continue
        typed = [k.value for k in call.keywords if k.arg == "dtype"]
        copied = bool(typed) and isinstance(typed[0], ast.Attribute) and typed[0].attr == "dtype"
        if copied and meaning(reached, call.func) == "paddle.arange":
            return True
    return False


def _value(reached: Reached, name: ast.Name) -> ast.expr | None:
    """What a name was last bound to above the line where it is read."""
    found = [
        node.value
        for node in reached.statements
        if binds(node, name.id) and (node.end_lineno or 0) < name.lineno
    ]
    return found[-1] if found else None


@mends("K-02")
def cast_index(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`index + batch * n` becomes `index + (batch * n).astype(index.dtype)`."""
    assert isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name)
    right = source_of(reached, node.right)
    inner = right if isinstance(node.right, ast.Name) else f"({right})"
    return reread(reached, node.right, f"{inner}.astype({node.left.id}.dtype)")


@finds_fault("K-03")
def shape_plus_tuple(reached: Reached) -> Iterator[ast.AST]:
    """A shape and a tuple are joined, which Python refuses as soon as the line runs."""
    for node in reached.nodes:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
            continue
        if isinstance(node.right, ast.Tuple) and _is_shape(reached, node.left):
            yield node


def _is_shape(reached: Reached, node: ast.expr) -> bool:
    """Whether an expression is a tensor's shape, or a slice of one."""
    if isinstance(node, ast.Name):
        value = _value(reached, node)
        return value is not None and _is_shape(reached, value)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice) and _is_shape(reached, node.value)
    whole = isinstance(node, ast.Attribute) and node.attr == "shape"
    return whole and not reached.kind(node.value).has(Flag.NUMPY)  # type: ignore[attr-defined]


@mends("K-03")
def unpacked_shape(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`shape + (n, m)` becomes `[*shape, n, m]`."""
    assert isinstance(node, ast.BinOp) and isinstance(node.right, ast.Tuple)
    taker = next(reached.above(node), None)
    if isinstance(taker, ast.Call) and meaning(reached, taker.func) == "paddle.to_tensor":
        return Refusal(Reason.of("audit.shape-as-content"))
    parts = [f"*{source_of(reached, node.left)}"]
    parts += [source_of(reached, element) for element in node.right.elts]
    return reread(reached, node, f"[{', '.join(parts)}]")


@finds_fault("K-04")
def indexed_number(reached: Reached) -> Iterator[ast.AST]:
    """`paddle.max(x).numpy()[0]`: a reduction over all axes has none that could be indexed."""
    for node in reached.nodes:
        if _reduced(reached, node) is not None:
            yield node


def _reduced(reached: Reached, node: ast.AST) -> ast.Call | None:
    """What `.numpy()[0]` reads, if that is a reduction over all axes."""
    if not isinstance(node, ast.Subscript) or ast.unparse(node.slice) != "0":
        return None
    value, read = node.value, False
    while True:
        match value:
            case ast.Call(
                func=ast.Attribute(value=inner, attr="cpu" | "detach" | "numpy" as attr),
                args=[],
                keywords=[],
            ):
                value, read = inner, read or attr == "numpy"
            case ast.Call(args=[_], keywords=[]):
                reduces = read and meaning(reached, value.func) in _REDUCTIONS
                return value if reduces else None
            case _:
                return None


@mends("K-04")
def item(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`paddle.max(x).cpu().numpy()[0]` becomes `paddle.max(x).item()`."""
    reduced = _reduced(reached, node)
    assert reduced is not None and isinstance(node, ast.Subscript)
    return reread(reached, node, f"{source_of(reached, reduced)}.item()")


@finds_fault("K-05")
def stacked_numbers(reached: Reached) -> Iterator[ast.AST]:
    """`paddle.stack((h, w))` of a tensor's lengths, which are Python numbers and no tensors."""
    for call, name in reached.calls:
        parts = _stacked(call) if name == "paddle.stack" else ()
        kinds = [reached.kind(part) for part in parts]
        if kinds and all(kind.is_python and kind.has(Flag.SHAPE) for kind in kinds):
            yield call


def _stacked(call: ast.Call) -> list[ast.expr]:
    """What a call of `stack` stacks, if it says that in place and along no other axis."""
    alone = len(call.args) == 1 and not call.keywords
    return call.args[0].elts if alone and isinstance(call.args[0], (ast.List, ast.Tuple)) else []


@mends("K-05")
def tensor_of_numbers(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`paddle.stack((h, w))` becomes `paddle.to_tensor([h, w])`."""
    assert isinstance(node, ast.Call)
    owner = source_of(reached, node.func).rpartition(".")[0]
    if not owner:
        return Refusal(Reason.of("audit.stack-by-module"))
    parts = [source_of(reached, part) for part in _stacked(node)]
    return reread(reached, node, f"{owner}.to_tensor([{', '.join(parts)}])")
