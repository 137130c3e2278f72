"""Carries out operations on LibCST's tree: only the nodes on the way to one are built again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from codemod.base.reason import Reason
from codemod.code.module import Path
from codemod.engine.rewrite import ops
from codemod.engine.rewrite.arguments import with_argument, with_elements, with_line, with_parameter
from codemod.engine.rewrite.extract import extracted, parsed_lines
from codemod.engine.rewrite.outline import Outline
from codemod.engine.rewrite.reread import renamed

# What changes a statement that stays.
_WITHIN: dict[type, Callable[[cst.Module, Any, Any], Any]] = {
    ops.AddArgument: with_argument,
    ops.AddToDocstring: with_line,
    ops.AddElements: with_elements,
    ops.Rename: renamed,
}


class Rewriter:
    """One file's operations, gathered by the statement that each concerns."""

    def __init__(self, module: cst.Module, cut: Outline) -> None:
        self.module = module
        self.cut = cut
        self.actions: dict[Path, list[ops.Action | _Landing]] = defaultdict(list)
        self.prefixes: set[Path] = set()
        self.moved: dict[Path, Any] = {}

    def run(self, actions: Sequence[ops.Action]) -> bytes:
        """The outline's text with the actions carried out.

        Raises:
            CannotRewriteError: where an action does not fit the statement that it concerns.
        """
        for action in actions:
            self._take(action.owner, action)
            if isinstance(action, ops.Move):
                self._take(action.into, _Landing(action.field, action.index, action.owner))
                self.moved[action.owner] = _at(self.module, action.owner)
        new: cst.Module = self._compound(self.module, ())
        return new.bytes

    def _take(self, owner: Path, action: ops.Action | _Landing) -> None:
        self.actions[owner].append(action)
        for depth in range(len(owner) + 1):
            self.prefixes.add(owner[:depth])

    def _written(
        self, insert: ops.Insert | _Landing, above: Sequence[Any], below: Any
    ) -> list[Any]:
        """The new statements, which stand between two; a moved comment stands off as they do."""
        if isinstance(insert, ops.Insert):
            return parsed_lines(self.module, insert.code)
        moved = self.moved[insert.source]
        headed = bool(moved.leading_lines) and moved.leading_lines[0].comment is not None
        parted = below is not None and below.leading_lines and not below.leading_lines[0].comment
        if headed and parted and above and isinstance(above[-1], cst.BaseCompoundStatement):
            moved = moved.with_changes(leading_lines=(below.leading_lines[0], *moved.leading_lines))
        return [moved]

    def _compound(self, node: Any, path: Path) -> Any:
        """A node with blocks: a module, or a compound statement."""
        inserts = [a for a in self.actions[path] if isinstance(a, (ops.Insert, _Landing))]
        fields = {p[len(path)][0] for p in self.prefixes if _below(p, path)}
        fields |= {insert.field for insert in inserts}
        for name in sorted(fields):
            mine = [insert for insert in inserts if insert.field == name]
            node = self._field(node, path, name, mine)
        for action in self.actions[path]:
            if isinstance(action, ops.AddParameter):
                node = with_parameter(node, action)
        return node

    def _field(self, node: Any, path: Path, name: str, inserts: list[ops.Insert | _Landing]) -> Any:
        if isinstance(node, cst.Module):
            return node.with_changes(body=self._statements(node.body, path, name, inserts))
        if name == "body":
            return node.with_changes(body=self._suite(node.body, path, name, inserts))
        if name in ("handlers", "cases"):
            clauses = list(getattr(node, name))
            for index, clause in enumerate(clauses):
                step = (*path, (name, index))
                if step in self.prefixes:
                    clauses[index] = self._compound(clause, step)
            return node.with_changes(**{name: clauses})
        if name == "orelse" and isinstance(node.orelse, cst.If):
            if inserts:
                raise ops.CannotRewriteError(Reason.of("engine.if-and-elif"))
            return node.with_changes(orelse=self._compound(node.orelse, (*path, (name, 0))))
        holder = getattr(node, name, None)
        if holder is None:
            raise ops.CannotRewriteError(Reason.of("engine.no-block", name=name))
        body = self._suite(holder.body, path, name, inserts)
        return node.with_changes(**{name: holder.with_changes(body=body)})

    def _suite(
        self, suite: Any, path: Path, name: str, inserts: list[ops.Insert | _Landing]
    ) -> Any:
        if not isinstance(suite, cst.IndentedBlock):
            raise ops.CannotRewriteError(Reason.of("engine.on-header-line"))
        return suite.with_changes(body=self._statements(suite.body, path, name, inserts))

    def _statements(
        self, body: Sequence[Any], path: Path, name: str, inserts: list[ops.Insert | _Landing]
    ) -> list[Any]:
        """A line may hold several statements; an insertion never splits it."""
        at: dict[int, list[ops.Insert | _Landing]] = defaultdict(list)
        for insert in inserts:
            at[insert.index].append(insert)
        result: list[Any] = []
        index = 0
        for node in body:
            for insert in at.pop(index, []):
                result.extend(self._written(insert, result, node))
            width = self._width(node)
            result.extend(self._statement(node, path, name, index, width))
            for inner in range(index + 1, index + width):
                at[index + width] = at.pop(inner, []) + at[index + width]
            index += width
        for insert in at.pop(index, []):
            result.extend(self._written(insert, result, None))
        if any(at.values()):
            raise ops.CannotRewriteError(Reason.of("engine.outside-block"))
        return result

    def _width(self, node: Any) -> int:
        """How many of the file's statements a line of LibCST's stands for."""
        match node:
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Name(value=name))]):
                return self.cut.width(name)
            case cst.SimpleStatementLine():
                return len(node.body)
        return 1

    def _statement(self, node: Any, path: Path, name: str, index: int, width: int) -> list[Any]:
        if width > 1:
            return [node]
        step = (*path, (name, index))
        if step not in self.prefixes:
            return [node]
        for action in self.actions[step]:
            if isinstance(action, ops.Replace):
                made = parsed_lines(self.module, action.code)
                if not made:
                    return []
                made[0] = made[0].with_changes(leading_lines=node.leading_lines)
                return _with_comment(made, node)
            if isinstance(action, ops.Move):
                return []
            if isinstance(action, ops.Extract):
                return extracted(self.module, node, action)
            if change := _WITHIN.get(type(action)):
                node = change(self.module, node, action)
        return [node if isinstance(node, cst.SimpleStatementLine) else self._compound(node, step)]


def _with_comment(made: list[Any], old: Any) -> list[Any]:
    """One line in the place of one: the comment behind the old one stays, unless it has its own."""
    match (made, old):
        case ([cst.SimpleStatementLine() as new], cst.SimpleStatementLine()):
            if new.trailing_whitespace.comment is None:
                return [new.with_changes(trailing_whitespace=old.trailing_whitespace)]
    return made


@dataclass(frozen=True)
class _Landing:
    """Where a moved statement arrives."""

    field: str
    index: int
    source: Path


def _at(module: cst.Module, path: Path) -> Any:
    """The statement at a path, which must not share its line with another."""
    node: Any = module
    for name, index in path:
        body = getattr(node, name)
        if isinstance(body, cst.If):  # an `elif`
            node = body
            continue
        while not isinstance(body, (list, tuple)):
            body = body.body
        if any(len(one.body) > 1 for one in body if isinstance(one, cst.SimpleStatementLine)):
            raise ops.CannotRewriteError(Reason.of("engine.several-beside-move"))
        node = body[index]
    return node


def _below(path: Path, base: Path) -> bool:
    return len(path) > len(base) and path[: len(base)] == base
