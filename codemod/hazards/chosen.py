"""What an argument chooses where it is a depth, a variant or a kind: blocks, tables, branches.

A depth of 50 and one of 101 make the same net in another size if the code that reads them takes the
same branches and finds the same in its tables but for numbers. So an argument counts as what it
chooses, where all its uses are of a kind that is known, and as itself elsewhere.
"""

from __future__ import annotations

import ast
import copy
import itertools
import operator
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

from codemod.code.module import DEFINITIONS, block, callee, dotted
from codemod.code.project import of_super
from codemod.code.traversal import BLOCKS, own_nodes, walk
from codemod.hazards.reach.index import Class, Function, Index

Value = TypeVar("Value")

_DEEPEST = 4
# Calls of which the result says something to people, or how often something is done.
_HARMLESS = frozenset(
    {
        *("format", "print", "info", "warning", "warn", "debug", "error", "str", "isinstance"),
        *("range", "linspace", "arange"),
    }
)
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_OPEN = object()


class _UnknownUseError(Exception):
    """An argument is used in a way that says nothing of what it chooses."""


def chosen(
    index: Index, function: Function, owner: Class | None, name: str, value: Any
) -> list[str] | None:
    """What a function (of an object of `owner`) chooses by an argument; None if it cannot be told.

    A list of source texts with their numbers left out: of the branches that are taken, and of the
    entries of tables that are found.
    """
    reader = _ArgumentReader(index, owner, value, [])
    try:
        reader.parameter(function, name, 0)
    except _UnknownUseError:
        return None
    return reader.found


class _ArgumentReader:
    """Reads all uses of one argument, also of the attribute that keeps it."""

    def __init__(self, index: Index, owner: Class | None, value: Any, found: list[str]) -> None:
        self.index = index
        self.owner = owner
        self.value = value
        self.found = found

    def parameter(self, function: Function, name: str, depth: int) -> None:
        """All uses of a parameter, then those of attributes that it is kept in.

        Raises:
            _UnknownUseError: one of them says nothing of what the argument chooses.
        """
        if depth > _DEEPEST or name not in function.parameters or _stored(function, {name}):
            raise _UnknownUseError
        use = _ArgumentUse(self, function, frozenset({name}), depth)
        use.block(function.node.body, False)
        if not use.kept:
            return
        if function.owner is None or self.owner is None:
            raise _UnknownUseError
        methods = list(self.index.all_methods(self.owner))
        if sum(_stored(method, use.kept) for method in methods) > len(use.kept):
            raise _UnknownUseError  # it is something else later
        reading = (m for m in methods if any(m.uses[name, ast.Load] for name in use.kept))
        for method in reading:
            _ArgumentUse(self, method, frozenset(use.kept), depth).block(method.node.body, False)


class _ArgumentUse:
    """The uses of an argument in one function, by the names that it has there."""

    def __init__(
        self, reader: _ArgumentReader, function: Function, names: frozenset[str], depth: int
    ) -> None:
        self.reader = reader
        self.function = function
        self.names = names
        self.depth = depth
        self.kept: set[str] = set()

    def block(self, body: Sequence[ast.AST], taken: bool) -> None:
        """Statements (or handlers) in order; `taken`: whether the argument chose that they run.

        Raises:
            _UnknownUseError: a use says nothing of what the argument chooses.
        """
        for statement in body:
            if isinstance(statement, ast.If) and self._mentioned(statement.test):
                self._branch(statement, taken)
                continue
            if taken:
                self.reader.found.append(without_numbers(statement))
            if isinstance(statement, (ast.Assert, ast.Raise)) or not self._mentioned(statement):
                continue
            if isinstance(statement, DEFINITIONS):
                raise _UnknownUseError
            self._expressions(statement)
            for name in BLOCKS:
                self.block(block(statement, name), False)

    def _branch(self, statement: ast.If, taken: bool) -> None:
        branches = (statement.body, statement.orelse)
        if all(map(_names_things, (*statement.body, *statement.orelse))):
            return  # how a weight is called changes no step
        holds = self._value(statement.test)
        if holds is not _OPEN:
            self.block(branches[not holds], True)
            return
        self._expressions(statement)
        for inner in branches:
            self.block(inner, taken)

    def _mentioned(self, node: ast.AST) -> bool:
        return any(self._is_it(inner) for inner in walk(node))

    def _is_it(self, node: ast.AST) -> bool:
        read = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
        return read and dotted(node) in self.names

    def _expressions(self, statement: ast.AST) -> None:
        for node in own_nodes(statement):
            if self._is_it(node):
                self._use(node)

    def _use(self, node: ast.AST) -> None:
        """One place where the argument is read; raises where that says nothing."""
        parents = self.function.parents
        above: ast.AST | None = parents.get(node)
        below: ast.AST = node
        while isinstance(above, ast.expr | ast.keyword | ast.comprehension):
            match above:
                case ast.JoinedStr():
                    return
                case ast.Subscript() if above.slice is below and below is node:
                    self.reader.found.append(without_numbers(self._entry(above)))
                    return
                case ast.IfExp() if above.test is below:
                    holds = self._value(below)
                    if holds is not _OPEN:
                        side = above.body if holds else above.orelse
                        self.reader.found.append(without_numbers(side))
                        return
                case ast.Compare() | ast.BoolOp() | ast.UnaryOp():
                    holds = self._value(above)
                    chooses = isinstance(parents.get(above), (ast.BoolOp, ast.IfExp, ast.UnaryOp))
                    if holds is not _OPEN and not chooses:
                        self.reader.found.append(str(holds))
                        return
                case ast.Call() if callee(above) in _HARMLESS:
                    return
                case ast.Call() if below is node or isinstance(below, ast.keyword):
                    self._handed(above, below)
                    return
            below, above = above, parents.get(above)
        match above:
            case ast.Assign(targets=[ast.Attribute() as target]) if above.value is node:
                if self.function.owner is None or dotted(target.value) != "self":
                    raise _UnknownUseError
                self.kept.add(f"self.{target.attr}")
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if below is not node:
                if not isinstance(below, ast.BinOp):
                    raise _UnknownUseError
            case _:
                raise _UnknownUseError

    def _handed(self, call: ast.Call, given: ast.AST) -> None:
        """The argument is handed on to a method of the object, or to a class or function."""
        called, owner = self._called(call)
        spread = any(isinstance(one, ast.Starred) for one in call.args)
        if called is None or called.node.decorator_list or spread or given is call.func:
            raise _UnknownUseError
        if isinstance(given, ast.keyword):
            name = given.arg or ""
        else:
            first = 1 if called.owner else 0
            at = next(number for number, one in enumerate(call.args, first) if one is given)
            name = called.parameters[at] if at < len(called.parameters) else ""
        reader = self.reader
        if owner is not reader.owner:
            reader = _ArgumentReader(reader.index, owner, reader.value, reader.found)
        reader.parameter(called, name, self.depth + 1)

    def _called(self, call: ast.Call) -> tuple[Function | None, Class | None]:
        """What a call runs, and the class of the object that it runs on."""
        owner, index = self.reader.owner, self.reader.index
        name = dotted(call.func) or ""
        if owner and (method := of_super(call)):
            return index.method(owner, method, self.function.owner), owner
        if owner and name.startswith("self."):
            return index.method(owner, name[5:]), owner
        first = name.partition(".")[0]
        if first in self.function.parameters or _stored(self.function, {first}):
            return None, None  # another thing than the file has by that name
        called = index.resolve(self.function.module, name)
        if isinstance(called, Class):
            return index.method(called, "__init__"), called
        return called, None

    def _entry(self, node: ast.Subscript) -> ast.expr:
        """What a table of constants holds for the argument."""
        table = self._table(node.value)
        if isinstance(table, ast.Dict):
            for key, entry in zip(table.keys, table.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == self.reader.value:
                    return entry
        raise _UnknownUseError

    def _table(self, node: ast.expr) -> ast.expr | None:
        """What a name stands for that is assigned once: in the function, the class or the file."""
        full = dotted(node) or ""
        owner = self.function.owner
        for within, name in (
            (self.function.node, full),
            (owner.node if owner else None, full.removeprefix("self.")),
            (self.function.module.tree, full),
        ):
            made = [
                statement.value
                for statement in (within.body if within else ())
                if isinstance(statement, ast.Assign) and dotted(statement.targets[0]) == name
            ]
            if made:
                return made[0] if len(made) == 1 else None
        return node if isinstance(node, ast.Dict) else None

    def _value(self, node: ast.expr) -> Any:
        """What an expression of the argument and constants comes to, else `_OPEN`."""
        match node:
            case ast.Constant():
                return node.value
            case ast.Name() | ast.Attribute():
                return self.reader.value if self._is_it(node) else _OPEN
            case ast.List() | ast.Tuple() | ast.Set():
                values = [self._value(one) for one in node.elts]
                return _OPEN if any(one is _OPEN for one in values) else values
            case ast.UnaryOp(op=ast.Not()):
                value = self._value(node.operand)
                return _OPEN if value is _OPEN else not value
            case ast.BoolOp():
                values = [self._value(one) for one in node.values]
                ends = isinstance(node.op, ast.Or)
                if any(one is not _OPEN and bool(one) is ends for one in values):
                    return ends
                return _OPEN if any(one is _OPEN for one in values) else not ends
            case ast.Compare(ops=[op], comparators=[right]):
                sides = (self._value(node.left), self._value(right))
                if any(side is _OPEN for side in sides):
                    return _OPEN
                try:
                    return bool(_COMPARED[type(op)](*sides))
                except TypeError:
                    return _OPEN
        return _OPEN


def _stored(function: Function, names: Collection[str]) -> int:
    """How often a function binds one of the names."""
    return sum(function.uses[name, ast.Store] for name in names)


def _names_things(statement: ast.stmt) -> bool:
    """Whether a statement only makes texts: how a weight is called."""
    if isinstance(statement, ast.If):
        return all(map(_names_things, (*statement.body, *statement.orelse)))
    return isinstance(statement, ast.Assign) and _is_text(statement.value)


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    made = isinstance(node, ast.Call) and callee(node) in ("str", "chr", "format")
    return made or isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str)


def without_numbers(node: ast.AST) -> str:
    """The source of a node with each number as its sign, and of equal neighbours in a list one."""
    return ast.unparse(_WithoutNumbers().visit(copy.deepcopy(node)))


class _WithoutNumbers(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            return node
        return ast.Name("n" if node.value else "zero", ast.Load())

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        node.elts = [ast.Name(text, ast.Load()) for text in collapsed(map(ast.unparse, node.elts))]
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.elts = [
                ast.Name(text, ast.Load()) for text in collapsed(map(ast.unparse, node.elts))
            ]
        return node


def collapsed(values: Iterable[Value]) -> list[Value]:
    """The values with equal neighbours once: how often a part is repeated is its depth."""
    return [value for value, _ in itertools.groupby(values)]
