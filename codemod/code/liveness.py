"""Which names a run of statements reads before it binds them, and which it surely binds.

Both answers are safe: a name that may be read first counts as needed, and only a name that is
bound on every way counts as bound.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from codemod.code.kept import kept
from codemod.code.traversal import next_level, walk

Names = frozenset[str]
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True)
class Flow:
    """`needed` in the order of first reading; `bound` is None where the end is never reached."""

    needed: tuple[str, ...]
    bound: Names | None


def flow(statements: Sequence[ast.stmt], bound: Iterable[str] = ()) -> Flow:
    """What the statements need and bind, with these names bound before them."""
    names = _NameWalk()
    end = names.block(statements, frozenset(bound))
    return Flow(tuple(names.needed), end)


def stores(nodes: Iterable[ast.AST]) -> Names:
    """The names of the scope that the nodes may bind: what nested scopes bind is left out."""
    return Names().union(*map(_stores_below, nodes))


# The same statements are asked about for every part of a function that may be split off.
@kept(None)
def _stores_below(root: ast.AST) -> Names:
    found: set[str] = set()
    left = [root]
    while left:
        node = left.pop()
        found.update(stored(node))
        if isinstance(node, COMPREHENSIONS):
            # A comprehension's own names are its own, those of `:=` in it are the function's.
            left.extend(n.target for n in walk(node) if isinstance(n, ast.NamedExpr))
        elif not isinstance(node, NESTED):
            left.extend(next_level([node]))
    return frozenset(found)


def stored(node: ast.AST) -> Iterable[str]:
    """The names that a node itself binds."""
    if isinstance(node, ast.Name):
        return (node.id,) if isinstance(node.ctx, ast.Store) else ()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return (node.name,)
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return (alias.asname or alias.name.split(".")[0] for alias in node.names)
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return (node.name,) if node.name else ()
    return (node.rest,) if isinstance(node, ast.MatchMapping) and node.rest else ()


def closed_over(nodes: Iterable[ast.AST]) -> Names:
    """The names that functions, lambdas and generators among the nodes may read later on."""
    lazy = (*NESTED, ast.GeneratorExp)
    inner = (one for node in nodes for one in walk(node) if isinstance(one, lazy))
    names = (n for one in inner for n in walk(one) if isinstance(n, ast.Name))
    return frozenset(name.id for name in names if isinstance(name.ctx, ast.Load))


@dataclass
class _NameWalk:
    """Walks statements in the order in which they run."""

    needed: dict[str, None] = field(default_factory=dict)

    def block(self, body: Sequence[ast.stmt], bound: Names | None) -> Names | None:
        for node in body:
            if bound is None:
                return None  # what follows never runs
            bound = self._statement(node, bound)
        return bound

    def _read(self, node: ast.AST | None, bound: Names) -> None:
        if node is not None:
            self.needed.update(dict.fromkeys(n for n in _read_by(node) if n not in bound))

    def _statement(self, node: ast.stmt, bound: Names) -> Names | None:
        if isinstance(node, (ast.If, ast.While)):
            self._read(node.test, bound)
        if isinstance(node, ast.If):
            return _both(self.block(node.body, bound), self.block(node.orelse, bound))
        if isinstance(node, ast.While):
            self.block(node.body, bound)
            return self.block(node.orelse, bound)
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self._read(node.iter, bound)
            self.block(node.body, bound | stores([node.target]))
            return self.block(node.orelse, bound)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self._read(item.context_expr, bound)
                bound |= stores([item.optional_vars]) if item.optional_vars else frozenset()
            return self.block(node.body, bound)
        if isinstance(node, (ast.Try, ast.Match)):
            return self._branching(node, bound)
        return self._simple(node, bound)

    def _branching(self, node: ast.Try | ast.Match, bound: Names) -> Names | None:
        """Statements that the kits' nets hardly have: what they bind is not relied on."""
        if isinstance(node, ast.Match):
            self._read(node.subject, bound)
            for case in node.cases:
                self._read(case.pattern, bound)
                self._read(case.guard, bound)
                self.block(case.body, bound)
            return bound
        for body in (node.body, *(h.body for h in node.handlers), node.orelse, node.finalbody):
            self.block(body, bound)
        for handler in node.handlers:
            self._read(handler.type, bound)
        return bound

    def _simple(self, node: ast.stmt, bound: Names) -> Names | None:
        self._read(node, bound)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._read(ast.Name(node.target.id, ast.Load()), bound)
        if isinstance(node, LEAVES):
            return None
        if isinstance(node, ast.Delete):
            return bound - {t.id for t in node.targets if isinstance(t, ast.Name)}
        if isinstance(node, ast.AnnAssign) and node.value is None:
            return bound
        return bound | _surely_stored(node)


@kept(None)
def _surely_stored(node: ast.stmt) -> Names:
    """What a simple statement binds: `:=` may stand behind an `and`, and counts for nothing."""
    return stores([node]) - {n.target.id for n in walk(node) if isinstance(n, ast.NamedExpr)}


def _both(one: Names | None, other: Names | None) -> Names | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


@kept(None)
def _read_by(node: ast.AST) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_free(node)))


def _free(node: ast.AST) -> Iterator[str]:
    """The names that a node reads from around it, in source order."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Store):
            yield node.id
    elif isinstance(node, COMPREHENSIONS):
        own = stores(generator.target for generator in node.generators)
        first = node.generators[0].iter
        yield from _free(first)
        inner = (n for child in next_level([node]) for n in _free(child))
        yield from (name for name in inner if name not in own)
    elif isinstance(node, ast.Lambda):
        own = frozenset(n.arg for n in walk(node.args) if isinstance(n, ast.arg))
        yield from _free(node.args)
        yield from (name for name in _free(node.body) if name not in own)
    else:
        for child in next_level([node]):
            yield from _free(child)
