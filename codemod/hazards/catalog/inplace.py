"""Values that are copied, written in place, or share memory with a detached tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.traversal import names_in, walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import bound_before, loaded_after, over_parameters
from codemod.hazards.reach.apis import NAMES
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag

_VIEWS = frozenset(
    ("reshape", "transpose", "squeeze", "unsqueeze", "flatten", "slice", "view", "t")
)


# In-place functions that in a static graph give a new tensor, and leave the old one as it was.
_LOST = (NAMES["in_place"] - NAMES["kept_in_place"]) | NAMES["lost_in_place"]


@finds("D-57")
def inplace_view(reached: Reached) -> Iterator[Match]:
    """An in-place function acts on a view.

    `view.add_(...)` where the name is a reshape, a transpose or a slice of another tensor.
    """
    for call, base, name in reached.methods(*NAMES["in_place"]):
        if _of_view(reached, base, call):
            yield call, Reason.of("hazards.on-view", name=name)


def _of_view(reached: Reached, base: ast.expr, call: ast.Call) -> bool:
    """Whether what a call is of is a view, or a name that holds one."""
    return _is_view(base) or (isinstance(base, ast.Name) and _from_view(reached, base.id, call))


def _is_view(node: ast.expr) -> bool:
    """Whether an expression makes a view."""
    match node:
        case ast.Subscript():
            return any(isinstance(part, ast.Slice) for part in walk(node.slice))
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _VIEWS
    return False


def _from_view(reached: Reached, name: str, call: ast.Call) -> bool:
    """Whether the name's last value above the call is a view."""
    return any(map(_is_view, bound_before(reached, name, call)[-1:]))


@finds("D-90")
def parameter_in_place(reached: Reached) -> Iterator[Match]:
    """A net's parameter is changed in place: a static graph leaves it where it was.

    `p.scale_(m)`, `p.add_(x)` of parameters met in a loop over them, and of `self.teacher.weight`.
    """
    for call, base, name in reached.methods(*NAMES["in_place"]):
        looped = isinstance(base, ast.Name) and _of_parameters(reached, base.id, call)
        if looped or reached.kind(base).has(Flag.PARAMETER):
            yield call, Reason.of("hazards.changed-in-place", name=ast.unparse(base), by=name)


@finds("D-97")
def inplace_statement(reached: Reached) -> Iterator[Match]:
    """What an in-place function does is lost: its result is not used, or the old name is read.

    `mask.floor_()`, `F.relu_(x)`, `y = x.add_(z)` with `x` read below: a static graph returns a new
    tensor from them and leaves the old one as it was. Views and parameters are other hazards.
    """
    for call, name in reached.calls:
        function = name.rpartition(".")[2]
        base = changed_in_place(call, name) if function in _LOST else None
        if base is None or reached.kind(base).has(Flag.PARAMETER):
            continue
        if not isinstance(reached.parents.get(call), ast.Expr):
            if isinstance(base, ast.Name) and _read_again(reached, base.id, call):
                yield call, Reason.of("hazards.old-value", by=function, name=base.id)
            continue
        if function in NAMES["in_place"] and _of_view(reached, base, call):
            continue
        if isinstance(base, ast.Name):
            # What a caller hands in may be read there.
            read = base.id in reached.function.parameters or read_below(reached, base.id, call)
            if not read or _of_parameters(reached, base.id, call):
                continue
        yield call, Reason.of("hazards.result-unused", by=function, name=ast.unparse(base))


def _read_again(reached: Reached, name: str, call: ast.Call) -> bool:
    """Whether a name that the statement of a call leaves as it is has its next use in a read.

    What is handed to another function as a statement is that one's to change (`all_reduce`).
    """
    statement = next((one for one in reached.above(call) if isinstance(one, ast.stmt)), None)
    if statement is None or isinstance(statement, ast.Expr):
        return False
    stored = (node for node in walk(statement) if isinstance(node, ast.Name) and node.id == name)
    if any(isinstance(node.ctx, ast.Store) for node in stored):
        return False
    return loaded_after(reached, name, statement)


def changed_in_place(call: ast.Call, name: str) -> ast.expr | None:
    """The tensor that a call changes: what its method is of, or the first argument of Paddle's."""
    if name.startswith("paddle."):
        return call.args[0] if call.args else None
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def _of_parameters(reached: Reached, name: str, node: ast.AST) -> bool:
    """Whether a loop around a node gives the name each of a net's parameters."""
    return any(
        over_parameters(loop) and name in names_in(loop.target) for loop in reached.above(node)
    )


def read_below(reached: Reached, name: str, call: ast.Call) -> bool:
    """Whether a name is read in the function after a call, also by way of a loop around it."""
    looped = any(isinstance(one, (ast.For, ast.While)) for one in reached.above(call))
    inside = set(walk(call))
    return any(
        node.id == name
        and isinstance(node.ctx, ast.Load)
        and node not in inside
        and (looped or node.lineno > call.lineno)
        for node in reached.each(ast.Name)
    )
