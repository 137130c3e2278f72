"""Python numbers that a loop changes and hands to its model, found in the code.

Each value of such a number is a program of its own. A number that changes once an epoch makes
few programs and is left alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from codemod.code.module import Module, Scope, by_name, callee, dotted
from codemod.code.project import Project
from codemod.code.sites import assigned
from codemod.code.traversal import names_in
from codemod.engine.find.target import loops_around

_EPOCH = re.compile(r"epoch", re.IGNORECASE)
# What a step is called by a method that is given it: nobody's calls of methods are followed.
_STEP = re.compile(
    r"^((cur|current|global|batch|train|n|i|num)_?)?(step|iter|iteration|batch_idx|batch_id)s?$"
)
_NUMERIC = frozenset({"float", "int", "min", "max", "round", "abs", "pow"})
_LEVELS = 2


class _Place(NamedTuple):
    """A call of a scope, and the loops of the scope that it stands in, the outermost first."""

    module: Module
    scope: Scope
    call: ast.Call
    loops: tuple[ast.For | ast.While, ...]


def changing_number(
    project: Project, module: Module, scope: Scope, names: frozenset[str]
) -> tuple[int, tuple[str, ...]] | None:
    """Line of a call of the model, and the numbers that it is given anew each step.

    A number by itself is the input, whatever its type; others come beside the input.
    """
    for call in sorted(scope.calls, key=lambda call: call.lineno):
        if dotted(call.func) not in names:
            continue
        place = _place(module, scope, call)
        given = [v for v in _given(place) if not isinstance(v, ast.Constant)]
        found = [value for value in given if _changes(project, place, value, _LEVELS)]
        if found and len(found) < len(given):
            return call.lineno, tuple(f"`{ast.unparse(value)}`" for value in found)
    return None


def _place(module: Module, scope: Scope, call: ast.Call) -> _Place:
    return _Place(module, scope, call, loops_around(scope, call))


def _given(place: _Place) -> Iterator[ast.expr]:
    """What a call hands over, and what the loop puts into a mapping that it hands over."""
    flat = [*place.call.args, *(keyword.value for keyword in place.call.keywords)]
    while flat:
        match flat.pop(0):
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
                flat += parts
            case ast.Starred(value=inner):
                flat.append(inner)
            case value:
                yield value
                yield from _put_into(place, dotted(value))


def _put_into(place: _Place, name: str | None) -> Iterator[ast.expr]:
    for statement in place.scope.statements if name else ():
        match statement.node:
            case ast.Assign(
                targets=[ast.Subscript(value=whole, slice=ast.Constant()), *_], value=value
            ) if dotted(whole) == name and _before_call(place, statement.node):
                yield value


def _before_call(place: _Place, node: ast.stmt) -> bool:
    """Whether a statement is in a loop of the call's, and before the call."""
    return _in_loop(place, node) and node.lineno < place.call.lineno


def _in_loop(place: _Place, node: ast.stmt) -> bool:
    return any(loop.lineno < node.lineno <= (loop.end_lineno or 0) for loop in place.loops)


def _changes(project: Project, place: _Place, value: ast.expr, levels: int) -> bool:
    """Whether a value is a number, and another one from step to step."""
    name = dotted(value)
    if name is not None:
        if _EPOCH.search(name):
            return False
        return _counted(place, name) or _computed(project, place, name, levels)
    if not _is_number(place, value):
        return False
    return any(_changes(project, place, part, levels) for part in _parts(value))


def _parts(value: ast.expr) -> list[ast.expr]:
    match value:
        case ast.BinOp():
            return [value.left, value.right]
        case ast.UnaryOp():
            return [value.operand]
        case ast.Call():
            return [*value.args, *(keyword.value for keyword in value.keywords)]
    return []


def _is_number(place: _Place, value: ast.expr) -> bool:
    """Whether an expression is arithmetic on what may be numbers: no call makes a tensor."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, (int, float))
    if isinstance(value, (ast.BinOp, ast.UnaryOp)):
        return all(_is_number(place, part) for part in _parts(value))
    if isinstance(value, ast.Call):
        by_name = (dotted(value.func) or "").startswith("math.") or callee(value) in _NUMERIC
        return callee(value) == "len" or (
            by_name and all(_is_number(place, part) for part in _parts(value))
        )
    name = dotted(value)
    if name is None:
        return False
    if "." in name:
        return True
    made = filter(None, (_given_to(s.node, name) for s in place.scope.statements))
    known = _counted(place, name) or bool(_EPOCH.search(name))
    return known or any(name not in names_in(v) and _is_number(place, v) for v in made)


def _counted(place: _Place, name: str) -> bool:
    """Whether a loop counts a name: by `range`, `enumerate`, a list of numbers, or `+= 1`."""
    if any(name in _counters(loop) for loop in place.loops):
        return True
    scope = place.scope
    if name.startswith("self.") and scope.owner is not None:
        methods = (m for m in place.module.methods(scope.owner) if m.function != "__init__")
        return any(_raised(s.node) == name for m in methods for s in m.statements)
    return any(_raised(s.node) == name and _in_loop(place, s.node) for s in scope.statements)


def _counters(loop: ast.For | ast.While) -> list[str]:
    if not isinstance(loop, ast.For):
        return []
    over, target = loop.iter, loop.target
    if isinstance(over, ast.Call) and callee(over) == "tqdm" and over.args:
        over = over.args[0]
    called = callee(over) if isinstance(over, ast.Call) else ""
    listed = isinstance(over, (ast.List, ast.Tuple)) and all(
        isinstance(e, ast.Constant) and isinstance(e.value, (int, float)) for e in over.elts
    )
    if called == "enumerate" and isinstance(target, ast.Tuple):
        target = target.elts[0]
    elif called not in ("range", "trange") and not listed:
        return []
    return [target.id] if isinstance(target, ast.Name) else []


def _raised(node: ast.stmt) -> str | None:
    """The name that a statement counts up or down by a whole number."""
    names, value = assigned(node)
    match node, value:
        case ast.AugAssign(op=ast.Add() | ast.Sub(), value=ast.Constant(value=int())), _:
            return dotted(node.target)
        case _, ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant(value=int())):
            return names[0] if names and dotted(value.left) == names[0] else None
    return None


def _given_to(node: ast.stmt, name: str) -> ast.expr | None:
    """What a statement assigns to a name, its own part of a tuple."""
    names, value = assigned(node)
    if name not in names:
        return None
    if isinstance(value, ast.Tuple) and len(value.elts) == len(names):
        return value.elts[names.index(name)]
    return value


def _computed(project: Project, place: _Place, name: str, levels: int) -> bool:
    """Whether a name is computed from a count in the loop, or given one by those who call."""
    for statement in place.scope.statements:
        value = _given_to(statement.node, name)
        if value is None or not _before_call(place, statement.node):
            continue
        if name in names_in(value) or not levels:
            continue
        if _changes(project, place, value, levels - 1) or _schedules(project, place, value, levels):
            return True
    return name in place.scope.parameters and _given_a_count(project, place, name, levels)


def _schedules(project: Project, place: _Place, value: ast.expr, levels: int) -> bool:
    """Whether a function of the repository computes a number from a count: a schedule."""
    if not isinstance(value, ast.Call):
        return False
    made = project.function_named(place.module, value.func)
    if made is None or re.search(r"\b(paddle|np|numpy|Tensor)\b", made[1].text):
        return False
    # An epoch that is counted in parts changes each step, as `epoch + step / steps` does.
    return any(_changes(project, place, part, levels - 1) for part in _parts(value))


def _given_a_count(project: Project, place: _Place, name: str, levels: int) -> bool:
    scope = place.scope
    if scope.owner is not None and scope.function != "__init__":
        return bool(_STEP.match(name))
    index = scope.parameters.index(name)
    for caller in project.callers(place.module, scope) if levels else ():
        given = by_name(caller.call, name)
        if given is None and index < len(caller.call.args):
            given = caller.call.args[index]
        above = _place(caller.module, caller.scope, caller.call)
        if given is not None and _changes(project, above, given, levels - 1):
            return True
    return False
