"""Nets that are hooked twice, and specs with more arguments than the loop passes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.audit.copies import standing
from codemod.audit.findings import Finding
from codemod.audit.kinds import finding
from codemod.base.changeset import ChangeSet, Hook, Status
from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, by_name, callee, dotted, handed, spreads
from codemod.code.project import Project

_DEEPEST = 4


def redecorated(project: Project, change_set: ChangeSet) -> Iterator[Finding]:
    """Hooked nets that are handed to a class whose constructor hooks them again."""
    constructors = {
        (hook.file, hook.scope.rpartition(".")[0]): hook
        for hook in change_set.hooks
        if hook.status is Status.PRESENT and hook.scope.endswith(".__init__")
    }
    for one in standing(project, change_set):
        hook, names = one.hook, one.names
        for call in one.scope.calls:
            if call.lineno > one.line and any(dotted(value) in names for value in handed(call)):
                again = _constructor(project, one.module, dotted(call.func), constructors)
                if again is not None and again is not hook:
                    why = Reason.of(
                        "findings.hooked-twice",
                        target=hook.target,
                        line=one.line,
                        callee=callee(call),
                        again=f"{again.file}:{again.line}",
                    )
                    once = Reason.of("findings.hook-once")
                    yield finding("hooked-twice", hook.file, call.lineno, why, once)


def _constructor(
    project: Project,
    module: Module,
    name: str | None,
    constructors: dict[tuple[str, str], Hook],
    depth: int = 0,
) -> Hook | None:
    """The hook in the constructor of a class or of one that it inherits from."""
    found = project.definition(module, name) if name else None
    if found is None or depth > _DEEPEST:
        return None
    home, node = found
    if not isinstance(node, ast.ClassDef):
        return None
    above = (_constructor(project, home, dotted(b), constructors, depth + 1) for b in node.bases)
    return constructors.get((home.path, node.name)) or next(filter(None, above), None)


def wrong_length(project: Project, change_set: ChangeSet) -> Iterator[Finding]:
    """Specs written out in the call that name more arguments than a call in the loop passes."""
    for one in standing(project, change_set):
        scope, names = one.scope, one.names
        length = _spec_length(scope, one.line)
        if length is None:
            continue
        shared = frozenset(name for name in names if name.startswith("self."))
        others = one.module.methods(scope.owner) if scope.owner and shared else ()
        for where in (scope, *others):
            here = names if where is scope else shared
            yield from _short_calls(one.hook, where, here, length)


def _short_calls(hook: Hook, scope: Scope, names: frozenset[str], length: int) -> Iterator[Finding]:
    for call in scope.calls:
        if dotted(call.func) not in names or spreads(call):
            continue
        fed = len(call.args) + len(call.keywords)
        if fed < length:
            name, line = dotted(call.func) or "", hook.line or 0
            why = Reason.of("findings.spec-length", callee=name, fed=fed, line=line, length=length)
            derive = Reason.of("findings.derive-spec")
            yield finding("spec-length", hook.file, call.lineno, why, derive)


def _spec_length(scope: Scope, line: int) -> int | None:
    """How many arguments the spec of the hook at a line names; None where it is built."""
    for call in scope.calls:
        if callee(call) != "to_static" or not call.lineno <= line <= (call.end_lineno or line):
            continue
        value = by_name(call, "input_spec")
        if isinstance(value, ast.List):
            return _required(value)
    return None


def _required(value: ast.List) -> int:
    """The length without the Nones at its end, which any call satisfies."""
    items = list(value.elts)
    while items and isinstance(items[-1], ast.Constant):
        items.pop()
    return len(items)
