"""A program without what nothing in it names, written as Python itself writes it."""

from __future__ import annotations

import ast

import libcst as cst

from codemod.experiments.reduce import cuts


def written(text: str) -> str:
    """The program as Python itself writes it, two lines apart at its outermost level."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [part for part in body if not isinstance(part, ast.Pass)]
            node.body = kept or body[:1]  # type: ignore[attr-defined]
    parts = [ast.unparse(node) for node in tree.body]
    lines = ["\n\n" + part if "\n" in part else part for part in parts]
    return "\n".join(lines).lstrip("\n") + "\n"


def reachable(text: str) -> str:
    """The program without what stands at its outermost level and is named nowhere that counts."""
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError:
        return text
    tree = ast.parse(text)
    bound = [_binds(node) for node in tree.body]
    wanted, named = {*cuts.KEPT}, [_named(node) for node in tree.body]
    size_before = -1
    while len(wanted) != size_before:
        size_before = len(wanted)
        for names, uses in zip(bound, named, strict=True):
            if not names or names & wanted:
                wanted |= uses
    gone: dict[cst.CSTNode, cuts.Edit] = {
        line: cuts.remove
        for line, names in zip(module.body, bound, strict=False)
        if names and not names & wanted
    }
    return cuts.applied(module, gone) if gone else text


def _binds(node: ast.stmt) -> set[str]:
    """The names that a statement does nothing but bind; none for one that does more."""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(name.asname or name.name).partition(".")[0] for name in node.names}
    if isinstance(node, ast.Assign):
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        return names if len(names) == len(node.targets) else set()
    return set()


def _named(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def tidied(text: str) -> str:
    """Also without methods, names and attributes that nothing reads; empty for what is no Python.

    What they are bound to is no longer computed: a run tells whether that mattered.
    """
    while True:
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return ""
        loads = [
            node for node in ast.walk(tree) if isinstance(getattr(node, "ctx", None), ast.Load)
        ]
        attributes = {node.attr for node in loads if isinstance(node, ast.Attribute)}
        names = {node.id for node in loads if isinstance(node, ast.Name)}
        smaller = written(ast.unparse(_Unread(attributes, names).visit(tree)))
        smaller = reachable(smaller)
        if smaller == text:
            return text
        text = smaller


class _Unread(ast.NodeTransformer):
    """Takes away methods and assignments of which no name is read anywhere."""

    def __init__(self, attributes: set[str], names: set[str]) -> None:
        self._attributes, self._names = attributes, names

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.body = [part for part in node.body if not self._is_unread(part)] or [ast.Pass()]
        return node

    def _is_unread(self, part: ast.stmt) -> bool:
        if not isinstance(part, ast.FunctionDef) or part.name == "forward":
            return False
        return not part.name.startswith("__") and part.name not in self._attributes

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        read = any(self._is_read(target) for target in node.targets)
        return node if read else ast.Pass()

    def _is_read(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Name):
            return target.id in self._names
        if isinstance(target, ast.Attribute):
            return target.attr in self._attributes
        if isinstance(target, (ast.Tuple, ast.List)):
            return any(self._is_read(element) for element in target.elts)
        return True
