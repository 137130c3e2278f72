"""Whether every name that a change uses is bound where it is used.

Scopes are pyflakes' work: nested functions, classes, comprehensions, `del`, names that an
assignment makes local. What pyflakes leaves out, a name bound on some ways only, is looked
at for the code that runs with the switch off: a kit must then do exactly what it did.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from pyflakes import messages
from pyflakes.checker import Checker

from codemod.base.files.line_diff import Span, changed_spans, new_lines
from codemod.base.reason import Reason
from codemod.code.kept import kept
from codemod.code.liveness import LEAVES, stored
from codemod.code.module import DEFINITIONS, Function, block, changed_tree, syntax_tree
from codemod.code.traversal import BLOCKS, every_statement, own_nodes, walk

UNBOUND = (messages.UndefinedName, messages.UndefinedLocal, messages.ImportStarUsage)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
EXITS = ("exit", "sys.exit", "quit", "os._exit")


def unbound(old: bytes, new: bytes) -> Reason | None:
    """Why a name that the new file uses, and the old one does not, may not be bound; or None."""
    if old == new:
        return None
    tree = changed_tree(new)
    spans = changed_spans(old.splitlines(), new.splitlines())
    # Where the part shows something, the whole file decides, beside what the kit has as well.
    found = _unbound(_part(tree, spans))
    if found:
        found = _unbound(tree) - _unbound(syntax_tree(old))
    for kind, name in sorted(found):
        return _reason(kind, name)
    return _on_some_ways(tree, new_lines(spans))


def _part(tree: ast.Module, spans: list[Span]) -> ast.Module:
    """The new file without the bodies of functions for which nothing can have changed.

    Those are all that no span is in, where the others stand in functions, or add lines that take no
    name away.
    """
    outside = [one for one in spans if not any(_is_in(one, node) for node in _functions(tree))]
    nodes = (node for one in _inserted(tree, new_lines(outside)) for node in walk(one))
    deletes = any(isinstance(node, ast.Delete) for node in nodes)
    if deletes or any(one.start < one.stop for one in outside):
        return tree
    return ast.Module([_cut(node, spans) for node in tree.body], tree.type_ignores)


def _functions(owner: ast.Module | ast.ClassDef) -> Iterator[Function]:
    """The functions of a module and the methods of its classes."""
    for node in owner.body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node)
        elif isinstance(node, FUNCTIONS):
            yield node


def _is_in(span: Span, node: Function) -> bool:
    """Whether a span lies in the body of a function."""
    return node.body[0].lineno - 1 <= span.new_start and span.new_stop <= (node.end_lineno or 0)


def _cut(node: ast.stmt, spans: list[Span]) -> ast.stmt:
    """A statement as `_part` has it; a function that binds a global name stays whole."""
    if not isinstance(node, DEFINITIONS):
        return node
    fields = dict(ast.iter_fields(node))
    if isinstance(node, ast.ClassDef):
        fields["body"] = [_cut(statement, spans) for statement in node.body]
    elif any(_is_in(one, node) for one in spans) or any(
        isinstance(inner, ast.Global) for inner in every_statement(node)
    ):
        return node
    else:
        fields["body"] = [ast.copy_location(ast.Pass(), node)]
    return ast.copy_location(type(node)(**fields), node)


def _unbound(tree: ast.Module) -> Counter[tuple[str, str]]:
    """How often each name is used where it is not bound, by the kind of message."""
    checker = Checker(tree)
    told = [m for m in checker.messages if isinstance(m, UNBOUND)]
    _let_go(checker, tree)
    found = Counter((type(m).__name__, str(m.message_args[0])) for m in told)
    # What stands behind a star import is taken to be there where the kit uses it as well.
    stars = {key for key in found if key[0] == messages.ImportStarUsage.__name__}
    return Counter({key: 1 if key in stars else count for key, count in found.items()})


def _let_go(checker: Checker, tree: ast.Module) -> None:
    """Take apart what holds itself: the collector is paused while a kit is planned.

    pyflakes before 4.1 leaves in each node its parent, which every walk would follow.
    """
    for scope in checker.deadScopes:
        scope.clear()
    vars(checker).clear()
    if tree.body and hasattr(tree.body[0], "_pyflakes_parent"):
        for node in ast.walk(tree):
            vars(node).pop("_pyflakes_parent", None)


def _reason(kind: str, name: str) -> Reason:
    if kind == messages.UndefinedLocal.__name__:
        return Reason.of("engine.made-local", name=name)
    if kind == messages.ImportStarUsage.__name__:
        return Reason.of("engine.star-import", name=name)
    return Reason.of("engine.unbound", name=name)


def _on_some_ways(tree: ast.Module, added: frozenset[int]) -> Reason | None:
    """Why inserted code may read an unbound name with the switch off, or None."""
    for function in (tree, *(n for n in every_statement(tree) if isinstance(n, FUNCTIONS))):
        for statement in _inserted(function, added):
            # What it reads even when its condition does not hold.
            silent = isinstance(statement, (*DEFINITIONS, ast.Import, ast.ImportFrom))
            for name in sorted(_loads(statement)) if not silent else ():
                if not _bound(tree, function, statement, name, added):
                    return Reason.of("engine.bound-on-some-ways", name=name)
    return None


def _inserted(function: ast.AST, added: frozenset[int]) -> Iterator[ast.stmt]:
    """The outermost statements of a function (or module) whose first line was inserted."""
    for name in BLOCKS:
        for node in block(function, name):
            if isinstance(node, ast.stmt) and node.lineno in added:
                yield node
            elif not isinstance(node, DEFINITIONS):
                yield from _inserted(node, added)


def _loads(statement: ast.stmt) -> set[str]:
    nodes = own_nodes(statement)
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _bound(
    tree: ast.Module, function: ast.AST, statement: ast.stmt, name: str, added: frozenset[int]
) -> bool:
    """Whether a name is bound on every way to a statement, or the kit relies on it as well."""
    home: ast.AST = function if _binds_anywhere(function, name) else tree
    if not _binds_anywhere(home, name):
        return True  # a builtin, or the name of a function around this one
    if isinstance(home, FUNCTIONS) and name in _parameters(home):
        return True
    flow = _Flow(name, statement if home is function else None)
    end = flow.run(block(home, "body"), False)
    return (flow.reached if home is function else end) or _used(function, name, added)


def _parameters(function: Function) -> set[str]:
    return {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}


def _used(function: ast.AST, name: str, added: frozenset[int]) -> bool:
    """Whether the kit itself reads the name in every run of the function."""
    return any(
        name in _loads(node) and node.lineno not in added for node in block(function, "body")
    )


def _binds_anywhere(function: ast.AST, name: str) -> bool:
    if isinstance(function, FUNCTIONS) and name in _parameters(function):
        return True
    return any(
        name in _stores(node) or _binds_anywhere(node, name)
        for field in BLOCKS
        for node in block(function, field)
        if not (isinstance(node, DEFINITIONS) and name not in _stores(node))
    )


@kept(None)
def _stores(statement: ast.AST) -> frozenset[str]:
    """The names that a statement binds by itself, not in its blocks."""
    own = own_nodes(statement) if isinstance(statement, ast.stmt) else ()
    return frozenset(name for node in (statement, *own) for name in stored(node))


class _Flow:
    """Whether a name is bound on every way: after a block, and at one statement in it."""

    def __init__(self, name: str, statement: ast.stmt | None) -> None:
        self.name = name
        self.statement = statement
        self.reached = False

    def run(self, body: list[ast.stmt], bound: bool) -> bool:
        """Whether the name is bound after the statements; true where none of them ends."""
        for node in body:
            if node is self.statement:
                self.reached = bound
            bound = self._after(node, bound)
        return bound

    def _after(self, node: ast.stmt, bound: bool) -> bool:
        if isinstance(node, LEAVES) or _exits(node):
            return True
        if isinstance(node, ast.Delete):
            deleted = {n.id for n in node.targets if isinstance(n, ast.Name)}
            return bound and self.name not in deleted
        mine = bound or self.name in _stores(node)
        if isinstance(node, DEFINITIONS):
            return mine
        if isinstance(node, ast.If):
            return all([self.run(node.body, mine), self.run(node.orelse, mine)])
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            self.run(node.body, mine)
            return self.run(node.orelse, bound)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self.run(node.body, mine)
        if isinstance(node, ast.Try):
            done = self.run(node.orelse, self.run(node.body, bound))
            caught = [self.run(h.body, bound or self.name in _stores(h)) for h in node.handlers]
            return self.run(node.finalbody, done and all(caught))
        if isinstance(node, ast.Match):
            return all([bound, *(self.run(case.body, mine) for case in node.cases)])
        return mine


def _exits(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in EXITS
    )
