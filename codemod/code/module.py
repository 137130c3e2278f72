"""One parsed Python file: its scopes, statements with their paths, imports and classes.

Locating is done on the standard library's `ast`, which costs a tenth of LibCST; LibCST sees
only the files that change. A statement is named by its path: the steps `(field, index)`
that lead to it from the module, valid in both trees.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, wraps
from itertools import accumulate
from typing import Any, Concatenate, ParamSpec, TypeVar

from codemod.base.reason import Reason
from codemod.base.refusal import Refusal
from codemod.base.terminal.amounts import size
from codemod.code.depth import deeper_than
from codemod.code.kept import kept

Given = ParamSpec("Given")
Result = TypeVar("Result")

Path = tuple[tuple[str, int], ...]
Function = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
# The fields in which a node holds statements, and those in which it can hold a call: asked of
# every node of a kit, so they are looked up by the node's class.
_WITHOUT_CALLS = frozenset({"ctx", "id", "attr", "arg", "name", "op", "ops", "names", "module"})
_NODES = tuple(cls for cls in vars(ast).values() if isinstance(cls, type))
_BLOCKS_OF: dict[type, tuple[str, ...]] = {
    cls: tuple(name for name in BLOCKS if name in cls._fields)
    for cls in _NODES
    if issubclass(cls, (ast.stmt, ast.excepthandler, ast.match_case, ast.Module))
}
_HOLDERS_OF: dict[type, tuple[str, ...]] = {
    cls: tuple(name for name in cls._fields if name not in _WITHOUT_CALLS)
    for cls in _NODES
    if issubclass(cls, ast.AST) and cls is not ast.Constant
}
# The fields that hold nodes. A context (`Load`) is none that anybody looks for, and half of all.
_PLAIN = frozenset({"ctx", "id", "attr", "arg", "asname", "module", "level", "type_comment"})
_PLAIN_OF = {
    ast.Constant: {"value", "kind"},
    ast.FormattedValue: {"conversion"},
    ast.AnnAssign: {"simple"},
    ast.Global: {"names"},
    ast.Nonlocal: {"names"},
    ast.comprehension: {"is_async"},
    ast.MatchSingleton: {"value"},
    ast.MatchMapping: {"rest"},
    ast.MatchClass: {"kwd_attrs"},
}
_CHILDREN_OF: dict[type, tuple[str, ...]] = {
    cls: tuple(
        name
        for name in cls._fields
        if name not in _PLAIN | _PLAIN_OF.get(cls, set())
        # A statement of Python 3.12 has an expression there.
        and (name != "name" or cls.__name__ == "TypeAlias")
    )
    for cls in _NODES
    if issubclass(cls, ast.AST)
}


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement and the path that leads to it."""

    node: ast.stmt
    path: Path

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        """The calls in the statement's own expressions, not in the blocks below it."""
        return tuple(_calls(self.node))


@dataclass(frozen=True, eq=False)
class Scope:
    """A function, or the module itself (named `<module>`).

    Its text is `source` from `start` to `stop`: no copy of it is made, since each function would
    hold those within it once more. `found` keeps what `once_a_scope` functions made of it.
    """

    name: str
    node: Function | ast.Module
    path: Path
    owner: ast.ClassDef | None = None
    source: str = ""
    start: int = 0
    stop: int = 0
    found: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)

    def mentions(self, *words: str) -> bool:
        """Whether one of the words is in the scope's text: checked before the tree is walked."""
        return any(self.source.find(word, self.start, self.stop) >= 0 for word in words)

    @property
    def text(self) -> str:
        """The source of the scope."""
        return self.source[self.start : self.stop]

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement of the scope that may run, in source order; nested scopes left out."""
        return tuple(_walk(self.node, self.path))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the function's parameters, in order; none for a module."""
        if isinstance(self.node, ast.Module):
            return ()
        args = self.node.args
        return tuple(a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs))

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        """Every call of the scope."""
        return tuple(call for statement in self.statements for call in statement.calls)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node below the scope's own, nested scopes included: walked once, asked often."""
        return tuple(below(self.node))

    @cached_property
    def called(self) -> frozenset[str]:
        """Dotted names of everything that is called."""
        return frozenset(name for call in self.calls if (name := dotted(call.func)))

    @property
    def function(self) -> str:
        """The last part of the name: `train` of `Trainer.train`."""
        return self.name.rsplit(".", 1)[-1]


def once_a_scope(
    function: Callable[Concatenate[Scope, Given], Result],
) -> Callable[Concatenate[Scope, Given], Result]:
    """Keeps each result with the scope, so that it goes when the scope and its tree go."""

    @wraps(function)
    def kept(scope: Scope, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        key = (function, *args, *kwargs.items())
        if key not in scope.found:
            scope.found[key] = function(scope, *args, **kwargs)
        result: Result = scope.found[key]
        return result

    return kept


@dataclass(frozen=True, eq=False)
class Module:
    """A file that parses. `path` is relative to the kit's root."""

    path: str
    tree: ast.Module
    text: str

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """The module's scope first, then every function, outer ones before inner ones."""
        # As Python counts them: a lone CR ends a line, too.
        text = self.text.replace("\r\n", "\n").replace("\r", "\n")
        starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        whole = Scope("<module>", self.tree, (), None, self.text, 0, len(self.text))
        return (whole, *_scopes(self.tree, (), "", None, text, starts))

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """Top-level classes by name."""
        return {n.name: n for n in self.tree.body if isinstance(n, ast.ClassDef)}

    @cached_property
    def definitions(self) -> dict[str, Function | ast.ClassDef]:
        """Top-level functions and classes by name, the first of each."""
        found: dict[str, Function | ast.ClassDef] = {}
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.setdefault(node.name, node)
        return found

    @cached_property
    def imports(self) -> dict[str, str]:
        """What each imported name refers to, as a dotted path (leading dots kept)."""
        names: dict[str, str] = {}
        for node in every_statement(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or alias.name.split(".")[0]
                    names[name] = alias.name if alias.asname else name
            elif isinstance(node, ast.ImportFrom):
                base = "." * node.level + (node.module or "")
                for alias in node.names:
                    joint = "" if base.endswith(".") or not base else "."
                    names[alias.asname or alias.name] = f"{base}{joint}{alias.name}"
        return names

    def meaning(self, name: str) -> str:
        """A dotted name in full, as the imports have it: `yacs.config.CfgNode` for `CN`."""
        head, dot, rest = name.partition(".")
        return self.imports.get(head, head) + dot + rest

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """The modules from which everything is imported."""
        found = (node for node in self.tree.body if isinstance(node, ast.ImportFrom))
        return tuple(
            "." * node.level + (node.module or "")
            for node in found
            if any(alias.name == "*" for alias in node.names)
        )

    def scope(self, name: str) -> Scope | None:
        """The scope of that name, or None."""
        return next((scope for scope in self.scopes if scope.name == name), None)

    def at(self, path: Path) -> ast.AST | None:
        """The statement at a path; None for one beyond the end of its block."""
        node: ast.AST = self.tree
        for name, index in path:
            statements = getattr(node, name, [])
            if index >= len(statements):
                return None
            node = statements[index]
        return node

    def methods(self, owner: ast.ClassDef) -> tuple[Scope, ...]:
        """The scopes of a class's methods."""
        return tuple(scope for scope in self.scopes if scope.owner is owner)


# More than people write: the largest file of the ten kits has 230 kB, the deepest 41 levels.
# What is larger is data or generated: a tree takes 500 times its text. What is deeper ends
# every walk that recurses.
LARGEST = 1_000_000
DEEPEST = 100


@kept(None)
def parse(path: str, source: bytes) -> Module | Refusal:
    """The module, or the reason why it cannot be read as Python.

    Each text is parsed once: plan, audit, hazards and fixes share it, so nobody may change it.
    `codemod.work.planning.spread` lets a kit's trees go when it takes the next one.
    """
    if len(source) > LARGEST:
        return Refusal(Reason.of("code.too-large", size=size(len(source))))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except SyntaxError as fault:
        return Refusal(Reason.of("code.syntax", line=fault.lineno or 0, said=fault.msg))
    except (ValueError, LookupError, RecursionError, MemoryError) as fault:
        return Refusal(Reason.of("code.cannot-parse", said=str(fault) or type(fault).__name__))
    if deeper_than(DEEPEST, tree):
        return Refusal(Reason.of("code.too-deep", levels=DEEPEST))
    return Module(path, tree, source.decode("latin-1"))


def dotted(node: ast.AST | None) -> str | None:
    """`self.model` for a name or a chain of attributes, else None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else None
    return None


def callee(call: ast.Call) -> str:
    """The last name of what is called: `DataParallel` of `paddle.DataParallel(...)`."""
    func = call.func
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls among a statement's own nodes, in their order.

    Most nodes are names, constants and contexts, which hold no call and are not visited.
    """
    stack: list[object] = [
        getattr(statement, name) for name in _HOLDERS_OF[type(statement)] if name not in BLOCKS
    ]
    while stack:
        node = stack.pop()
        if type(node) is list:
            stack.extend(node)
            continue
        if type(node) is ast.Call:
            yield node
        stack.extend(getattr(node, name) for name in _HOLDERS_OF.get(type(node), ()))


def own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without the statements of its blocks.

    Reads the nodes' dictionaries: `ast.iter_child_nodes` takes three times as long, and this
    is the innermost loop of every search.
    """
    stack: list[object] = [
        value
        for name, value in vars(statement).items()
        if name not in BLOCKS or isinstance(value, ast.AST)
    ]
    while stack:
        node = stack.pop()
        if type(node) is list:
            stack.extend(node)
        elif isinstance(node, ast.AST):
            yield node
            # What has no fields (`Load`, `Add`) is one object for all trees, and may hold marks of
            # another reader: pyflakes before 4.1 leaves there which node of which tree it stood in.
            if node._fields:
                stack.extend(vars(node).values())


def below(root: ast.AST) -> Iterator[ast.AST]:
    """A node and every node below it, in source order, but contexts: faster than `ast.walk`."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for name in reversed(_CHILDREN_OF[type(node)]):
            value = getattr(node, name)
            if type(value) is list:
                stack.extend(child for child in reversed(value) if child is not None)
            elif value is not None:
                stack.append(value)


def walk(root: ast.AST) -> Iterator[ast.AST]:
    """The same nodes in the order of `ast.walk`: those of each level after those above them."""
    level = [root]
    while level:
        yield from level
        above, level = level, []
        for node in above:
            for name in _CHILDREN_OF[type(node)]:
                value = getattr(node, name)
                if type(value) is list:
                    level += [child for child in value if child is not None]
                elif value is not None:
                    level.append(value)


def parents(root: ast.AST) -> dict[ast.AST, ast.AST]:
    """The node above each node below `root`; three times as fast as by `ast.walk`."""
    found: dict[ast.AST, ast.AST] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        for value in vars(node).values():
            for child in value if type(value) is list else (value,):
                if isinstance(child, ast.AST):
                    found[child] = node
                    if child._fields:  # as in `own_nodes`
                        stack.append(child)
    return found


def every_statement(owner: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node, those of nested functions and classes too."""
    for name in _BLOCKS_OF.get(type(owner), ()):
        for node in getattr(owner, name):
            if isinstance(node, ast.stmt):
                yield node
            if _BLOCKS_OF[type(node)]:
                yield from every_statement(node)


def block(node: ast.AST, name: str) -> list[ast.stmt]:
    """The statements of one block of a compound statement, or of a module."""
    value = getattr(node, name, None)
    return value if isinstance(value, list) else []


def is_docstring(node: ast.stmt) -> bool:
    """Whether the statement is a bare string."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def never_runs(owner: ast.AST, name: str) -> bool:
    """Whether a block is dead by the constant in front of it: `if False:`, `while 0:`."""
    if isinstance(owner, (ast.If, ast.While)):
        value = _constant(owner.test)
        dead = "body" if value is False else "orelse" if isinstance(owner, ast.If) else ""
        return value is not None and name == dead
    empty = isinstance(owner, ast.For) and isinstance(owner.iter, (ast.Tuple, ast.List))
    return empty and name == "body" and not owner.iter.elts  # type: ignore[attr-defined]


def _constant(test: ast.expr) -> bool | None:
    """What a test always is; None where that depends."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _constant(test.operand)
        return None if inner is None else not inner
    return None


def _walk(owner: ast.AST, path: Path) -> Iterator[Statement]:
    for name in _BLOCKS_OF[type(owner)]:
        if never_runs(owner, name):
            continue
        for index, node in enumerate(getattr(owner, name)):
            step = (*path, (name, index))
            if isinstance(node, ast.stmt):
                yield Statement(node, step)
            nested = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            if _BLOCKS_OF[type(node)] and not nested:
                yield from _walk(node, step)


def _scopes(
    owner: ast.AST,
    path: Path,
    prefix: str,
    class_: ast.ClassDef | None,
    text: str,
    starts: list[int],
) -> Iterator[Scope]:
    for name in _BLOCKS_OF[type(owner)]:
        for index, node in enumerate(getattr(owner, name)):
            if not _BLOCKS_OF[type(node)]:
                continue
            step = (*path, (name, index))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                start, stop = starts[node.lineno - 1], starts[node.end_lineno or 0] - 1
                yield Scope(prefix + node.name, node, step, class_, text, start, stop)
                inner = f"{prefix}{node.name}.<locals>."
                yield from _scopes(node, step, inner, None, text, starts)
            elif isinstance(node, ast.ClassDef):
                yield from _scopes(node, step, f"{prefix}{node.name}.", node, text, starts)
            else:
                yield from _scopes(node, step, prefix, class_, text, starts)


def quote(text: str) -> str:
    """The quote that a file uses more often."""
    return "'" if text.count("'") > text.count('"') else '"'
