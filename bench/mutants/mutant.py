"""One small change of one function of a module: its name, and the code that it makes."""

from __future__ import annotations

import ast
import copy
import functools
import importlib
import types
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.mutants.changes import changes

if TYPE_CHECKING:
    from collections.abc import Iterator

TOP = Path(__file__).resolve().parents[2]
# A node's code is part of a mutant's name, as far as it is short.
_SHOWN = 48


@dataclass(frozen=True)
class Mutant:
    """One change: `file` from the top of the checkout, `function` by qualified name.

    `key` names it without a folder or a number of a line: it stays the same while the line does.
    """

    file: str
    line: int
    function: str
    key: str
    tree: ast.Module
    node: ast.AST
    other: ast.AST

    def code(self) -> types.CodeType:
        """The changed function's code."""
        # A copy of the tree in which the node's place is taken by the other.
        return self._compiled(copy.deepcopy(self.tree, {id(self.node): self.other}))

    def code_with(self, statement: str) -> types.CodeType:
        """The function's code as it is, with a statement before all others."""
        whole = copy.deepcopy(self.tree)
        dict(_functions(whole))[self.function].body[:0] = ast.parse(statement).body
        return self._compiled(whole)

    def _compiled(self, whole: ast.Module) -> types.CodeType:
        ast.fix_missing_locations(whole)
        file = str(TOP / self.file)
        return _code_of(compile(whole, file, "exec", dont_inherit=True), self.function)

    def target(self) -> types.FunctionType:
        """The function that it changes, out of its property, cache or class method."""
        found: Any = importlib.import_module(".".join(Path(self.file).with_suffix("").parts))
        for part in self.function.split("."):
            found = vars(found)[part]
        while not isinstance(found, types.FunctionType):
            if isinstance(found, property):
                found = found.fget
            elif isinstance(found, functools.cached_property):
                found = found.func
            else:
                found = found.__wrapped__
        inner: types.FunctionType = getattr(found, "__wrapped__", found)
        return inner


def mutants(file: Path) -> Iterator[Mutant]:
    """All mutants of a module, from top to bottom.

    Code outside of functions is left alone, as are types, docstrings and pieces of a text.
    """
    text = file.read_text(encoding="utf-8")
    tree, lines = ast.parse(text), text.splitlines()
    place = file.resolve().relative_to(TOP).as_posix()
    seen: Counter[str] = Counter()
    for name, function in _functions(tree):
        for node in _places(function):
            for what, other in changes(node):
                line = getattr(node, "lineno", None) or node.target.lineno  # type: ignore[attr-defined]
                key = f"{file.name}:{name}: {what}: {_shown(node)}in: {lines[line - 1].strip()}"
                seen[key] += 1
                key += f" #{seen[key]}" if seen[key] > 1 else ""
                yield Mutant(place, line, name, key, tree, node, other)


def of_folder(folder: Path) -> Iterator[Mutant]:
    """All mutants of a module, or of the modules of a folder, not of the folders in it."""
    files = [folder] if folder.is_file() else sorted(folder.glob("*.py"))
    for file in files:
        yield from mutants(file)


def _shown(node: ast.AST) -> str:
    """An expression's own code where it is short, to tell it from others of its line."""
    text = ast.unparse(node) if isinstance(node, ast.expr) else ""
    return f"`{text}` " if text and "\n" not in text and len(text) <= _SHOWN else ""


def _code_of(code: types.CodeType, name: str) -> types.CodeType:
    for part in name.split("."):
        inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
        code = next(one for one in inner if one.co_name == part)
    return code


def _places(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes within a function that are code, not types, docstrings or pieces of a text."""
    yield node
    skipped: list[Any] = []
    if isinstance(node, ast.JoinedStr):
        skipped = [part for part in node.values if isinstance(part, ast.Constant)]
    if isinstance(node, ast.AnnAssign):
        skipped = [node.annotation]
    if isinstance(node, ast.FunctionDef):
        skipped = [*node.decorator_list, node.returns, node.args]
    for child in ast.iter_child_nodes(node):
        if child not in skipped:
            yield from _places(child)


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions of the module and methods of its classes, by qualified name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
