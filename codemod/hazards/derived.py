"""What a model returns beside a tensor that it was computed from, as the last thing of all.

Paddle 2.6 loses a part of the gradient there: of `return y, f(y)` only what comes by the second
output reaches the weights, if `f` is the last operation of the graph.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.module import dotted, handed
from codemod.hazards.patterns import binds
from codemod.hazards.reach.index import Class
from codemod.hazards.reach.reached import Reached


def derived_outputs(reached: Reached) -> Iterator[tuple[ast.Return, tuple[str, ...], ast.expr]]:
    """Each return with one: the names of the tensors that are returned too, and what is derived."""
    told: set[str] = set()
    for node in reached.each(ast.Return):
        for value in alternatives(node.value):
            returned = tuple(parts(reached, value))
            names = {part.id for part in returned if isinstance(part, ast.Name)}
            for part in returned:
                source = _operands(reached, part) & (names - {getattr(part, "id", None)})
                if source and ast.unparse(part) not in told and _is_last(reached, part):
                    told.add(ast.unparse(part))
                    yield node, tuple(sorted(source)), part
                    break


def made_by(reached: Reached, name: str) -> ast.Assign | None:
    """The statement that gives a local name its value, if there is only one."""
    found = [node for node in reached.each(ast.Assign) if binds(node, name)]
    return found[0] if len(found) == 1 else None


def _is_last(reached: Reached, part: ast.expr) -> bool:
    """Whether no tensor is surely made after a returned one."""
    made = made_by(reached, part.id) if isinstance(part, ast.Name) else None
    if made is None:
        return True
    around = set(reached.above(made))
    for node in reached.statements:
        if isinstance(node, (ast.Assign, ast.AugAssign)) and node.lineno > made.lineno:
            sure = all(one in around for one in reached.above(node) if isinstance(one, ast.If))
            computes = isinstance(node, ast.AugAssign) or isinstance(
                node.value, (ast.Call, ast.BinOp)
            )
            if sure and computes and reached.kind(node.value).may_be_data:
                return False
    return True


def alternatives(value: ast.expr | None) -> Iterator[ast.expr]:
    """What is returned in each case of a conditional expression."""
    if isinstance(value, ast.IfExp):
        yield from (*alternatives(value.body), *alternatives(value.orelse))
    elif value is not None:
        yield value


def parts(reached: Reached, value: ast.expr) -> Iterator[ast.expr]:
    """What a returned value consists of, also where a name or an output of the kit's holds it."""
    if isinstance(value, ast.Dict):
        yield from value.values
    elif isinstance(value, (ast.Tuple, ast.List)):
        for part in value.elts:
            yield from parts(reached, part)
    elif isinstance(value, ast.BinOp) and _joins(value):
        yield from (*parts(reached, value.left), *parts(reached, value.right))
    elif isinstance(value, ast.Call) and output_class(reached, value):
        yield from handed(value)
    elif isinstance(value, ast.Name):
        made = made_by(reached, value.id)
        if made is not None and isinstance(made.value, (ast.Tuple, ast.List, ast.Dict)):
            yield from parts(reached, made.value)
        else:
            yield value
    else:
        yield value


def _joins(value: ast.BinOp) -> bool:
    """Whether tuples are put together, and not tensors added."""
    sides = (value.left, value.right)
    return isinstance(value.op, ast.Add) and any(isinstance(side, ast.Tuple) for side in sides)


def output_class(reached: Reached, call: ast.Call) -> Class | None:
    """The named tuple, dataclass or ordered mapping of the kit's own that a call makes."""
    found = reached.index.resolve(reached.function.module, dotted(call.func) or "")
    if not isinstance(found, Class):
        return None
    marks = {ast.unparse(mark).split("(")[0] for mark in found.node.decorator_list}
    bases = {base.rpartition(".")[2] for base in reached.index.foreign_bases(found)}
    holds = marks & {"dataclass", "dataclasses.dataclass"} or bases & {"NamedTuple", "OrderedDict"}
    return found if holds else None


def _operands(reached: Reached, part: ast.expr) -> set[str]:
    """The names that are direct operands of what makes a value."""
    value: ast.expr | None = part
    if isinstance(part, ast.Name):
        made = made_by(reached, part.id)
        value = made.value if made is not None else None
    operands: list[ast.expr] = []
    if isinstance(value, ast.Call):
        operands = list(value.args)
        if isinstance(value.func, ast.Attribute):
            operands.append(value.func.value)
    elif isinstance(value, ast.BinOp):
        operands = [value.left, value.right]
    flat = [inner for one in operands for inner in getattr(one, "elts", [one])]
    return {o.id for o in flat if isinstance(o, ast.Name) and reached.kind(o).is_data}
