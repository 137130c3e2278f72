"""The statements that a change rewrites, and which of them were executed."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from codemod.base.changeset import ChangeSet
from codemod.base.files.line_diff import added_lines
from codemod.base.grouping import grouped
from codemod.code.traversal import walk

# These leave nothing to execute.
_SILENT = (ast.Global, ast.Nonlocal, ast.Pass)


def unexecuted(
    change: ChangeSet,
    executed: Collection[tuple[str, int]],
    partly: Collection[tuple[str, int]] = (),
) -> tuple[str, ...]:
    """The statements within functions that the change rewrites and that were not executed whole.

    `executed` are (path, line) in the changed files, `partly` those lines of which something was
    not: of a condition within a statement both sides must have been. Each is told as `FILE:LINE`.
    """
    found = []
    all_done, all_left = grouped(executed), grouped(partly)
    for one in change.changes:
        done, left = set(all_done.get(one.path, ())), set(all_left.get(one.path, ()))
        for first, last, branches in _rewritten(one.old, one.new):
            lines = set(range(first, last + 1))
            if not lines & done or (branches and lines & left):
                found.append(f"{one.path}:{first}")
    return tuple(found)


def rewritten_lines(change: ChangeSet) -> dict[str, frozenset[int]]:
    """The lines of those statements by path, in the files as they become."""
    return {
        one.path: frozenset(
            line
            for first, last, _ in _rewritten(one.old, one.new)
            for line in range(first, last + 1)
        )
        for one in change.changes
    }


def rewritten_only_by(whole: ChangeSet, others: ChangeSet) -> frozenset[str]:
    """The statements that `whole` rewrites and `others` do not, as `unexecuted` tells them.

    `others` is the change that is left of `whole` when a part of it is not made.
    """
    left = {one.path: one.new for one in others.changes}
    return frozenset(
        f"{one.path}:{first}"
        for one in whole.changes
        for first, _, _ in _rewritten(left.get(one.path, one.old), one.new)
    )


# A change is asked about for each run that may have executed it.
@lru_cache(1024)
def _rewritten(old: bytes, new: bytes) -> tuple[tuple[int, int, bool], ...]:
    """Each statement in a function that is not as it was.

    First and last line, from 1, and whether it holds a condition (`a if b else c`, `and`, `or`).
    """
    try:
        tree = ast.parse(new)
    except (SyntaxError, ValueError):
        return ()
    changed = added_lines(old, new)
    functions = (n for n in walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
    statements = {span for function in functions for span in _spans(function.body)}
    return tuple(sorted(s for s in statements if changed.intersection(range(s[0], s[1] + 1))))


def _spans(body: list[ast.stmt]) -> Iterator[tuple[int, int, bool]]:
    """The lines of each statement, of a compound one those of its head."""
    for statement in body:
        inner = [part for part in ast.iter_child_nodes(statement) if isinstance(part, ast.stmt)]
        if _speaks(statement):
            last = min((p.lineno - 1 for p in inner), default=statement.end_lineno or 0)
            nodes = () if inner else walk(statement)
            branches = any(isinstance(node, (ast.IfExp, ast.BoolOp)) for node in nodes)
            yield statement.lineno, max(statement.lineno, last), branches
        yield from _spans(inner)
        for part in ast.iter_child_nodes(statement):
            if isinstance(part, ast.ExceptHandler):
                yield from _spans(part.body)


def _speaks(statement: ast.stmt) -> bool:
    """Whether something is executed of it: no docstring, no declaration."""
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return not constant and not isinstance(statement, _SILENT)
