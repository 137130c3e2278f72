"""Whether statements would train on other gradients as a program with inputs and outputs.

Measured on Paddle 2.6.2 (3.3.1 is right): an input that is given back unchanged has no gradient
under AST, and the gradient of an output is lost in both modes when the last operation reads it.
A list that is changed in place is another list inside a program, on every version.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codemod.code.liveness import stores
from codemod.code.module import dotted
from codemod.code.traversal import walk

GROWS = frozenset({"append", "extend", "insert", "add", "update", "setdefault"})
MUTATES = GROWS | {"pop", "remove", "clear", "discard", "sort", "reverse"}


def differs(
    inner: Sequence[ast.stmt], arguments: tuple[str, ...], results: tuple[str, ...]
) -> bool:
    """Whether a program of these statements could differ from running them."""
    given = _Inputs(frozenset(arguments))
    if not given.run(inner):
        return True
    returned = [n.value for node in inner for n in walk(node) if isinstance(n, ast.Return)]
    outputs = set(results)
    for value in returned:
        outputs |= {n.id for n in _outputs(value)}
    collected = _collected(inner, outputs)
    if outputs & given.maybe or collected & given.maybe:
        return True
    several = len(results) > 1 or any(_is_several(value) for value in returned) or bool(collected)
    return several and _last_reads(inner, outputs | collected)


def _outputs(value: ast.expr | None) -> Iterator[ast.Name]:
    """The names that a returned value consists of."""
    parts: list[ast.expr] = []
    match value:
        case ast.Name():
            yield value
        case ast.Tuple() | ast.List() | ast.Set():
            parts = value.elts
        case ast.Dict():
            parts = value.values
        case ast.IfExp():
            parts = [value.body, value.orelse]
        case ast.Subscript() | ast.Starred():
            parts = [value.value]
    for part in parts:
        yield from _outputs(part)


def _is_several(value: ast.expr | None) -> bool:
    return not isinstance(value, (ast.Name, ast.Call, ast.BinOp))


def _collected(inner: Sequence[ast.stmt], outputs: set[str]) -> set[str]:
    """The names that are put into a list or dictionary that is given back."""
    found: set[str] = set()
    for node in (n for statement in inner for n in walk(statement)):
        func = node.func if isinstance(node, ast.Call) else None
        grows = isinstance(func, ast.Attribute) and func.attr in GROWS
        if isinstance(node, ast.Call) and grows and (dotted(func) or "").split(".")[0] in outputs:
            found |= {n.id for argument in node.args for n in _outputs(argument)}
        if isinstance(node, ast.Assign):
            targets = {n.id for t in node.targets for n in _outputs(t)}
            if targets & outputs and not isinstance(node.value, (ast.Name, ast.Subscript)):
                found |= {n.id for n in _outputs(node.value)}
    return found


def _last_reads(inner: Sequence[ast.stmt], outputs: set[str]) -> bool:
    """Whether what computes last may read an output that it does not make itself."""
    for node in reversed(inner):
        value = node.value if isinstance(node, ast.Return) else node
        calls = [] if value is None else [n for n in walk(value) if _computes(n)]
        read = {n.id for call in calls for n in walk(call) if isinstance(n, ast.Name)}
        if (read & outputs) - stores([node]):
            return True
        # What stands under a condition may be passed over: then the statement before it is last.
        if calls and not isinstance(node, ast.If):
            return False
    return False


def _computes(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Attribute) and node.func.attr in MUTATES)
    return isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Compare))


@dataclass
class _Inputs:
    """Follows which names may still stand for an input: `maybe`, at the end and at every return."""

    maybe: frozenset[str]

    def run(self, statements: Sequence[ast.stmt]) -> bool:
        """False where an input is changed in place (a list, too), or returned as it came."""
        return all(self._statement(node) for node in statements)

    def _statement(self, node: ast.stmt) -> bool:
        if any(self._changes(one) for one in walk(node)):
            return False
        if isinstance(node, ast.If):
            before = self.maybe
            sound = self.run(node.body)
            after, self.maybe = self.maybe, before
            sound = self.run(node.orelse) and sound
            self.maybe |= after
            return sound
        if isinstance(node, (ast.For, ast.While)):
            before = self.maybe
            if isinstance(node, ast.For) and self._may_be(node.iter):
                self.maybe |= stores([node.target])
            # Twice: what the first round leaves is what the second one starts from.
            sound = self.run(node.body) and self.run(node.body)
            self.maybe |= before
            return self.run(node.orelse) and sound
        if isinstance(node, ast.Assign):
            names = stores([node])
            self.maybe = self.maybe | names if self._may_be(node.value) else self.maybe - names
        if isinstance(node, ast.Return):
            return not any(name.id in self.maybe for name in _outputs(node.value))
        return True

    def _may_be(self, value: ast.expr) -> bool:
        """Whether a value may be an input itself, or hold one: a name, an element, a list."""
        if isinstance(value, ast.Call):
            return dotted(value.func) in ("list", "tuple", "zip", "enumerate", "reversed") and any(
                self._may_be(argument) for argument in value.args
            )
        return any(name.id in self.maybe for name in _outputs(value))

    def _changes(self, node: ast.AST) -> bool:
        if isinstance(node, ast.AugAssign):
            return dotted(node.target) in self.maybe
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            in_place = name in MUTATES or (name.endswith("_") and not name.startswith("_"))
            return in_place and dotted(node.func.value) in self.maybe
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return dotted(node.value) in self.maybe
        return False
