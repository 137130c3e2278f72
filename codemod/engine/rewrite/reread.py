"""One expression of a statement read as another one, the parts that stay laid out as they are."""

from __future__ import annotations

import re
from typing import Any

import libcst as cst

from codemod.engine.rewrite.ops import Rename


def renamed(module: cst.Module, node: Any, action: Rename) -> Any:
    """The statement with one expression read as another one, blocks below it left alone."""
    return node.visit(_Reread(module, action))


class _Reread(cst.CSTTransformer):
    """Writes one expression otherwise; what it keeps of the old one stays as it is laid out."""

    def __init__(self, module: cst.Module, action: Rename) -> None:
        self.module = module
        self.old = _joined(action.old)
        # In parentheses an expression may go on on the next line, as it may where it stands.
        new = cst.parse_expression(f"({action.new})")
        self.new = new.with_changes(lpar=new.lpar[1:], rpar=new.rpar[:-1])

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:  # noqa: N802
        return False

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        left = super().on_leave(original_node, updated_node)
        if not isinstance(original_node, cst.BaseExpression):
            return left
        if _code(self.module, original_node) != self.old:
            return left
        parts = _Parts(self.module)
        original_node.visit(parts)
        made: Any = self.new.visit(_Graft(self.module, parts.found))
        lpar, rpar = original_node.lpar, original_node.rpar
        return made.with_changes(lpar=lpar, rpar=rpar) if lpar else made


class _Parts(cst.CSTVisitor):
    """The expressions in an expression, by their text."""

    def __init__(self, module: cst.Module) -> None:
        self.module = module
        self.found: dict[str, cst.BaseExpression] = {}

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.BaseExpression):
            self.found.setdefault(_code(self.module, node), node)
        return True


class _Graft(cst.CSTTransformer):
    """Puts parts of the file's own into an expression that repeats them."""

    def __init__(self, module: cst.Module, parts: dict[str, cst.BaseExpression]) -> None:
        self.module = module
        self.parts = parts

    def on_visit(self, node: cst.CSTNode) -> bool:
        return self._own(node) is None

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        own = self._own(original_node)
        left: Any = super().on_leave(original_node, updated_node)
        return left if own is None else own.with_changes(lpar=left.lpar, rpar=left.rpar)

    def _own(self, node: cst.CSTNode) -> Any:
        found = isinstance(node, cst.BaseExpression) and _code(self.module, node)
        return self.parts.get(found) if found else None


def _code(module: cst.Module, node: cst.BaseExpression) -> str:
    """The text of an expression without its own parentheses."""
    bare = node.with_changes(lpar=(), rpar=()) if node.lpar else node
    return _joined(module.code_for_node(bare))


def _joined(text: str) -> str:
    """A text on one line: LibCST prints a part of a statement with another indentation."""
    return re.sub(r"(?<!\s)\s*\n\s*", "", text)
