"""Where a `forward` can be split: the part of it that may become a method and a program.

Some of what a net does must stay dynamic: a look-up in a table with sparse gradients, say. The
largest run of statements of `forward` without any of it becomes a method, which takes what it
reads and gives back what is read behind it. With the switch off the same statements run in the
same order on the same objects, so training stays equal to the bit.

Where that cannot be shown from the code, or where a static program would differ, a statement
stays where it is: an attribute that changes between calls, say, is a constant in a program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from codemod.base.reason import Reason, Refusal
from codemod.code.liveness import closed_over, flow, stores
from codemod.code.module import Module, dotted, is_docstring
from codemod.code.traversal import walk
from codemod.engine.split.gradients import differs
from codemod.engine.split.heldback import ClassAttributes, Finder

SELF = "self"
FORWARD = "forward"
# A part of less weight is not worth a method: a layer or a loop counts three, an operation one.
WORTH = 5
LAYER = 3
READS_A_VALUE = frozenset({"numpy", "item", "tolist"})
LOOKS_ROUND = frozenset({"locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe"})
CLASS_CELL = frozenset({"super", "__class__"})
WHOLE_FUNCTION = (ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)
STAYS: dict[type[ast.AST], Reason] = {
    ast.Delete: Reason.of("engine.deletes"),
    ast.FunctionDef: Reason.of("engine.defines-function"),
    ast.AsyncFunctionDef: Reason.of("engine.defines-function"),
    ast.ClassDef: Reason.of("engine.defines-class"),
    ast.Lambda: Reason.of("engine.holds-lambda"),
    ast.Try: Reason.of("engine.catches-errors"),
    ast.With: Reason.of("engine.enters-context"),
    ast.Import: Reason.of("engine.imports"),
    ast.ImportFrom: Reason.of("engine.imports"),
    ast.Raise: Reason.of("engine.raises"),
}


@dataclass(frozen=True)
class StaticPart:
    """Statements `start` to `stop` of `forward`, what they take and what they give back.

    A part that reaches to the end returns what `forward` returned; it has no `results`.
    """

    start: int
    stop: int
    arguments: tuple[str, ...]
    results: tuple[str, ...]


def find_part(
    finder: Finder, module: Module, owner: ast.ClassDef, method: str
) -> StaticPart | Refusal:
    """The part of the class's `forward` to make `method`, or why there is none."""
    held = finder.held(module, owner)
    if isinstance(held, Refusal):
        return held
    forward = held.methods.get(FORWARD)
    if forward is None or not held.tables:
        return Refusal(Reason.of("engine.nothing-dynamic", method=FORWARD))
    fault = _unfit(held, module, owner, forward, method)
    if fault:
        return Refusal(fault)
    return _Forward(finder, module, held, forward).best()


def _unfit(
    held: ClassAttributes,
    module: Module,
    owner: ast.ClassDef,
    forward: ast.FunctionDef,
    method: str,
) -> Reason | None:
    parameters = [*forward.args.posonlyargs, *forward.args.args]
    if method in held.methods or method in held.known:
        return Reason.of("engine.already-has", name=method)
    if forward.decorator_list:
        return Reason.of("engine.decorated", method=FORWARD)
    if not parameters or parameters[0].arg != SELF:
        return Reason.of("engine.first-parameter", method=FORWARD, name=SELF)
    if any(SELF in stores([node]) for node in forward.body):
        return Reason.of("engine.binds-self", method=FORWARD, name=SELF)
    for node in (n for statement in forward.body for n in walk(statement)):
        if isinstance(node, WHOLE_FUNCTION):
            kind = type(node).__name__.lower()
            return Reason.of("engine.statement-of", method=FORWARD, kind=kind, line=node.lineno)
        name = (dotted(node) or "").rpartition(".")[2]
        if name in LOOKS_ROUND:
            return Reason.of("engine.looks-round", method=FORWARD, name=name)
    heirs = (n for n in module.classes.values() if any(dotted(b) == owner.name for b in n.bases))
    heir = next(heirs, None)
    return Reason.of("engine.inherited", name=heir.name) if heir else None


@dataclass
class _Forward:
    """One `forward`, statement by statement."""

    finder: Finder
    module: Module
    held: ClassAttributes
    function: ast.FunctionDef

    def best(self) -> StaticPart | Refusal:
        """The heaviest part that can be moved; of equals, one that reaches to the end."""
        body = self.function.body
        weights = [0]
        for node in body:
            weights.append(weights[-1] + _weight(node))
        # Statements that must move past the part are lines of the kit's that change; a last
        # `return` does anyway.
        spans = (
            (
                weights[stop] - weights[start] - max(0, len(body) - stop - 1),
                stop == len(body),
                -start,
                stop,
            )
            for start, stop in self._spans()
        )
        worth = sorted((span for span in spans if span[0] >= WORTH), reverse=True)
        found = (self._part(-start, stop) for _, _, start, stop in worth)
        return next((part for part in found if part is not None), self._nothing())

    def _nothing(self) -> Refusal:
        """Why there is no part: a static graph already, else the last statement that must stay."""
        attributes = (n.value for n in walk(self.function) if isinstance(n, ast.Attribute))
        if any((dotted(value) or "").endswith("static.nn") for value in attributes):
            return Refusal(Reason.of("engine.static-net", method=FORWARD))
        staying = ((node.lineno, self._stays(node)) for node in reversed(self.function.body))
        for line, why in staying:
            if why:
                reason = Reason.of(
                    "engine.worth-no-program-for", method=FORWARD, line=line, why=why
                )
                return Refusal(reason)
        return Refusal(Reason.of("engine.worth-no-program", method=FORWARD))

    def _spans(self) -> Iterator[tuple[int, int]]:
        """The runs of statements none of which must stay."""
        body = self.function.body
        free = [self._stays(node) is None and not is_docstring(node) for node in body]
        for start in range(len(body)):
            for stop in range(start + 1, len(body) + 1):
                if not free[stop - 1]:
                    break
                yield start, stop

    def _part(self, start: int, stop: int) -> StaticPart | None:
        """The part, unless a name or an output says that it cannot be moved."""
        body = self.function.body
        head, inner, rest = body[:start], body[start:stop], body[stop:]
        if _returning(inner) == bool(rest):
            return None
        parameters = frozenset(n.arg for n in walk(self.function.args) if isinstance(n, ast.arg))
        made, before = stores(inner), flow(head, parameters)
        outside = stores(head) | parameters
        wanted = set(flow(rest).needed) & made
        if rest and _idle(inner[-1], wanted):
            return self._part(start, stop - 1)
        results = tuple(name for name in _in_order(inner) if name in wanted)
        inside = flow([*inner, *(ast.Expr(ast.Name(name, ast.Load())) for name in results)])
        arguments = tuple(n for n in inside.needed if n in outside and n != SELF)
        after = flow(inner, arguments).bound
        sure = before.bound is not None and before.bound.issuperset(arguments)
        gives = not rest or (results and after is not None and after.issuperset(results))
        # A name that another statement makes local would become a global one, or be lost.
        strays = set(before.needed) & (made - outside)
        strays |= (set(inside.needed) - outside - made) & stores(rest)
        strays |= closed_over([*head, *rest]) & made
        if not sure or not gives or strays or differs(inner, arguments, results):
            return None
        return StaticPart(start, stop, arguments, results)

    def _stays(self, statement: ast.AST, seen: frozenset[str] = frozenset()) -> Reason | None:
        """Why a statement (or a method that it calls) must stay dynamic, or None."""
        bases = {id(n.value) for n in walk(statement) if isinstance(n, ast.Attribute)}
        for node in walk(statement):
            # What a method that is called does with names is its own affair.
            if not seen and type(node) in STAYS:
                return STAYS[type(node)]
            if isinstance(node, ast.Call):
                if self.finder.leads(self.module, node):
                    return Reason.of("engine.table-made-or-read")
                if isinstance(node.func, ast.Attribute) and node.func.attr in READS_A_VALUE:
                    return Reason.of("engine.reads-value")
            if isinstance(node, ast.Name):
                if node.id in CLASS_CELL or node.id in self._aliases:
                    return Reason.of("engine.uses", name=node.id)
                if node.id == SELF and id(node) not in bases:
                    return Reason.of("engine.hands-on", name=SELF)
            if isinstance(node, ast.Attribute) and dotted(node.value) == SELF:
                reason = self._attribute(node, seen)
                if reason:
                    return reason
        return None

    def _attribute(self, node: ast.Attribute, seen: frozenset[str]) -> Reason | None:
        name = node.attr
        if not isinstance(node.ctx, ast.Load):
            return Reason.of("engine.keeps", name=name, owner=SELF)
        if name in self.held.tables:
            return Reason.of("engine.looks-up", name=name)
        if name in self.held.late:
            return Reason.of("engine.late-attribute", name=name)
        if name.startswith("__"):
            return Reason.of("engine.private-name", name=name)
        if name in self.held.methods:
            if name in seen:
                return None
            return self._stays(self.held.methods[name], seen | {name})
        known = name in self.held.known or name == "training"
        return None if known else Reason.of("engine.undefined-attribute", name=name)

    @cached_property
    def _aliases(self) -> frozenset[str]:
        """Local names that may stand for a table itself, not for what was looked up in it."""
        found: set[str] = set()
        for statement in walk(self.function):
            if isinstance(statement, (ast.Assign, ast.For, ast.AnnAssign, ast.NamedExpr)):
                value = statement.iter if isinstance(statement, ast.For) else statement.value
                if value is not None and _hands_out(value, self.held.tables):
                    found |= stores([statement])
        return frozenset(found)


def _weight(statement: ast.stmt) -> int:
    """How much there is to gain from a statement: operations, layers, loops."""
    found = 0
    for node in walk(statement):
        if isinstance(node, ast.Call):
            layer = (dotted(node.func) or f"{SELF}.").startswith(f"{SELF}.")
            found += LAYER if layer else 1
        elif isinstance(node, ast.For):
            found += LAYER
        elif isinstance(node, (ast.BinOp, ast.AugAssign)):
            found += 1
    return found


def _idle(statement: ast.stmt, wanted: set[str]) -> bool:
    """Whether the last statement of a part would be dead code in it: the rest can have it."""
    plain = isinstance(statement, ast.Assign) and not flow([statement]).needed
    return plain and not _weight(statement) and not stores([statement]) & wanted


def _hands_out(value: ast.expr, tables: frozenset[str]) -> bool:
    """Whether a table is used otherwise than by looking up in it at once."""
    looked_up = {id(n) for c in walk(value) if isinstance(c, ast.Call) for n in _base(c.func)}
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in tables
        and dotted(node.value) == SELF
        and id(node) not in looked_up
        for node in walk(value)
    )


def _base(func: ast.expr) -> Iterator[ast.expr]:
    """`self.table` of `self.table(...)`, `self.table.forward(...)` and `self.tables[i](...)`."""
    yield func
    if isinstance(func, ast.Subscript) or (
        isinstance(func, ast.Attribute) and func.attr == FORWARD
    ):
        yield from _base(func.value)


def _returning(statements: Sequence[ast.stmt]) -> bool:
    return any(isinstance(n, ast.Return) for node in statements for n in walk(node))


def _in_order(statements: Sequence[ast.stmt]) -> tuple[str, ...]:
    """The names that statements bind, in source order."""
    nodes = (n for node in statements for n in walk(node))
    names = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    names.sort(key=lambda n: (n.lineno, n.col_offset))
    return tuple(dict.fromkeys(n.id for n in names))
