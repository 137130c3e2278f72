"""A definition's syntax tree without what did not run."""

from __future__ import annotations

import ast
from typing import Any

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_KEPT_DECORATORS = ("property", "staticmethod", "classmethod", "setter")
# Those that change what a call computes.
_TELLING_DECORATORS = ("no_grad()", "lru_cache()", "lru_cache", "cache", "cached_property")


def pruned(node: Any, file: str, watch: Any, whole: bool) -> None:
    """Take out of a class or function, in place, what did not run in the call.

    With `whole` a function that ran keeps all of its lines.
    """
    if isinstance(node, ast.ClassDef):
        node.decorator_list, node.keywords = [], []
        node.body = [part for part in node.body if _in_class(part, file, watch, whole)] or [
            ast.Pass()
        ]
    else:
        node.decorator_list = [one for one in node.decorator_list if _stays(one)]
        if not whole:
            node.body = _Ran(file, watch).block(node.body)


def _in_class(part: ast.stmt, file: str, watch: Any, whole: bool) -> bool:
    if isinstance(part, ast.FunctionDef):
        start = min([part.lineno, *(one.lineno for one in part.decorator_list)])
        if (file, start) not in watch.lines and (file, part.lineno) not in watch.lines:
            return False
        pruned(part, file, watch, whole)
        return True
    if isinstance(part, ast.Assign):
        names = {target.id for target in part.targets if isinstance(target, ast.Name)}
        return bool(names & watch.used)
    return isinstance(part, ast.AnnAssign) and getattr(part.target, "id", "") in watch.used


def _stays(decorator: ast.expr) -> bool:
    text = ast.unparse(decorator)
    last = text.partition("(")[0].rpartition(".")[2] + text[len(text.partition("(")[0]) :]
    return last in _KEPT_DECORATORS + _TELLING_DECORATORS or last.startswith("lru_cache(")


class _Ran:
    """Blocks of one file without statements that did not run."""

    def __init__(self, file: str, watch: Any) -> None:
        self._file, self._watch = file, watch

    def block(self, body: Any) -> Any:
        """What ran of a block; `pass` where nothing did."""
        kept = [self._inner(part) for part in body if self._is_kept(part)]
        return kept or [ast.Pass()]

    def _is_kept(self, part: ast.stmt) -> bool:
        # Declarations are no instructions: no event tells of them.
        if isinstance(part, (ast.Global, ast.Nonlocal, ast.Pass)):
            return True
        return bool(self._watch.ran(self._file, part.lineno, part.end_lineno or part.lineno))

    def _inner(self, part: Any) -> Any:
        if isinstance(part, _DEFINITIONS):
            if isinstance(part, ast.FunctionDef):
                part.body = self.block(part.body)
            return part
        if hasattr(part, "body"):
            part.body = self.block(part.body)
        for name in ("orelse", "finalbody"):
            if getattr(part, name, None):
                setattr(part, name, self._rest(getattr(part, name)))
        for handler in getattr(part, "handlers", ()):
            # One that did not run lets through what it is there for: `hasattr` asks by an error.
            raised = ast.copy_location(ast.Raise(), handler)
            handler.body = self._rest(handler.body) or [raised]
        return part

    def _rest(self, body: Any) -> Any:
        """An `else` that did not run goes."""
        return [self._inner(part) for part in body if self._is_kept(part)]
