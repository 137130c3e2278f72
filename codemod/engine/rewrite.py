"""Carries out operations on a file with LibCST, which keeps every byte outside them.

LibCST is given an outline of the file, see `outline.py`. Only the nodes on the way to an
insertion are rebuilt; no metadata, no visitor. A file that LibCST does not give back byte for
byte, or that does not come out as promised, is refused.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import warnings
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import libcst as cst

from codemod.engine.ops import (
    Action,
    AddArgument,
    AddElements,
    AddParameter,
    Insert,
    Move,
    Op,
    Rename,
    Replace,
)
from codemod.engine.outline import Outline, outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codemod.code.module import Path


class CannotRewriteError(Exception):
    """Why a file is left untouched."""


@dataclass(frozen=True)
class Rewritten:
    """New bytes, the lines added and removed by each operation in their order, and the new tree."""

    new: bytes
    counts: tuple[tuple[int, int], ...]
    tree: ast.Module = field(compare=False, repr=False)


def rewrite(source: bytes, ops: Sequence[Op], tree: ast.Module | None = None) -> Rewritten:
    """The file with the operations carried out; `tree` is its syntax tree where that is known.

    Raises:
        CannotRewriteError: with the reason, when the file must stay as it is.
    """
    if any(isinstance(op.action, Move) for op in ops):
        return rewrite_whole(source, ops)
    cut = outline(source, [op.action for op in ops], tree)
    if cut.runs:
        # Where the outline fails, the whole file decides, and has the better reason.
        with contextlib.suppress(CannotRewriteError):
            return _rewrite(source, cut, ops)
    return rewrite_whole(source, ops)


def rewrite_whole(source: bytes, ops: Sequence[Op]) -> Rewritten:
    """The same with nothing held back from LibCST: slower, and right by LibCST alone.

    Raises:
        CannotRewriteError: with the reason, when the file must stay as it is.
    """
    return _rewrite(source, Outline(source), ops)


def _rewrite(source: bytes, cut: Outline, ops: Sequence[Op]) -> Rewritten:
    try:
        module = cst.parse_module(cut.text)
    except cst.ParserSyntaxError as fault:
        raise CannotRewriteError(f"LibCST cannot parse it: line {fault.raw_line}") from fault
    except (UnicodeDecodeError, LookupError, RecursionError) as fault:
        raise CannotRewriteError(f"LibCST cannot read it: {fault}") from fault
    changed = _Rewriter(module, cut).run([op.action for op in ops])
    try:
        new = cut.restore(changed)
    except ValueError as fault:
        raise CannotRewriteError(str(fault)) from fault
    tree = _parsed(new)
    # Where lines are only added, comparing them shows all that a second printing would.
    if not _only_adds(source, new, ops):
        if module.bytes != cut.text:
            raise CannotRewriteError("LibCST does not give this file back byte for byte")
        if not any(op.reason for op in ops) and not _keeps(source, new):
            raise CannotRewriteError("the result would change lines that are not ours")
    return Rewritten(new, _count(source, new, ops), tree)


class _Rewriter:
    def __init__(self, module: cst.Module, cut: Outline) -> None:
        self.module = module
        self.cut = cut
        self.actions: dict[Path, list[Action | _Landing]] = defaultdict(list)
        self.prefixes: set[Path] = set()
        self.moved: dict[Path, Any] = {}

    def run(self, actions: Sequence[Action]) -> bytes:
        for action in actions:
            self._take(action.owner, action)
            if isinstance(action, Move):
                self._take(action.into, _Landing(action.field, action.index, action.owner))
                self.moved[action.owner] = _at(self.module, action.owner)
        new: cst.Module = self._compound(self.module, ())
        return new.bytes

    def _take(self, owner: Path, action: Action | _Landing) -> None:
        self.actions[owner].append(action)
        for depth in range(len(owner) + 1):
            self.prefixes.add(owner[:depth])

    def _written(self, insert: Insert | _Landing) -> list[Any]:
        if isinstance(insert, _Landing):
            return [self.moved[insert.source]]
        return self.parse(insert.code)

    def parse(self, code: str) -> list[Any]:
        """Statements in the file's own indentation and line ends."""
        indent = self.module.default_indent
        lines = []
        for line in code.splitlines():
            bare = line.lstrip(" ")
            lines.append(indent * ((len(line) - len(bare)) // 4) + bare)
        text = self.module.default_newline.join([*lines, ""])
        try:
            return list(cst.parse_module(text, config=self.module.config_for_parsing).body)
        except ValueError as fault:
            raise CannotRewriteError(f"LibCST cannot write in its indentation: {fault}") from fault

    def _compound(self, node: Any, path: Path) -> Any:
        """A node with blocks: a module, or a compound statement."""
        inserts = [a for a in self.actions[path] if isinstance(a, (Insert, _Landing))]
        fields = {p[len(path)][0] for p in self.prefixes if _below(p, path)}
        fields |= {insert.field for insert in inserts}
        for name in sorted(fields):
            mine = [insert for insert in inserts if insert.field == name]
            node = self._field(node, path, name, mine)
        for action in self.actions[path]:
            if isinstance(action, AddParameter):
                node = _with_parameter(node, action)
        return node

    def _field(self, node: Any, path: Path, name: str, inserts: list[Insert | _Landing]) -> Any:
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
                raise CannotRewriteError("nothing can stand between an `if` and its `elif`")
            return node.with_changes(orelse=self._compound(node.orelse, (*path, (name, 0))))
        holder = getattr(node, name, None)
        if holder is None:
            raise CannotRewriteError(f"no block {name!r} where one was expected")
        body = self._suite(holder.body, path, name, inserts)
        return node.with_changes(**{name: holder.with_changes(body=body)})

    def _suite(self, suite: Any, path: Path, name: str, inserts: list[Insert | _Landing]) -> Any:
        if not isinstance(suite, cst.IndentedBlock):
            raise CannotRewriteError("the block stands on the line of its header")
        return suite.with_changes(body=self._statements(suite.body, path, name, inserts))

    def _statements(
        self, body: Sequence[Any], path: Path, name: str, inserts: list[Insert | _Landing]
    ) -> list[Any]:
        """A line may hold several statements; an insertion never splits it."""
        at: dict[int, list[Insert | _Landing]] = defaultdict(list)
        for insert in inserts:
            at[insert.index].append(insert)
        result: list[Any] = []
        index = 0
        for node in body:
            for insert in at.pop(index, []):
                result.extend(self._written(insert))
            width = self._width(node)
            result.extend(self._statement(node, path, name, index, width))
            for inner in range(index + 1, index + width):
                at[index + width] = at.pop(inner, []) + at[index + width]
            index += width
        for insert in at.pop(index, []):
            result.extend(self._written(insert))
        if any(at.values()):
            raise CannotRewriteError("a position lies outside its block")
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
            if isinstance(action, Replace):
                made = self.parse(action.code)
                if not made:
                    return []
                made[0] = made[0].with_changes(leading_lines=node.leading_lines)
                return made
            if isinstance(action, Move):
                return []
            if isinstance(action, AddArgument):
                node = _with_argument(self.module, node, action)
            if isinstance(action, AddElements):
                node = _with_elements(node, action)
            if isinstance(action, Rename):
                node = node.visit(_Reread(self.module, action))
        return [node if isinstance(node, cst.SimpleStatementLine) else self._compound(node, step)]


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
            raise CannotRewriteError("several statements stand on one line beside what moves")
        node = body[index]
    return node


def _below(path: Path, base: Path) -> bool:
    return len(path) > len(base) and path[: len(base)] == base


def _with_parameter(node: Any, action: AddParameter) -> Any:
    """The new parameter comes last, so that callers by position keep their meaning."""
    if not isinstance(node, cst.FunctionDef):
        raise CannotRewriteError("a parameter can be added to a function only")
    params = node.params
    made = cst.Param(
        name=cst.Name(action.name),
        default=cst.parse_expression(action.default),
        equal=cst.AssignEqual(
            whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace("")
        ),
    )
    keyword_only = isinstance(params.star_arg, (cst.ParamStar, cst.Param))
    name = "kwonly_params" if keyword_only else "params"
    old = list(getattr(params, name))
    if old:
        last = old[-1]
        made = made.with_changes(
            comma=last.comma, whitespace_after_param=last.whitespace_after_param
        )
        comma = _separator(old) or cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        old[-1] = last.with_changes(comma=comma, whitespace_after_param=cst.SimpleWhitespace(""))
    return node.with_changes(params=params.with_changes(**{name: [*old, made]}))


def _separator(items: Sequence[Any]) -> Any:
    """How the neighbours are set apart: on one line, or each on its own."""
    for item in reversed(items[:-1]):
        if isinstance(item.comma, cst.Comma):
            return item.comma
    return None


class _AddToCall(cst.CSTTransformer):
    def __init__(self, module: cst.Module, action: AddArgument) -> None:
        self.module = module
        self.action = action
        self.found = 0

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:  # noqa: N802
        return False

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        if self.module.code_for_node(original_node.func) != self.action.callee:
            return updated_node
        self.found += 1
        return updated_node.with_changes(args=_with_keyword(updated_node.args, self.action))


class _Reread(cst.CSTTransformer):
    def __init__(self, module: cst.Module, action: Rename) -> None:
        self.module = module
        self.action = action

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:  # noqa: N802
        return False

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        left = super().on_leave(original_node, updated_node)
        if not isinstance(original_node, cst.BaseExpression):
            return left
        same = self.module.code_for_node(original_node) == self.action.old
        return cst.parse_expression(self.action.new) if same else left


def _with_argument(module: cst.Module, node: Any, action: AddArgument) -> Any:
    visitor = _AddToCall(module, action)
    node = node.visit(visitor)
    if visitor.found != 1:
        raise CannotRewriteError(f"{action.callee}(...) is called {visitor.found} times there")
    return node


def _with_elements(node: Any, action: AddElements) -> Any:
    """More elements, set apart as the list's last two are."""
    small: Any = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
    value = getattr(small, "value", None)
    if not isinstance(value, (cst.List, cst.Tuple)) or not value.elements:
        raise CannotRewriteError("elements can be added to a list or tuple only")
    old = list(value.elements)
    comma = _separator(old) or cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    made = [cst.Element(cst.parse_expression(text), comma=comma) for text in action.elements]
    made[-1] = made[-1].with_changes(comma=old[-1].comma)
    old[-1] = old[-1].with_changes(comma=comma)
    return node.with_changes(
        body=[small.with_changes(value=value.with_changes(elements=[*old, *made]))]
    )


def _with_keyword(args: Sequence[cst.Arg], action: AddArgument) -> list[cst.Arg]:
    made = cst.Arg(
        keyword=cst.Name(action.name),
        value=cst.parse_expression(action.value),
        equal=cst.AssignEqual(
            whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace("")
        ),
    )
    old = list(args)
    separator = _separator(old) or cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    if old and old[-1].keyword is not None:
        return [*old[:-1], made.with_changes(comma=separator), old[-1]]
    if old and old[-1].star == "**":
        return [*old[:-1], made.with_changes(comma=separator), old[-1]]
    if old:
        last = old[-1]
        made = made.with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
        empty = cst.SimpleWhitespace("")
        old[-1] = last.with_changes(comma=separator, whitespace_after_arg=empty)
    return [*old, made]


def _parsed(new: bytes) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(new)
    except SyntaxError as fault:
        raise CannotRewriteError(f"the result would not parse: line {fault.lineno}") from fault


def _only_adds(old: bytes, new: bytes, ops: Sequence[Op]) -> bool:
    """Whether the new file is the old one and the inserted lines, nothing else."""
    inserts = [op.action for op in ops if isinstance(op.action, Insert)]
    added = sum(len(insert.code.splitlines()) for insert in inserts)
    exact = len(new.splitlines()) == len(old.splitlines()) + added
    return len(inserts) == len(ops) and exact and _keeps(old, new)


def _keeps(old: bytes, new: bytes) -> bool:
    """Whether every old line is in the new file, in order."""
    lines = iter(new.splitlines(keepends=True))
    return all(line in lines for line in old.splitlines(keepends=True))


def _count(old: bytes, new: bytes, ops: Sequence[Op]) -> tuple[tuple[int, int], ...]:
    """Lines added and removed by each operation.

    An insertion's lines are known; what the whole file has beyond them belongs to the
    operations that touch a line of the kit's, shared out in order.
    """
    known = [
        len(op.action.code.splitlines()) if isinstance(op.action, Insert) else -1 for op in ops
    ]
    if -1 not in known:
        return tuple((lines, 0) for lines in known)
    before, after = old.splitlines(), new.splitlines()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    removed = len(before) - same
    added = len(after) - same - sum(lines for lines in known if lines > 0)
    touching = known.count(-1)
    counts = []
    for lines in known:
        if lines >= 0:
            counts.append((lines, 0))
            continue
        share = (-(-added // touching), -(-removed // touching))
        counts.append(share)
        added, removed, touching = added - share[0], removed - share[1], touching - 1
    return tuple(counts)
