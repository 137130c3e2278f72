"""Copies of a net that was hooked before: Paddle 2.6 makes both dynamic again."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.audit.findings import Finding, Level
from codemod.base.changeset import Status
from codemod.code.module import callee, dotted
from codemod.code.sites import COPIES, Kind, find, group, passes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.base.changeset import ChangeSet, Hook
    from codemod.code.module import Module, Scope
    from codemod.code.project import Project


def copied(project: Project, change_set: ChangeSet) -> Iterator[Finding]:
    """Copies after a hook, unless the net is hooked again after the copy."""
    hooks = [hook for hook in change_set.hooks if hook.status is Status.PRESENT]
    for hook in hooks:
        module = project.module(hook.file)
        scope = module.scope(hook.scope) if module else None
        if module is None or scope is None or hook.line is None:
            continue
        for where, line in _copies(project, module, scope, hook):
            if not any(_again(other, hook, where, line) for other in hooks):
                yield _finding(hook, line)


def _again(other: Hook, hook: Hook, where: Scope, line: int) -> bool:
    same = (other.file, other.scope, other.target) == (hook.file, where.name, hook.target)
    return same and (other.line or 0) > line


def _copies(
    project: Project, module: Module, scope: Scope, hook: Hook
) -> Iterator[tuple[Scope, int]]:
    """In the hook's scope after it, and, as a constructor runs first, in its other methods."""
    names = group(scope, hook.target)
    for line in _lines(project, module, scope, names):
        if hook.line is not None and line > hook.line:
            yield scope, line
    if scope.owner is None or scope.function != "__init__":
        return
    shared = frozenset(name for name in names if name.startswith("self."))
    for method in module.methods(scope.owner) if shared else ():
        if method is not scope:
            for line in _lines(project, module, method, shared):
                yield method, line


def _lines(project: Project, module: Module, scope: Scope, names: frozenset[str]) -> Iterator[int]:
    for site in find(scope, names):
        if site.kind is Kind.COPY and site.statement:
            node = site.statement.node
            calls = [n for n in ast.walk(node) if isinstance(n, ast.Call) and passes(n, names)]
            if any(_deep(project, module, c) for c in calls if COPIES.match(callee(c))):
                yield node.lineno


def _deep(project: Project, module: Module, call: ast.Call) -> bool:
    """Whether it may be a deepcopy: a class of the kit whose file has none copies weights alone."""
    found = project.definition(module, dotted(call.func) or "")
    return found is None or b"deepcopy" in project.tree.read(found[0].path)


def _finding(hook: Hook, line: int) -> Finding:
    return Finding(
        "copy-after-hook",
        Level.WARNING,
        hook.file,
        line,
        f"{hook.target} is copied after it was hooked at {hook.file}:{hook.line}: where that is "
        "a deepcopy, Paddle 2.6 turns the original and the copy back to dynamic, silently.",
        "Hook after the copy.",
    )
