"""A program of its own out of a kit's code: the definitions that were reached, and what they name.

Everything is asked of the live modules: what a name stands for is what it stood for when the net
ran. What cannot be had without the kit (loggers, registries) becomes None.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import os
import sys
import textwrap
import types
from typing import Any

from .expressing import NoSource, ValueSources

_KEPT_DECORATORS = ("property", "staticmethod", "classmethod")
# What a program may import; the rest is the kit's or another package's.
_ALLOWED = ("paddle", "numpy")


class Program:
    """Collects definitions and writes them down."""

    def __init__(self, paddle: Any, watch: Any) -> None:
        self._watch = watch
        self._names: dict[int, str] = {}
        self._held: list[Any] = []
        self._taken: set[str] = {"build", "step", "leaves", "paddle"}
        self._imports: dict[str, None] = {"import paddle": None}
        self._parts: list[str] = []
        self._trees: dict[str, ast.Module] = {}
        self.expressions = ValueSources(paddle, watch.made, self.name)

    def text(self) -> str:
        """Imports and definitions, each behind what it needs to be defined."""
        return "\n".join(self._imports) + "\n\n\n" + "\n\n\n".join(self._parts) + "\n"

    def name(self, value: Any) -> str:
        """The name by which the program has a class or function, which is taken in if need be."""
        if id(value) in self._names:
            return self._names[id(value)]
        module, own = getattr(value, "__module__", "") or "", getattr(value, "__name__", "")
        if module == "builtins" and hasattr(builtins, own):
            return str(own)
        file = _file(value)
        if file is None or not self._watch.owns(file):
            return self._imported(value, module, own)
        name = self._keep(value, own)
        self._define(value, name, file)
        return name

    def _keep(self, value: Any, wanted: str) -> str:
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        self._names[id(value)] = name
        self._held.append(value)
        return name

    def _imported(self, value: Any, module: str, own: str) -> str:
        if not _allowed(module) or getattr(sys.modules.get(module), own, None) is not value:
            raise NoSource(f"{module}.{own}")
        name = self._keep(value, own)
        alias = "" if name == own else f" as {name}"
        self._imports[f"from {module} import {own}{alias}"] = None
        return name

    def _define(self, value: Any, name: str, file: str) -> None:
        node = self._node(value, file)
        node.name = name
        if isinstance(node, ast.ClassDef):
            self._prune(node, os.path.realpath(file))
        else:
            node.decorator_list = []
        scope = sys.modules[value.__module__].__dict__
        renamed = _ProgramNames(self, scope)
        renamed.visit(node)
        if isinstance(node, ast.ClassDef):
            node.keywords = []
        self._parts.append(ast.unparse(ast.fix_missing_locations(node)))

    def _node(self, value: Any, file: str) -> Any:
        """A fresh syntax tree of the definition."""
        source = "".join(inspect.getsourcelines(value)[0])
        node = ast.parse(textwrap.dedent(source)).body[0]
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            raise NoSource(value.__name__)
        start = inspect.getsourcelines(value)[1]
        ast.increment_lineno(node, start - 1)
        return node

    def _prune(self, node: ast.ClassDef, file: str) -> None:
        """A class without methods that were not reached, and without what registers it."""
        node.decorator_list = []
        body = []
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                start = min([part.lineno, *(d.lineno for d in part.decorator_list)])
                if (file, start) not in self._watch.reached:
                    continue
                part.decorator_list = [d for d in part.decorator_list if _stays(d)]
            elif isinstance(part, ast.Expr):
                continue
            body.append(part)
        node.body = body or [ast.Pass()]

    def constant(self, value: Any, wanted: str) -> str:
        """The name of a module's value, bound by a line of its own; None where it has no source."""
        if id(value) in self._names:
            return self._names[id(value)]
        try:
            source = self.expressions.of(value)
        except NoSource:
            source = "None"
        name = self._keep(value, wanted)
        self._parts.append(f"{name} = {source}")
        return name

    def module(self, value: Any) -> str | None:
        """The expression for a module that may be imported, None for another one."""
        if not _allowed(value.__name__):
            return None
        first, _, _ = value.__name__.partition(".")
        self._taken.add(first)
        self._imports[f"import {value.__name__}"] = None
        return str(value.__name__)


class _ProgramNames(ast.NodeTransformer):
    """Names of a definition as the program has them."""

    def __init__(self, program: Program, scope: dict[str, Any]) -> None:
        self._program, self._scope = program, scope
        self._local: list[set[str]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self._annotations(node)
        self._local.append(_bound(node))
        self.generic_visit(node)
        self._local.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        self._local.append({argument.arg for argument in node.args.args})
        self.generic_visit(node)
        self._local.pop()
        return node

    def _annotations(self, node: ast.FunctionDef) -> None:
        node.returns = None
        for argument in (*node.args.args, *node.args.kwonlyargs):
            argument.annotation = None

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """What a kit's module has is in the program by its own name."""
        found = self._module_of(node.value)
        of_kit = found is not None and self._program.module(found) is None
        if of_kit and hasattr(found, node.attr):
            return self._value(getattr(found, node.attr), node.attr)
        self.generic_visit(node)
        return node

    def _module_of(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            found = None if self._is_local(node.id) else self._scope.get(node.id)
        elif isinstance(node, ast.Attribute):
            found = getattr(self._module_of(node.value), node.attr, None)
        else:
            found = None
        return found if isinstance(found, types.ModuleType) else None

    def _is_local(self, name: str) -> bool:
        return any(name in names for names in self._local)

    def visit_Name(self, node: ast.Name) -> Any:
        if self._is_local(node.id) or not isinstance(node.ctx, ast.Load):
            return node
        if node.id not in self._scope:
            return node
        return self._value(self._scope[node.id], node.id)

    def _value(self, value: Any, name: str) -> ast.expr:
        if isinstance(value, types.ModuleType):
            source = self._program.module(value)
        elif isinstance(value, type) or inspect.isroutine(value):
            try:
                source = self._program.name(value)
            except (NoSource, OSError, TypeError):
                source = None
        else:
            source = self._program.constant(value, name)
        return ast.parse(source or "None", mode="eval").body


def _bound(node: ast.FunctionDef) -> set[str]:
    """The names that a function binds, its arguments included."""
    arguments = node.args
    listed = [*arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    names = {argument.arg for argument in listed if argument is not None}
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
        elif isinstance(part, ast.FunctionDef) and part is not node:
            names.add(part.name)
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in part.names}
    return names


def _stays(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).rpartition(".")[2] in (*_KEPT_DECORATORS, "no_grad()", "setter")


def _allowed(module: str) -> bool:
    first = module.partition(".")[0]
    return first in _ALLOWED or first in sys.stdlib_module_names


def _file(value: Any) -> str | None:
    try:
        return inspect.getsourcefile(value)
    except TypeError:
        return None
