"""Classes that are one class in other sizes: the same code but for their names and numbers.

Some kits give each size of a net a class of its own, which hands its numbers to the class that it
derives from, where others have a function for each. Only numbers that a call is handed by a name
may differ, and none under a name that chooses a class.
"""

from __future__ import annotations

import ast
import copy
import re

from codemod.hazards.chosen import without_numbers
from codemod.hazards.reach.index import Class, Index

# Numbers under such names choose between classes of blocks.
CHOOSES = re.compile(r"depth$|layers?$|variant|version|arch|mode$", re.I)


def first_twin(index: Index, owner: Class) -> Class:
    """The first class of the file that is this one in another size, which may be itself.

    Both have as many lines, so each line of one is that of the other.
    """
    alike = (o for o in index.classes(owner.module.path) if _lines(o.node) == _lines(owner.node))
    shape = _shape(owner.node)
    return next((other for other in alike if _shape(other.node) == shape), owner)


def _lines(node: ast.ClassDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno


def _shape(node: ast.ClassDef) -> str:
    shaped = _Unsized(node.name).visit(copy.deepcopy(node))
    shaped.name = "it"
    return ast.unparse(shaped)


class _Unsized(ast.NodeTransformer):
    """Leaves out the class's own name, and the numbers that calls are handed by name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name("it", node.ctx) if node.id == self._name else node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if node.arg and not CHOOSES.search(node.arg) and _is_plain(node.value):
            node.value = ast.Name(without_numbers(node.value), ast.Load())
            return node
        return self.generic_visit(node)


def _is_plain(node: ast.expr) -> bool:
    """Whether it is a number, or a list of plain ones."""
    match node:
        case ast.List() | ast.Tuple():
            return all(map(_is_plain, node.elts))
        case ast.UnaryOp(op=ast.USub()):
            return _is_plain(node.operand)
    return isinstance(node, ast.Constant)
