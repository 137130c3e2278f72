"""What of a layer's class must stay dynamic: attributes that lead to what no static graph may hold.

A pattern says what that is: an embedding table with sparse gradients, say. An attribute leads to
it when the class assigns it such a thing, an object of a class that holds one, or a list of
them. What cannot be followed counts as leading there, so that a mistake costs speed alone.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

from codemod.base.reason import Reason, Refusal
from codemod.code.module import Module, dotted
from codemod.code.pattern import compile_pattern, match
from codemod.code.project import Project
from codemod.code.traversal import every_statement, own_nodes, walk

PLAIN = frozenset(
    {"collections", "copy", "functools", "itertools", "logging", "math", "numpy", "os", "paddle"}
    | {"random", "sys", "time"}
)
SELF = "self"
ADDS = ("add_sublayer", "add_parameter", "register_buffer")
GROWS = ("append", "extend", "insert")


@dataclass(frozen=True)
class ClassAttributes:
    """A class as its methods see it: attributes by what they are, and its methods by name.

    `tables` lead to what must stay dynamic; `late` are assigned outside `__init__`; `known` are
    all that the class assigns.
    """

    tables: frozenset[str]
    late: frozenset[str]
    known: frozenset[str]
    methods: dict[str, ast.FunctionDef]


@dataclass
class Finder:
    """Looks at each class once. `stays` are patterns, `unless` those that are no such thing."""

    project: Project
    stays: tuple[str, ...]
    unless: tuple[str, ...] = ()
    _known: dict[tuple[str, str], ClassAttributes | Refusal] = field(default_factory=dict)
    _ones: dict[ast.Call, bool] = field(default_factory=dict)

    def held(self, module: Module, owner: ast.ClassDef) -> ClassAttributes | Refusal:
        """What the class holds, or why that cannot be told."""
        key = (module.path, owner.name)
        if key not in self._known:
            # A class that holds itself: by then, what it holds besides has been asked for.
            self._known[key] = ClassAttributes(frozenset(), frozenset(), frozenset(), {})
            self._known[key] = self._look(module, owner)
        return self._known[key]

    def holds(
        self, module: Module, owner: ast.ClassDef, seen: frozenset[str] = frozenset()
    ) -> bool:
        """Whether such a thing is made for certain, by the class or by one that it makes."""
        for call in (node for node in walk(owner) if isinstance(node, ast.Call)):
            if self._is_one(call):
                return True
            name = dotted(call.func) or ""
            found = self.project.class_named(module, call.func) if name[:1].isupper() else None
            if found and name not in seen and self.holds(*found, seen | {name}):
                return True
        return False

    def _is_one(self, call: ast.Call) -> bool:
        def among(patterns: tuple[str, ...]) -> bool:
            return any(match(compile_pattern(text), call) is not None for text in patterns)

        if call not in self._ones:
            self._ones[call] = among(self.stays) and not among(self.unless)
        return self._ones[call]

    def _look(self, module: Module, owner: ast.ClassDef) -> ClassAttributes | Refusal:
        for base in owner.bases:
            name = dotted(base) or ""
            if not name.endswith("Layer") or self.project.definition(module, name):
                return Refusal(Reason.of("engine.inherits", base=ast.unparse(base)))
        methods = {n.name: n for n in owner.body if isinstance(n, ast.FunctionDef)}
        known: set[str] = set()
        late: set[str] = set()
        tables: set[str] = set()
        for name, method in methods.items():
            for attribute in _assigned(method):
                known.add(attribute)
                if name != "__init__":
                    late.add(attribute)
        for method in methods.values():
            reader = _Assignments(self, module, method, methods, tables)
            fault = reader.run()
            if fault:
                return Refusal(fault)
            known |= reader.added
        return ClassAttributes(frozenset(tables), frozenset(late), frozenset(known), methods)

    def leads(self, module: Module, call: ast.Call) -> bool:
        """Whether what a call makes is, or holds, what must stay dynamic."""
        if self._is_one(call):
            return True
        name = dotted(call.func)
        if name is None or name.split(".")[0] in (SELF, "super"):
            return False
        head = name.split(".")[0]
        found = self.project.definition(module, name)
        if found and isinstance(found[1], ast.ClassDef):
            inner = self.held(found[0], found[1])
            return isinstance(inner, Refusal) or bool(inner.tables)
        if found:
            inner_calls = (n for n in walk(found[1]) if isinstance(n, ast.Call))
            return any(self._is_one(one) for one in inner_calls)
        origin = module.imports.get(head)
        if origin is None:
            return "." not in name and head[:1].isupper() and not hasattr(builtins, head)
        return origin.split(".")[0] not in PLAIN


def _own(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """Whether a node is an attribute of `self`."""
    return isinstance(node, ast.Attribute) and dotted(node.value) == SELF


def _assigned(method: ast.FunctionDef) -> Iterator[str]:
    for node in walk(method):
        if _own(node) and not isinstance(node.ctx, ast.Load):
            yield node.attr


@dataclass
class _Assignments:
    """Follows what one method puts into attributes, through its local names."""

    finder: Finder
    module: Module
    method: ast.FunctionDef
    methods: dict[str, ast.FunctionDef]
    tables: set[str]
    local: set[str] = field(default_factory=set)
    added: set[str] = field(default_factory=set)

    def run(self) -> Reason | None:
        """Fills `tables`; a reason where a table goes where it cannot be followed."""
        before = -1
        while before != len(self.tables) + len(self.local):
            before = len(self.tables) + len(self.local)
            for statement in every_statement(self.method):
                fault = self._statement(statement)
                if fault:
                    return fault
        return None

    def _statement(self, statement: ast.stmt) -> Reason | None:
        nodes = list(own_nodes(statement))
        for node in nodes:
            if isinstance(node, ast.Call):
                fault = self._call(node)
                if fault:
                    return fault
        value = getattr(statement, "value", None) or getattr(statement, "iter", None)
        if value is not None and self._builds(value):
            for node in nodes:
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    self.local.add(node.id)
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    self.tables.add(node.attr)
        return None

    def _call(self, call: ast.Call) -> Reason | None:
        name = dotted(call.func) or ""
        method = name.rpartition(".")[2]
        if method in ADDS and name.startswith(f"{SELF}.") and len(call.args) > 1:
            if isinstance(call.args[0], ast.Constant):
                self.added.add(str(call.args[0].value))
            if self._leads(call.args[1]):
                if not isinstance(call.args[0], ast.Constant):
                    return Reason.of("engine.table-at-run-time")
                self.tables.add(str(call.args[0].value))
        elif method in GROWS and any(self._leads(argument) for argument in call.args):
            parts = name.split(".")
            if parts[0] == SELF and len(parts) == 3:
                self.tables.add(parts[1])
            else:
                self.local.add(parts[0])
        elif name == "setattr" and any(self._leads(argument) for argument in call.args):
            return Reason.of("engine.table-by-setattr")
        return None

    def _builds(self, value: ast.expr) -> bool:
        """Outside `__init__`, what comes of a table is a tensor: only what is made new counts."""
        if self.method.name == "__init__":
            return self._leads(value)
        calls = (node for node in walk(value) if isinstance(node, ast.Call))
        return any(self.finder.leads(self.module, call) for call in calls)

    def _leads(self, value: ast.expr) -> bool:
        for node in walk(value):
            if isinstance(node, ast.Call) and self.finder.leads(self.module, node):
                return True
            if isinstance(node, ast.Name) and node.id in self.local:
                return True
            if _own(node) and node.attr in self.tables:
                return True
        return False
