"""Copies of a net that was hooked before: Paddle 2.6 makes both dynamic again.

The net is followed under its local names, and into the functions and methods that have it after the
hook: an export in the middle of training copies it there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from codemod.audit.findings import Finding
from codemod.audit.kinds import finding
from codemod.base.changeset import ChangeSet, Hook, Status
from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, callee, dotted, handed
from codemod.code.project import Project
from codemod.code.sites import COPIES, assigned, group
from codemod.engine.assignments import assignments, given

_DEEPEST = 3
_INNER = ("_layers",)  # where a wrapper keeps the net


@dataclass(frozen=True)
class _View:
    """A function that has the net, and the names under which it has it below a line."""

    module: Module
    scope: Scope
    names: frozenset[str]
    below: int = 0

    def calls(self) -> Iterator[tuple[int, ast.Call]]:
        """The calls below the line, each with the line of its statement."""
        for statement in self.scope.statements:
            for call in statement.calls if statement.node.lineno > self.below else ():
                yield statement.node.lineno, call


@dataclass(frozen=True)
class HookedScope:
    """A hook that stands, with its file and scope as the project has them."""

    hook: Hook
    module: Module
    scope: Scope
    line: int

    @property
    def names(self) -> frozenset[str]:
        """The names of the net in the scope."""
        return group(self.scope, self.hook.target)


def standing(project: Project, change_set: ChangeSet) -> Iterator[HookedScope]:
    """The hooks of the kit's own, where their files are as they say."""
    for hook in change_set.hooks:
        module, scope = hooked_in(project, hook)
        if module and scope and hook.status is Status.PRESENT and hook.line is not None:
            yield HookedScope(hook, module, scope, hook.line)


def copied(project: Project, change_set: ChangeSet) -> Iterator[Finding]:
    """Copies after a hook, unless the net is hooked again, or has its forward put back."""
    hooks = [hook for hook in change_set.hooks if hook.status is Status.PRESENT]
    told: set[tuple[str, int, str]] = set()
    for one in standing(project, change_set):
        for view, line in _found(project, one):
            path, target = view.module.path, one.hook.target
            place = (path, view.scope.name, target)
            below = (other for other in hooks if (other.line or 0) > line)
            again = any((other.file, other.scope, other.target) == place for other in below)
            if not again and not _put_back(view, line) and (path, line, target) not in told:
                told.add((path, line, target))
                yield _finding(one.hook, path, line)


def _found(project: Project, hooked: HookedScope) -> Iterator[tuple[_View, int]]:
    for view in _views(project, hooked):
        for line, call in view.calls():
            if _copies(view, call) and _deep(project, view.module, call):
                yield view, line


def _put_back(view: _View, line: int) -> bool:
    """Whether a `forward` is assigned below the copy: `net.forward = static`."""
    below = (one for one in view.scope.statements if one.node.lineno > line)
    return any(target.endswith(".forward") for one in below for target in assigned(one.node)[0])


def hooked_in(project: Project, hook: Hook) -> tuple[Module, Scope] | tuple[None, None]:
    """The file and the scope of a hook, as the project has them."""
    module = project.module(hook.file)
    scope = module.scope(hook.scope) if module else None
    return (module, scope) if module and scope else (None, None)


def _views(project: Project, hooked: HookedScope) -> Iterator[_View]:
    """The functions that have the net after it was hooked, the hook's own first."""
    scope = hooked.scope
    start = _View(hooked.module, scope, _held(scope, hooked.names), hooked.line)
    waiting = [(start, 0), *((view, 0) for view in _methods(project, start))]
    seen: set[tuple[str, str]] = set()
    while waiting:
        view, depth = waiting.pop(0)
        key = (view.module.path, view.scope.name)
        if key in seen:
            continue
        seen.add(key)
        yield view
        if depth < _DEEPEST:
            entered = (_entered(project, view, call) for _, call in view.calls())
            waiting += [(one, depth + 1) for one in entered if one is not None]


def _methods(project: Project, start: _View) -> Iterator[_View]:
    """Other methods that have the net as an attribute, and that run after the hook.

    Where a constructor hooks, that is every other one; else those that another class calls, as
    callbacks do while the net trains.
    """
    shared = _shared(start.names)
    if start.scope.owner is None or not shared:
        return
    constructs = start.scope.function == "__init__"
    for method in start.module.methods(start.scope.owner):
        if method is start.scope or method.function == "__init__":
            continue
        view = _View(start.module, method, _held(method, shared))
        copies = any(_copies(view, call) for _, call in view.calls())
        if constructs or (copies and _called_back(project, start.module, method)):
            yield view


def _called_back(project: Project, module: Module, method: Scope) -> bool:
    """Whether a method of another class in the same package calls `….method(`."""
    package = module.path.split("/")[0]
    called = re.compile(rf"\.{re.escape(method.function)}$")
    for path in project.mentioning(f".{method.function}("):
        other = project.module(path) if path.split("/")[0] == package else None
        for scope in other.scopes if other else ():
            if scope.owner not in (None, method.owner) and any(
                called.search(name) and name.count(".") > 1 for name in scope.called
            ):
                return True
    return False


def _entered(project: Project, view: _View, call: ast.Call) -> _View | None:
    """The function that a call enters, where it has the net there."""
    name = dotted(call.func) or ""
    owner = view.scope.owner
    method = name.startswith("self.") and name.count(".") == 1 and owner is not None
    if method and owner is not None:
        methods = (m for m in view.module.methods(owner) if m.function == name[5:])
        module, scope = view.module, next(methods, None)
    else:
        found = project.definition(view.module, name) if name else None
        if found is None or not isinstance(found[1], (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        module, scope = found[0], project.scope_of(*found)
    if scope is None:
        return None
    values = given(call, scope.parameters[1:] if method else scope.parameters)
    nets = frozenset(name for name, value in values.items() if _is_net(value, view.names))
    names = nets | _shared(view.names) if method else nets
    # `if net is None: net = self.model` does not run where the call hands over another net.
    return _View(module, scope, _held(scope, names, values.keys() - nets)) if names else None


def _shared(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name in names if name.startswith("self."))


def _held(
    scope: Scope, names: frozenset[str], others: AbstractSet[str] = frozenset()
) -> frozenset[str]:
    """All names that may mean the net in a scope; `others` are known to mean something else."""
    while True:
        more = set(names).union(*(group(scope, name) for name in names))
        for _, targets, value in assignments(scope):
            more.update(targets if _is_net(value, names) else ())
        more -= others
        if more == names:
            return names
        names = frozenset(more)


def _is_net(value: ast.expr, names: frozenset[str]) -> bool:
    """Whether a value may be the net, or holds it: a name, a wrapper, a choice, a list of nets."""
    if isinstance(value, ast.IfExp):
        return _is_net(value.body, names) or _is_net(value.orelse, names)
    if isinstance(value, ast.BoolOp):
        return any(_is_net(part, names) for part in value.values)
    if isinstance(value, ast.Attribute) and value.attr in _INNER:
        return _is_net(value.value, names)
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return any(_is_net(part, names) for part in value.elts)
    if isinstance(value, ast.Dict):
        return any(_is_net(part, names) for part in value.values)
    return dotted(value) in names


def _copies(view: _View, call: ast.Call) -> bool:
    """Whether a call copies the net; `from copy import deepcopy as dc` has another name."""
    name = callee(call)
    meant = view.module.imports.get(name, name) if isinstance(call.func, ast.Name) else name
    copies = COPIES.match(name) or COPIES.match(meant.rpartition(".")[2])
    return bool(copies) and any(_is_net(value, view.names) for value in handed(call))


def _deep(project: Project, module: Module, call: ast.Call) -> bool:
    """Whether it may be a deepcopy: a class of the kit whose file has none copies weights alone."""
    found = project.definition(module, dotted(call.func) or "")
    return found is None or b"deepcopy" in project.tree.read(found[0].path)


def _finding(hook: Hook, path: str, line: int) -> Finding:
    why = Reason.of("findings.copied", target=hook.target, hook=f"{hook.file}:{hook.line}")
    return finding("copy-after-hook", path, line, why, Reason.of("findings.hook-after-copy"))
