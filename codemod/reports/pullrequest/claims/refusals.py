"""Which runs were refused by a check that the change itself brings: they failed on purpose."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemod.base.changeset import ChangeSet, FileChange
from codemod.base.files.line_diff import added_lines
from codemod.code.module import Module, parse
from codemod.reports.pullrequest.claims.cited_evidence import CitedRun

# What a text of a check has in the place of a value.
_PLACE = re.compile(r"\{[^{}]*\}")
_FAILED = "judging.static-fails"


def refusals(change_set: ChangeSet) -> tuple[re.Pattern[str], ...]:
    """The texts of the errors that lines of the change raise, as patterns with values left open."""
    return tuple(
        re.compile(".*".join(map(re.escape, _PLACE.split(text))))
        for change in change_set.changes
        for text in _raised(change)
    )


def is_refused(row: CitedRun, texts: tuple[re.Pattern[str], ...]) -> bool:
    """Whether static training ended in one of these errors."""
    errors = (str(said["last"]) for said in row.said if said.code == _FAILED)
    return any(text.search(error) for error in errors for text in texts)


def _raised(change: FileChange) -> Iterator[str]:
    module = parse(change.path, change.new) if change.path.endswith(".py") else None
    if not isinstance(module, Module):
        return
    new = added_lines(change.old, change.new)
    for node in (statement.node for scope in module.scopes for statement in scope.statements):
        if node.lineno in new and isinstance(node, (ast.Raise, ast.Assert)):
            told = node.exc if isinstance(node, ast.Raise) else node.msg
            yield from _texts(told)


def _texts(told: ast.expr | None) -> Iterator[str]:
    """The texts in what is raised, the values of an f-string as places."""
    if isinstance(told, ast.JoinedStr):
        yield "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in told.values)
    elif isinstance(told, ast.Constant) and isinstance(told.value, str):
        yield told.value
    elif isinstance(told, ast.Call):
        # `Error(text)`, and `text.format(values)`.
        owner = told.func.value if isinstance(told.func, ast.Attribute) else None
        for part in (owner, *told.args):
            yield from _texts(part)
