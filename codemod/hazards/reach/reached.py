"""A reached function, as hazards see it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeVar

from codemod.base.grouping import grouped
from codemod.code.module import DEFINITIONS, dotted
from codemod.code.traversal import own_nodes
from codemod.hazards.reach.index import Class, Function, Index, Unit
from codemod.hazards.reach.reachable import World
from codemod.hazards.reach.values import UNKNOWN, ValueKind

_OFF = (False, None)
Node = TypeVar("Node", bound=ast.AST)


class Reached:
    """One function that a model's forward can reach, with what is known of its values.

    Only what a training step can run is looked at: the branches of evaluation and export are
    not among `nodes` and `statements`. `found` keeps what `once_each` functions made of it.
    """

    def __init__(self, world: World, unit: Unit) -> None:
        self.world = world
        self.unit = unit
        self.found: dict[tuple[object, ...], Any] = {}

    @property
    def function(self) -> Function:
        """The function itself."""
        return self.unit.function

    @property
    def owner(self) -> Class | None:
        """The concrete class whose method it is, None for a plain function."""
        return self.unit.owner

    @property
    def index(self) -> Index:
        """The kit's names."""
        return self.world.index

    @property
    def is_hooked(self) -> bool:
        """Whether it is the `forward` of a layer that a hook makes static."""
        named = self.function.node.name == "forward" and self.owner is not None
        return named and self.unit.is_net

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """The statements that training can run, by line."""
        return tuple(sorted(self.unit.live.values(), key=lambda node: node.lineno))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of those statements."""
        return tuple(
            node
            for statement in self.statements
            for node in (statement, *(own_nodes(statement) if _open(statement) else ()))
        )

    @cached_property
    def _by_kind(self) -> dict[type, list[Any]]:
        return grouped((type(node), node) for node in self.nodes)

    def each(self, kind: type[Node]) -> list[Node]:
        """Those of `nodes` that are of one class, which no other is derived from."""
        return self._by_kind.get(kind, [])

    @cached_property
    def calls(self) -> tuple[tuple[ast.Call, str], ...]:
        """Every call with its name, imports spelled out (`paddle.nn.functional.relu`)."""
        module = self.function.module
        return tuple(
            (node, self.index.canonical(module, dotted(node.func) or ""))
            for node in self.each(ast.Call)
        )

    @cached_property
    def _methods(self) -> dict[str, list[tuple[int, ast.Call]]]:
        """The calls of each method, with their places among all calls."""
        return grouped(
            (call.func.attr, (place, call))
            for place, call in enumerate(self.each(ast.Call))
            if isinstance(call.func, ast.Attribute)
        )

    @property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node above each node of the function."""
        return self.function.parents

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, inner ones first."""
        found = self.parents.get(node)
        while found is not None:
            yield found
            found = self.parents.get(found)

    def kind(self, node: ast.AST | None) -> ValueKind:
        """The kind of an expression; unknown for what was not evaluated."""
        return self.unit.kinds.get(node, UNKNOWN) if node is not None else UNKNOWN

    def methods(self, *names: str) -> Iterator[tuple[ast.Call, ast.expr, str]]:
        """Calls of methods of these names: the call, what it is called on, the name."""
        # Most functions call none of them.
        if self._methods.keys().isdisjoint(names):
            return
        for _, call in sorted({one for name in names for one in self._methods.get(name, ())}):
            assert isinstance(call.func, ast.Attribute)
            yield call, call.func.value, call.func.attr

    def switches(self, node: ast.AST) -> tuple[str, ...]:
        """The constructor arguments, off by default, without which the node does not run."""
        found: dict[str, None] = {}
        inner = node
        for outer in self.above(node):
            runs = outer.body if isinstance(outer, (ast.If, ast.IfExp)) else []
            if inner in (runs if isinstance(runs, list) else [runs]):
                names = (_argument(self, test) for test in _all_of(outer.test))  # type: ignore[attr-defined]
                found |= dict.fromkeys(name for name in names if name is not None)
            inner = outer
        return tuple(found)


def _open(statement: ast.stmt) -> bool:
    """A nested function's statements are listed themselves, its decorators do not matter."""
    return not isinstance(statement, DEFINITIONS)


def _all_of(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return test.values
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot):
        return [test.left]
    return [test]


def _argument(reached: Reached, test: ast.expr) -> str | None:
    """The argument behind `self.flag` (or a parameter) when nothing sets it otherwise."""
    name = dotted(test)
    owner = reached.owner
    if name is None or owner is None or not name.startswith("self.") or name.count(".") != 1:
        return None
    bound = reached.world.builder.bound(owner, name.removeprefix("self."))
    if len(bound) != 1:
        return None
    method, value = bound[0]
    if isinstance(value, ast.Constant):
        return name[5:] if value.value in _OFF else None
    default = method.defaults.get(value.id) if isinstance(value, ast.Name) else None
    if isinstance(default, ast.Constant) and default.value in _OFF and isinstance(value, ast.Name):
        return value.id
    return None
