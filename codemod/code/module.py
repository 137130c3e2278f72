"""One parsed Python file: its scopes, statements with their paths, imports and classes.

Locating is done on the standard library's `ast`, which costs a tenth of LibCST; LibCST sees
only the files that change. A statement is named by its path: the steps `(field, index)`
that lead to it from the module, valid in both trees.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

from codemod.base.reason import Reason, Refusal
from codemod.base.terminal.amounts import size
from codemod.code.kept import kept
from codemod.code.traversal import BLOCKS_OF, below, deeper_than, every_statement, own_calls

Path = tuple[tuple[str, int], ...]
Function = ast.FunctionDef | ast.AsyncFunctionDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(eq=False)  # a frozen one takes three times as long to make, and there are very many
class Statement:
    """A statement and the path that leads to it."""

    node: ast.stmt
    path: Path

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        """The calls in the statement's own expressions, not in the blocks below it."""
        return tuple(own_calls(self.node))


@dataclass(frozen=True, eq=False)
class Scope:
    """A function, or the module itself (named `<module>`).

    Its text is `source` from `start` to `stop`: no copy of it is made, since each function would
    hold those within it once more. `found` keeps what `once_each` functions made of it.
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
        return tuple(one.arg for one in named_parameters(self.node.args))

    @property
    def places(self) -> list[str]:
        """Names of the parameters that a call fills by place, without the object of a method."""
        if isinstance(self.node, ast.Module):
            return []
        args = self.node.args
        return [a.arg for a in (*args.posonlyargs, *args.args)][1 if self.owner else 0 :]

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

        def within(
            owner: ast.AST, path: Path, prefix: str, class_: ast.ClassDef | None
        ) -> Iterator[Scope]:
            for name in BLOCKS_OF[type(owner)]:
                for index, node in enumerate(getattr(owner, name)):
                    step = (*path, (name, index))
                    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        start, stop = starts[node.lineno - 1], starts[node.end_lineno or 0] - 1
                        yield Scope(prefix + node.name, node, step, class_, text, start, stop)
                        yield from within(node, step, f"{prefix}{node.name}.<locals>.", None)
                    elif isinstance(node, ast.ClassDef):
                        yield from within(node, step, f"{prefix}{node.name}.", node)
                    elif BLOCKS_OF[type(node)]:
                        yield from within(node, step, prefix, class_)

        return (whole, *within(self.tree, (), "", None))

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """Top-level classes by name."""
        return {n.name: n for n in self.tree.body if isinstance(n, ast.ClassDef)}

    @cached_property
    def definitions(self) -> dict[str, Function | ast.ClassDef]:
        """Top-level functions and classes by name, the first of each."""
        found: dict[str, Function | ast.ClassDef] = {}
        for node in self.tree.body:
            if isinstance(node, DEFINITIONS):
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

    @cached_property
    def lines(self) -> list[bytes]:
        """The bytes of its lines as Python counts them, with their ends."""
        return self.text.encode("latin-1").splitlines(keepends=True)

    def code(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node as it stands in the file, which is read as UTF-8."""
        found = self.lines[node.lineno - 1 : node.end_lineno]
        found[-1] = found[-1][: node.end_col_offset]
        found[0] = found[0][node.col_offset :]
        return b"".join(found).decode("utf-8", "replace")

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
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, Scope]:
        """The first scope of each name."""
        return {scope.name: scope for scope in reversed(self.scopes)}

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
        tree = syntax_tree(source)
    except SyntaxError as fault:
        return Refusal(Reason.of("code.syntax", line=fault.lineno or 0, said=fault.msg))
    except (ValueError, LookupError, RecursionError, MemoryError) as fault:
        return Refusal(Reason.of("code.cannot-parse", said=str(fault) or type(fault).__name__))
    if deeper_than(DEEPEST, tree):
        return Refusal(Reason.of("code.too-deep", levels=DEEPEST))
    return Module(path, tree, source.decode("latin-1"))


@kept(None)
def syntax_tree(source: bytes) -> ast.Module:
    """The tree of a file's text, without a word of what Python warns of in it.

    Kept as `parse` keeps its modules.

    Raises:
        SyntaxError, ValueError, LookupError, RecursionError, MemoryError: as `ast.parse`.
    """
    return changed_tree(source)


# The ways to change one text are asked one after the other.
@kept(4)
def changed_tree(source: bytes) -> ast.Module:
    """The tree of a text that a change makes: let go after a few others, unless it is read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


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


def handed(call: ast.Call) -> list[ast.expr]:
    """What a call hands over: its positional arguments, then those by name."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def by_name(call: ast.Call, name: str) -> ast.expr | None:
    """What a call hands over under that name; None where it does not."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def spreads(call: ast.Call) -> bool:
    """Whether a call hands over `*values` or `**options`, which do not tell what they fill."""
    starred = any(isinstance(value, ast.Starred) for value in call.args)
    return starred or any(keyword.arg is None for keyword in call.keywords)


def named_parameters(args: ast.arguments) -> list[ast.arg]:
    """The parameters that have a name: all but `*rest` and `**rest`."""
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def block(node: ast.AST, name: str) -> list[ast.stmt]:
    """The statements of one block of a compound statement, or of a module."""
    value = getattr(node, name, None)
    return value if isinstance(value, list) else []


def is_docstring(node: ast.stmt) -> bool:
    """Whether the statement is a bare string."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


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
    for name in BLOCKS_OF[type(owner)]:
        if never_runs(owner, name):
            continue
        for index, node in enumerate(getattr(owner, name)):
            step = (*path, (name, index))
            if isinstance(node, ast.stmt):
                yield Statement(node, step)
            nested = isinstance(node, DEFINITIONS)
            if BLOCKS_OF[type(node)] and not nested:
                yield from _walk(node, step)


def quote(text: str) -> str:
    """The quote that a file uses more often."""
    return "'" if text.count("'") > text.count('"') else '"'
