"""A program without what nothing in it names, written as Python itself writes it."""

from __future__ import annotations

import ast
import builtins
import re
import symtable

from codemod.code.traversal import names_in
from codemod.experiments.reduce.cutting import cuts
from codemod.experiments.reduce.cutting.edits import Edits, applied, imported, remove

# Attributes that Paddle's own objects have, whether a program sets them or not.
_PADDLES = {"training", "stop_gradient", "weight", "bias", "shape", "dtype", "name"}
# `ast.unparse` leaves a line blank there.
_UNDER_CLASS = re.compile(r"^( *class .*:\n)\n", re.M)


def written(tree: ast.Module) -> str:
    """The program as Python itself writes it, two lines apart at its outermost level."""
    parts = [_UNDER_CLASS.sub(r"\1", ast.unparse(node)) for node in tree.body]
    lines = ["\n\n" + part if "\n" in part else part for part in parts]
    return "\n".join(lines).lstrip("\n") + "\n"


def reachable(tree: ast.Module) -> ast.Module:
    """The program without what stands at its outermost level and is named nowhere that counts."""
    bound = [_binds(node) for node in tree.body]
    wanted, named = {*cuts.KEPT}, [names_in(node) for node in tree.body]
    size_before = -1
    while len(wanted) != size_before:
        size_before = len(wanted)
        for names, uses in zip(bound, named, strict=True):
            if not names or names & wanted:
                wanted |= uses
    kept = [
        line for line, names in zip(tree.body, bound, strict=True) if not names or names & wanted
    ]
    return ast.Module(kept, [])


def _binds(node: ast.stmt) -> set[str]:
    """The names that a statement does nothing but bind; none for one that does more."""
    if isinstance(node, ast.Assign):
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        return names if len(names) == len(node.targets) else set()
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    return imported(node)


def tidied(tree: ast.Module) -> ast.Module:
    """Also without methods, names and attributes that nothing reads, and blocks that do nothing.

    What they are bound to is no longer computed: a run tells whether that mattered.
    """
    while True:
        loads = [
            node for node in ast.walk(tree) if isinstance(getattr(node, "ctx", None), ast.Load)
        ]
        attributes = {node.attr for node in loads if isinstance(node, ast.Attribute)}
        names = {node.id for node in loads if isinstance(node, ast.Name)}
        unread = _Unread(attributes, names)
        smaller = reachable(applied(tree, unread.edits(tree)))
        if sum(1 for _ in ast.walk(smaller)) == sum(1 for _ in ast.walk(tree)):
            return tree
        tree = smaller


class _Unread:
    """Finds methods, assignments and statements that nothing would miss."""

    def __init__(self, attributes: set[str], names: set[str]) -> None:
        self._attributes, self._names = attributes, names

    def edits(self, tree: ast.Module) -> Edits:
        """The edits that take them away."""
        methods = {
            part
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for part in node.body
            if self._is_unread_method(part)
        }
        lines = {node for node in ast.walk(tree) if self._does_nothing(node)}
        return dict.fromkeys(methods | lines, remove)

    def _is_unread_method(self, part: ast.stmt) -> bool:
        if not isinstance(part, ast.FunctionDef) or part.name == "forward":
            return False
        return not part.name.startswith("__") and part.name not in self._attributes

    def _does_nothing(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Pass):
            return True
        if isinstance(node, ast.Assign):
            return not any(self._is_read(target) for target in node.targets)
        if isinstance(node, ast.Expr):
            return isinstance(node.value, (ast.Name, ast.Constant, ast.Attribute))
        if isinstance(node, (ast.If, ast.For, ast.With)):
            rest = getattr(node, "orelse", [])
            return not rest and all(isinstance(part, ast.Pass) for part in node.body)
        return False

    def _is_read(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Name):
            return target.id in self._names
        if isinstance(target, ast.Attribute):
            return target.attr in self._attributes
        if isinstance(target, (ast.Tuple, ast.List)):
            return any(self._is_read(element) for element in target.elts)
        return True


def dangles(tree: ast.Module, before: ast.Module) -> bool:
    """Whether a program lacks what it or its reader names; `before` is what it was cut from.

    A name or an attribute counts where `before` has what binds it.
    """
    missing = {*cuts.KEPT} - {name for node in tree.body for name in _binds(node)}
    if missing or not _unbound(tree) <= _unbound(before):
        return True
    lost = _attributes(before) - _attributes(tree) - _PADDLES
    return any(isinstance(node, ast.Attribute) and node.attr in lost for node in ast.walk(tree))


def _unbound(tree: ast.Module) -> set[str]:
    """The names that a program takes from its outermost level, where nothing binds them."""
    outermost = symtable.symtable(ast.unparse(tree), "program", "exec")
    bound = {one.get_name() for one in outermost.get_symbols() if one.is_local()}
    read, waiting = set(), [outermost]
    while waiting:
        scope = waiting.pop()
        waiting += scope.get_children()
        names = (one for one in scope.get_symbols() if one.is_referenced())
        read |= {one.get_name() for one in names if scope is outermost or one.is_global()}
    return read - bound - {*vars(builtins), "__file__"}


def _attributes(tree: ast.Module) -> set[str]:
    """The names under which a program gives something to objects."""
    found: set[str] = set()
    read: set[ast.AST] = set()
    for node in ast.walk(tree):  # what holds a node comes before it
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                found |= _binds(part)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr":
            read.update(node.args)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in read:
            found.add(node.value)
    return found
