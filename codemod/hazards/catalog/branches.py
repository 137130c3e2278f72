"""Branches: an `if` on a tensor, on its type, on a layer or on Paddle's mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import dotted
from codemod.code.traversal import walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import bound_before, has_name_before, loaded_after, stored, tensor_ifs
from codemod.hazards.reach.live import ends
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag


@finds("D-10")
def if_return_arity(reached: Reached) -> Iterator[Match]:
    """The branches of a tensor `if` return different structures.

    A tensor `if` whose return and the next one hand back differently many values.
    """
    for node in tensor_ifs(reached):
        first = _last_return(node.body)
        second = _last_return(node.orelse) or _next_return(reached, node)
        if first is not None and second is not None and _width(first) != _width(second):
            yield node, Reason.of("hazards.unequal-branches")


def _last_return(body: list[ast.stmt]) -> ast.Return | None:
    """The return that ends a block."""
    last = body[-1] if body else None
    return last if isinstance(last, ast.Return) else None


def _next_return(reached: Reached, node: ast.If) -> ast.Return | None:
    """The first return below a statement."""
    last = node.end_lineno or node.lineno
    below = (n for n in reached.each(ast.Return) if n.lineno > last)
    return next(below, None)


def _width(node: ast.Return) -> int:
    """How many values a return hands back; 1 where that is not a literal tuple."""
    return len(node.value.elts) if isinstance(node.value, (ast.Tuple, ast.List)) else 1


@finds("D-11")
def if_undefined(reached: Reached) -> Iterator[Match]:
    """A name is bound in only one branch of a tensor `if`.

    Names that only one branch binds, that nothing binds above, and that are read below.
    """
    for node in tensor_ifs(reached):
        here, there = stored(node.body), stored(node.orelse)
        for name in sorted(here.keys() ^ there.keys()):
            only = node.body if name in here else node.orelse
            if (
                not ends(only)
                and not ends(node.orelse if only is node.body else node.body)
                and not has_name_before(reached, name, node)
                and loaded_after(reached, name, node)
            ):
                yield node, Reason.of("hazards.bound-once", name=name)


@finds("D-102")
def tensor_or(reached: Reached) -> Iterator[Match]:
    """The value of `or` or `and` that begins with a tensor.

    `a or b` that is no condition, with a tensor before the last part, and a part that is no truth
    value itself (tensor_or.py).
    """
    for node in reached.each(ast.BoolOp):
        asked = any(reached.kind(value).is_tensor for value in node.values[:-1])
        if asked and not _is_truth(node) and not _is_condition(reached, node):
            yield node, Reason.of("hazards.value-of-tensor", text=ast.unparse(node))


def _is_truth(node: ast.expr) -> bool:
    """Whether an expression is a truth value by its form."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_truth, node.values))
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def _is_condition(reached: Reached, node: ast.expr) -> bool:
    """Whether only the truth of an expression is asked for."""
    above = next(iter(reached.above(node)), None)
    if isinstance(above, ast.BoolOp):
        return _is_condition(reached, above)
    if isinstance(above, ast.UnaryOp):
        return isinstance(above.op, ast.Not)
    if isinstance(above, ast.comprehension):
        return True
    return isinstance(above, (ast.If, ast.While, ast.IfExp, ast.Assert)) and above.test is node


@finds("D-12")
def if_none_sentinel(reached: Reached) -> Iterator[Match]:
    """A name is None until a tensor `if` gives it a tensor.

    A name set to None above a tensor `if` that binds it.
    """
    for node in tensor_ifs(reached):
        for name in stored(node.body):
            values = bound_before(reached, name, node)
            last = values[-1] if values else None
            if isinstance(last, ast.Constant) and last.value is None:
                yield node, Reason.of("hazards.none-or-tensor", name=name)


@finds("D-13")
def if_passthrough(reached: Reached) -> Iterator[Match]:
    """A branch of a tensor `if` hands on an outer variable unchanged.

    `b = y` in a branch, with `y` read below or once more in that branch, or `out = y` above and
    rebound in one branch, with `y` read below.
    """
    for node in tensor_ifs(reached):
        for name, source in (*_aliases(reached, node), *_kept(reached, node)):
            if loaded_after(reached, name, node):
                yield node, Reason.of("hazards.handed-through", name=name, source=source)
                break


def _aliases(reached: Reached, node: ast.If) -> Iterator[tuple[str, str]]:
    """`b = y` in one of the branches, alone or in a tuple, where `y` is read elsewhere, too."""
    for block in (node.body, node.orelse):
        for statement in block:
            for name, source in _handed(statement):
                if loaded_after(reached, source, node) or _reads(block, source) > 1:
                    yield name, source


def _handed(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The pairs of names of `b = y` and of `b, c = y, z`."""
    if not isinstance(statement, ast.Assign):
        return
    target, value = statement.targets[0], statement.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts, strict=False))
    for to, of in pairs:
        if isinstance(to, ast.Name) and isinstance(of, ast.Name):
            yield to.id, of.id


def _reads(block: list[ast.stmt], name: str) -> int:
    """How often statements read a name."""
    nodes = (node for line in block for node in walk(line) if isinstance(node, ast.Name))
    return sum(node.id == name and isinstance(node.ctx, ast.Load) for node in nodes)


def _kept(reached: Reached, node: ast.If) -> Iterator[tuple[str, str]]:
    """`out = y` above, one branch that binds `out` anew, and `y` read below."""
    for name in stored(node.body).keys() ^ stored(node.orelse).keys():
        values = bound_before(reached, name, node)
        last = values[-1] if values else None
        if not isinstance(last, ast.Name) or not reached.kind(last).is_data:
            continue
        if loaded_after(reached, last.id, node):
            yield name, last.id


@finds("D-35")
def isinstance_tensor(reached: Reached) -> Iterator[Match]:
    """A value is asked whether it is a `paddle.Tensor`.

    `isinstance(x, paddle.Tensor)` and `type(x) is paddle.Tensor`.
    """
    for call in reached.each(ast.Call):
        if dotted(call.func) == "isinstance":
            asked = _alternatives(call.args[1]) if len(call.args) == 2 else []
            if any(_is_tensor_class(reached, c) for c in asked):
                yield call, Reason.of("hazards.asks-class", test=ast.unparse(call))
    for node in reached.each(ast.Compare):
        asks = isinstance(node.left, ast.Call) and dotted(node.left.func) == "type"
        if asks and any(_is_tensor_class(reached, c) for c in node.comparators):
            yield node, Reason.of("hazards.asks-class", test=ast.unparse(node))


def _alternatives(classes: ast.expr) -> list[ast.expr]:
    """The classes that an `isinstance` asks for."""
    return classes.elts if isinstance(classes, ast.Tuple) else [classes]


def _is_tensor_class(reached: Reached, node: ast.expr) -> bool:
    """`paddle.Tensor` under any of its names; a static `Variable` beside it does not help."""
    name = reached.index.canonical(reached.function.module, dotted(node) or "")
    return name.startswith("paddle.") and name.endswith(".Tensor")


@finds("D-59")
def masked_shape_if(reached: Reached) -> Iterator[Match]:
    """An `if` on the shape of a result whose rows depend on the data.

    `if nonzero(...).shape[0]`.
    """
    for node in _conditionals(reached):
        if _asks_rows(reached, node.test):
            yield node, Reason.of("hazards.branches-on", test=ast.unparse(node.test))


def _conditionals(reached: Reached) -> Iterator[ast.If | ast.IfExp]:
    yield from reached.each(ast.If)
    yield from reached.each(ast.IfExp)


def _asks_rows(reached: Reached, test: ast.expr) -> bool:
    """Whether a condition reads a number of rows that the data decide."""
    return any(
        reached.kind(part).has(Flag.EFFECTIVE) and reached.kind(part).is_python
        for part in walk(test)
        if isinstance(part, ast.expr)
    )


@finds("D-75")
def layer_truth(reached: Reached) -> Iterator[Match]:
    """A condition asks a layer for its truth.

    `if self.layer:` where the attribute holds a layer.
    """
    for node in _conditionals(reached):
        test = node.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test = test.operand
        if isinstance(test, ast.Attribute) and reached.kind(test).has(Flag.LAYER):
            yield node, Reason.of("hazards.layer-truth", test=ast.unparse(test))
