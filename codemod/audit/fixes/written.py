"""Fixes as they are written: with a comment where a copy needs one, no line longer than the kit's.

Proofs are made of the bare code. What is added here leaves the syntax tree as it is, so that they
hold for what is written; a line or comment that would not is left out.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace

from codemod.audit.fixes.change import change_of
from codemod.audit.fixes.find import Fix
from codemod.audit.fixes.long_lines import broken
from codemod.base.changeset import ChangeSet, Edit, FileChange, Source
from codemod.base.patch.hunks import Hunk, counts, hunks_of, split_lines
from codemod.code.module import Module, parse
from codemod.code.tree import Tree
from codemod.engine.rewrite.layout import Width, width_of
from codemod.engine.rewrite.ops import Insert, Op


def written_change(source: Source, tree: Tree, fixes: Iterable[Fix]) -> ChangeSet:
    """The change that these fixes make together, as a maintainer reads it."""
    fixes = tuple(fixes)
    bare = change_of(source, tree, fixes)
    changes = tuple(_written(tree, change, fixes) for change in bare.changes)
    edits = list(bare.edits)
    for change, was in zip(changes, bare.changes, strict=True):
        _count(edits, change, was)
    return replace(bare, changes=changes, edits=tuple(edits))


def _written(tree: Tree, change: FileChange, fixes: Sequence[Fix]) -> FileChange:
    module = parse(change.path, change.old)
    if not isinstance(module, Module):
        return change
    width = width_of(tree, module)
    told = _commented(change, [fix for fix in fixes if fix.file == change.path], width)
    return _fitted(told, width)


def _commented(change: FileChange, fixes: Sequence[Fix], width: Width) -> FileChange:
    """The change with the remedies' comments above the first line that each rewrites."""
    whole, hunks = ast.parse(change.old), hunks_of(change)
    places: dict[int, dict[str, None]] = {}
    seen: set[tuple[int, int, str]] = set()
    for fix in fixes:
        for op in fix.ops if fix.remedy.comment else ():
            first, last = _lines_of(op, whole)
            line = next((n for hunk in hunks if (n := _new_line(hunk, first, last)) >= 0), -1)
            once = (first, last, fix.remedy.comment)
            if line >= 0 and once not in seen:
                seen.add(once)
                places.setdefault(line, {})[fix.remedy.comment] = None
    for line in sorted(places, reverse=True):
        change = _if_same(change, line, 0, _above(change, line, places[line], width))
    return change


def _lines_of(op: Op, whole: ast.Module) -> tuple[int, int]:
    """The lines (from 0, the end left out) of what an operation rewrites, or inserts behind."""
    action, node = op.action, whole
    path = action.owner
    if isinstance(action, Insert):
        path = (*action.owner, (action.field, action.index - 1))
    for field, index in path:
        node = getattr(node, field)[index]
    found = node.__dict__
    return found["lineno"] - 1, found["end_lineno"] + isinstance(action, Insert)


def _new_line(hunk: Hunk, first: int, last: int) -> int:
    """The first line (from 0) of those that a hunk brings, where it stands between old lines."""
    if not (first <= hunk.start < last or first < hunk.stop <= last):
        return -1
    brought = (n for n, line in enumerate(hunk.new) if line not in hunk.old)
    return hunk.new_start + next(brought, 0)


def _above(change: FileChange, line: int, comments: Iterable[str], width: Width) -> list[bytes]:
    """The comments, indented and ended as the line that they stand above."""
    below = split_lines(change.new)[line]
    indent = below[: len(below) - len(below.lstrip(b" \t"))]
    end = b"\r\n" if below.endswith(b"\r\n") else b"\n"
    room = width.columns - len(indent.expandtabs(4)) - len("# ")
    rows = (row for text in comments for row in textwrap.wrap(text, room))
    return [indent + b"# " + row.encode() + end for row in rows]


def _fitted(change: FileChange, width: Width) -> FileChange:
    """The change with each line broken that it brings and that is too long."""
    for hunk in reversed(hunks_of(change)):
        for number in reversed(range(hunk.new_start, hunk.new_stop)):
            line = split_lines(change.new)[number]
            if line not in hunk.old and (parts := broken(line, width)):
                change = _if_same(change, number, 1, parts)
    return change


def _if_same(change: FileChange, at: int, gone: int, lines: Sequence[bytes]) -> FileChange:
    """The change with other lines in the new file, where its syntax tree stays the same."""
    now = split_lines(change.new)
    made = b"".join([*now[:at], *lines, *now[at + gone :]])
    try:
        same = ast.dump(ast.parse(made)) == ast.dump(ast.parse(change.new))
    except SyntaxError:
        same = False
    return FileChange(change.path, change.old, made) if same else change


def _count(edits: list[Edit], change: FileChange, was: FileChange) -> None:
    """Give the file's first edit the lines that comments and breaks add to the bare change."""
    added, removed = (
        now - then
        for now, then in zip(counts(hunks_of(change)), counts(hunks_of(was)), strict=True)
    )
    index = next(i for i, edit in enumerate(edits) if edit.file == change.path)
    first = edits[index]
    edits[index] = replace(
        first, lines_added=first.lines_added + added, lines_removed=first.lines_removed + removed
    )
