"""A definition's syntax tree without what did not run."""

from __future__ import annotations

import ast
from typing import Any

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
            _Ran(file, watch).generic_visit(node)


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


class _Ran(ast.NodeTransformer):
    """Leaves out the statements of a file that did not run; a block of none holds `pass`."""

    def __init__(self, file: str, watch: Any) -> None:
        self._file, self._watch = file, watch

    def visit(self, node: Any) -> Any:
        """Nothing for a statement that did not run; classes and expressions stay as they are."""
        if isinstance(node, ast.stmt) and not self._is_kept(node):
            return None
        looked_into = isinstance(node, (ast.stmt, ast.ExceptHandler))
        whole = isinstance(node, (ast.AsyncFunctionDef, ast.ClassDef))
        return self.generic_visit(node) if looked_into and not whole else node

    def _is_kept(self, part: ast.stmt) -> bool:
        # Declarations are no instructions: no event tells of them.
        if isinstance(part, (ast.Global, ast.Nonlocal, ast.Pass)):
            return True
        return bool(self._watch.ran(self._file, part.lineno, part.end_lineno or part.lineno))

    def generic_visit(self, node: Any) -> Any:
        """What ran of a statement's blocks; an `else` that did not run goes."""
        super().generic_visit(node)
        if not getattr(node, "body", True):
            # A handler that did not run lets through what it is there for: `hasattr` asks by an
            # error.
            empty = ast.Raise() if isinstance(node, ast.ExceptHandler) else ast.Pass()
            node.body = [ast.copy_location(empty, node)]
        return node
