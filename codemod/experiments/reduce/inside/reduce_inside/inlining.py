"""A program of its own out of a kit's code: the definitions that ran, and what they name.

Everything is asked of the live modules: what a name stands for is what it stood for when the net
ran. What cannot be had without the kit becomes None.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import os
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

from .expressing import NoSource, ValueSources
from .foreign import allowed, source_file
from .pruning import pruned

# Where Paddle's users find what it has; `import paddle` is enough for these.
_PUBLIC = ("paddle", "paddle.nn", "paddle.nn.functional", "paddle.nn.initializer")
# Statements of which no event tells, or that run later.
_UNTOLD = (ast.FunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal, ast.Pass)
# Where kits put functions of their own in the place of Paddle's.
_REPLACED_IN = ("paddle", "paddle.nn", "paddle.nn.functional")


class Program:
    """Collects definitions and writes them down, for a layer as it was when it was called.

    AST reads all lines of a function, also those that do not run. With `whole` they are kept, with
    their names as they stand there: nothing of what they name is taken in. With `short` lists of
    layers are short.
    """

    def __init__(
        self, paddle: Any, watch: Any, layer: Any, whole: bool = False, short: bool = False
    ) -> None:
        self._watch, self._whole = watch, whole
        self._names: dict[int, str] = {}
        self._held: list[Any] = []
        self._taken: set[str] = {"build", "step", "leaves", "fed", "paddle", "net", "within"}
        self._imports: dict[str, None] = {"import paddle": None}
        self._parts: list[str] = []
        self.expressions = ValueSources(paddle, watch, self, watch.moments[id(layer)], short)

    def text(self) -> str:
        """Imports and definitions, each behind what it needs to be defined."""
        return "\n".join(self._imports) + "\n\n\n" + "\n\n\n".join(self._parts) + "\n"

    def makes(self, kind: type) -> bool:
        """Whether the program has an `__init__` of the kit's for a class."""
        code = getattr(kind.__init__, "__code__", None)  # type: ignore[misc]
        if code is None or not self._watch.owns(code.co_filename):
            return False
        return (os.path.realpath(code.co_filename), code.co_firstlineno) in self._watch.lines

    def fresh(self, wanted: str) -> str:
        """A name that nothing in the program has."""
        name, number = wanted, 2
        while name in self._taken or keyword.iskeyword(name):
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name

    def name(self, value: Any) -> str:
        """The name by which the program has a class or function, which is taken in if need be."""
        value = self._unwrapped(value)
        if id(value) in self._names:
            return self._names[id(value)]
        module, own = getattr(value, "__module__", "") or "", getattr(value, "__name__", "")
        if module == "builtins" and hasattr(builtins, own):
            return str(own)
        file = source_file(value)
        if file is None or not self._watch.owns(file):
            return self._imported(value, module, own)
        name = self._keep(value, own)
        try:
            self._define(value, name, file)
        except BaseException:
            del self._names[id(value)]
            raise
        return name

    def _unwrapped(self, value: Any) -> Any:
        """The kit's function within what a decorator made of it."""
        inner = inspect.unwrap(value) if inspect.isroutine(value) else value
        file = source_file(inner)
        return inner if file is not None and self._watch.owns(file) else value

    def _keep(self, value: Any, wanted: str) -> str:
        name = self._names[id(value)] = self.fresh(wanted)
        self._held.append(value)
        return name

    def _imported(self, value: Any, module: str, own: str) -> str:
        for public in _PUBLIC:
            if getattr(sys.modules.get(public), own, None) is value:
                return f"{public}.{own}"
        if not allowed(module) or getattr(sys.modules.get(module), own, None) is not value:
            return self._replayed(value, own)
        name = self._keep(value, own)
        alias = "" if name == own else f" as {name}"
        self._imports[f"from {module} import {own}{alias}"] = None
        return name

    def _replayed(self, value: Any, own: str) -> str:
        """A function of another package's as one that gives what it gave in the call."""
        gave = self._watch.foreign.first
        if id(value) not in gave:
            raise NoSource(own)
        result = self.expressions.of(gave[id(value)])
        name = self._keep(value, own)
        self._parts.append(f"def {name}(*values, **options):\n    return {result}")
        return name

    def _define(self, value: Any, name: str, file: str) -> None:
        node = self._node(value)
        node.name = name
        real = os.path.realpath(file)
        self._static_too(node, real)
        pruned(node, real, self._watch, self._whole)
        scope = sys.modules[value.__module__].__dict__
        _ProgramNames(self, scope, lambda *lines: self._watch.ran(real, *lines)).visit(node)
        if isinstance(node, ast.ClassDef):
            node.bases = [base for base in node.bases if ast.unparse(base) != "None"]
        self._parts.append(ast.unparse(ast.fix_missing_locations(node)))

    def _static_too(self, node: ast.AST, file: str) -> None:
        """Count the branch for a static graph as run: the call under watch is dynamic."""
        branches = [part for part in ast.walk(node) if isinstance(part, ast.If)]
        for part in branches:
            asked = "in_dynamic" in ast.unparse(part.test)
            if not asked or not self._watch.ran(file, part.lineno, part.lineno):
                continue
            for block in filter(None, (part.body, part.orelse)):
                first, last = block[0].lineno, block[-1].end_lineno or block[-1].lineno
                if not self._watch.ran(file, first, last):
                    self._watch.lines.update((file, line) for line in range(first, last + 1))

    def _node(self, value: Any) -> Any:
        """A fresh syntax tree of the definition, with its own lines' numbers."""
        lines, start = inspect.getsourcelines(value)
        node = ast.parse(textwrap.dedent("".join(lines))).body[0]
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            raise NoSource(value.__name__)
        ast.increment_lineno(node, start - 1)
        return node

    def constant(self, value: Any, wanted: str) -> str:
        """The name of a module's value, bound by a line of its own; None where it has no source."""
        if id(value) in self._names:
            return self._names[id(value)]
        name = self._keep(value, wanted)
        lines = self.expressions.lines
        self.expressions.lines = []
        try:
            known = self.expressions
            source = known.table(value) if type(value) is dict else known.of(value)
        except (NoSource, OSError, TypeError, SyntaxError):
            source = "None"
        self._parts.extend([*self.expressions.lines, f"{name} = {source}"])
        self.expressions.lines = lines
        return name

    def replace(self, text: str) -> None:
        """Put the kit's functions in the place of Paddle's that `text` names, as the kit does.

        Those that ran in the call, of modules and of the classes of layers.
        """
        for holder in _REPLACED_IN:
            module = sys.modules[holder]
            self._replace_in(holder, module, text)
            for name, kind in list(vars(module).items()):
                if isinstance(kind, type) and name in text and not self._watch.is_kits(kind):
                    self._replace_in(f"{holder}.{name}", kind, text)

    def _replace_in(self, holder: str, owner: Any, text: str) -> None:
        for name, value in list(vars(owner).items()):
            if not inspect.isfunction(value) or not self._ran(value):
                continue
            if name in text or name in ("__init__", "forward"):
                try:
                    self._parts.append(f"{holder}.{name} = {self.name(value)}")
                except (NoSource, OSError, TypeError):
                    continue

    def _ran(self, function: Any) -> bool:
        code = function.__code__
        file = os.path.realpath(code.co_filename)
        return self._watch.owns(file) and (file, code.co_firstlineno) in self._watch.lines

    def module(self, value: Any) -> str | None:
        """The expression for a module that may be imported, None for another one."""
        if not allowed(value.__name__):
            return None
        first, _, _ = value.__name__.partition(".")
        self._taken.add(first)
        if value.__name__ not in _PUBLIC:
            self._imports[f"import {value.__name__}"] = None
        return str(value.__name__)


class _ProgramNames(ast.NodeTransformer):
    """Names of a definition as the program has them; `ran(first, last)` says what lines ran."""

    def __init__(
        self, program: Program, scope: dict[str, Any], ran: Callable[[int, int], bool]
    ) -> None:
        self._program, self._scope, self._ran = program, scope, ran
        self._local: list[set[str]] = []

    def visit(self, node: ast.AST) -> Any:
        """Within a function, statements that did not run are left as they are."""
        within = bool(self._local) and isinstance(node, ast.stmt)
        if within and not isinstance(node, _UNTOLD) and not self._has_run(node):
            return node
        return super().visit(node)

    def _has_run(self, node: Any) -> bool:
        return self._ran(node.lineno, node.end_lineno or node.lineno)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.returns = None
        for argument in _arguments(node.args):
            argument.annotation = None
        return self._within(node, _bound(node))

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self._within(node, {argument.arg for argument in _arguments(node.args)})

    def _within(self, scope: ast.AST, names: set[str]) -> Any:
        self._local.append(names)
        self.generic_visit(scope)
        self._local.pop()
        return scope

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """What names a type names often what has no source here, and computes nothing."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        made = ast.Assign([node.target], node.value)
        return self.generic_visit(ast.copy_location(made, node))

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


def _arguments(given: ast.arguments) -> list[ast.arg]:
    listed = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [argument for argument in listed if argument is not None]


def _bound(node: ast.FunctionDef) -> set[str]:
    """The names that a function binds, its arguments included."""
    names = {argument.arg for argument in _arguments(node.args)}
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
        elif isinstance(part, ast.FunctionDef) and part is not node:
            names.add(part.name)
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in part.names}
    return names
