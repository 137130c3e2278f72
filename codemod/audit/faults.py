"""What is wrong with existing hooks, and which hooks are missing."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from codemod.audit.copies import HookedScope, copied, hooked_in, standing
from codemod.audit.findings import CONFIG_BLOCKED, HOOK_FAULTY, Finding, Level
from codemod.audit.kinds import finding
from codemod.audit.reach import Reach
from codemod.audit.tipc_claims import audit_tipc
from codemod.base.changeset import ChangeSet, Hook, Status
from codemod.base.patch.hunks import hunks_of, old_line
from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, Statement, by_name, callee, dotted, handed, spreads
from codemod.code.project import ClassInModule, Project, project_of
from codemod.code.sites import Kind, assigned, find, passes
from codemod.code.tree import Tree
from codemod.kits.config_rule import Configs

# In an option's declaration; asked of the text, since few of the files that name a switch hold it.
_BOOL = re.compile(rb"type\s*=\s*bool\b")


def audit(
    tree: Tree, change_set: ChangeSet, reach: tuple[Reach, ...], *, strict: bool = False
) -> tuple[Finding, ...]:
    """All findings, the weightiest first; `strict` counts what the kit's rule refuses, too."""
    project = project_of(tree)
    change_set = _as_it_stands(change_set)
    found = [
        *_missing(project, change_set),
        *_wrapped_before(project, change_set),
        *copied(project, change_set),
        *_flags(project),
        *_configs(row for row in reach if strict or not row.refused),
        *decorated(project),
        *redecorated(project, change_set),
        *wrong_length(project, change_set),
        *_own(change_set),
        *audit_tipc(project, change_set, reach),
    ]
    found = [fault for fault in found if fault.id != HOOK_FAULTY or _alone(fault, found)]
    order = list(Level)
    return tuple(sorted(found, key=lambda f: (order.index(f.level), f.id, f.file, f.line or 0)))


def wrapped_before(project: Project, change_set: ChangeSet) -> Iterator[Finding]:
    """The hooks of the kit that stand behind the wrap of their model."""
    yield from _wrapped_before(project, _as_it_stands(change_set))


def _own(change_set: ChangeSet) -> Iterator[Finding]:
    """What the rule of the kit mends: a switch that is overwritten, one that is on for `false`."""
    for fault in change_set.kit_faults:
        why = Reason.of("findings.own-fault", why=fault.why)
        yield finding(HOOK_FAULTY, fault.file, fault.line, why, Reason.of("findings.apply-mends"))


def _alone(fault: Finding, found: list[Finding]) -> bool:
    """Whether no finding of a more exact kind stands at the same line."""
    place = (fault.file, fault.line)
    return all((one.file, one.line) != place for one in found if one.id != HOOK_FAULTY)


def _as_it_stands(change_set: ChangeSet) -> ChangeSet:
    """The same hooks with the lines of the files as they are, not as a change would leave them.

    A hook that is moved is both: the one that exists, and the place that it leaves out.
    """
    hunks = {change.path: hunks_of(change) for change in change_set.changes}
    hooks = tuple(
        replace(hook, line=old_line(hunks.get(hook.file, ()), hook.line)) if hook.line else hook
        for hook in change_set.hooks
    )
    moved = tuple(
        replace(hook, status=Status.PRESENT, line=hook.moved_from)
        for hook in change_set.hooks
        if hook.moved_from is not None
    )
    return replace(change_set, hooks=(*moved, *hooks))


def _missing(project: Project, change_set: ChangeSet) -> Iterator[Finding]:
    for hook in change_set.hooks:
        if hook.status is Status.INSERTED:
            if _hooks_already(project, change_set, hook):
                why = Reason.of("findings.hooked-in-part", scope=hook.scope, target=hook.target)
                # A rule says what is so with its hook, and so it is not yet.
                advice = Reason.of("findings.after-apply", why=hook.reason)
                yield finding("hooked-in-part", hook.file, hook.line, why, advice)
            else:
                why = Reason.of("findings.not-hooked", scope=hook.scope, target=hook.target)
                advice = Reason.of("findings.apply-inserts")
                yield finding("not-hooked", hook.file, hook.line, why, advice)
        elif hook.status is Status.UNPLACED:
            why = Reason.of(
                "findings.unplaced", scope=hook.scope, target=hook.target, why=hook.reason
            )
            yield finding("unplaced", hook.file, hook.line, why)


def _hooks_already(project: Project, change_set: ChangeSet, hook: Hook) -> bool:
    """Whether the scope has a hook of the target that leaves some cases out."""
    _, scope = hooked_in(project, hook)
    same = (hook.file, hook.scope, hook.target)
    present = (h for h in change_set.hooks if h.status is Status.PRESENT)
    return any((h.file, h.scope, h.target) == same for h in present) or any(
        callee(call) == "to_static" for call in (scope.calls if scope else ())
    )


def _wrapped_before(project: Project, change_set: ChangeSet) -> Iterator[Finding]:
    for one in standing(project, change_set):
        wraps = {
            site.statement
            for site in find(one.scope, one.names)
            if site.kind is Kind.WRAP and site.statement and site.line < one.line
        }
        for line in sorted(statement.node.lineno for statement in wraps):
            yield _after_wrap(one.hook, line, _holds_wrapper(one, wraps))


def _holds_wrapper(hooked: HookedScope, wraps: set[Statement]) -> bool:
    """Whether what the hook is given is the wrapper, in some case at least, not the net inside."""
    statements = hooked.scope.statements
    above = [s for s in statements if s.node.lineno < hooked.line]
    at = next((s for s in statements if _spans(s, hooked.line)), None)
    held: set[str] = set()
    for statement in above:
        targets, value = assigned(statement.node)
        handed = isinstance(value, ast.Call) and passes(value, frozenset(held))
        if statement in wraps or handed or dotted(value) in held:
            held.update(targets)
        elif at is not None and at.path[: len(statement.path) - 1] == statement.path[:-1]:
            held.difference_update(targets)
    return hooked.hook.target in held


def _spans(statement: Statement, line: int) -> bool:
    """Whether a line is within a statement, and in none of its blocks."""
    return any(call.lineno <= line <= (call.end_lineno or 0) for call in statement.calls)


def _after_wrap(hook: Hook, line: int, wrapper: bool) -> Finding:
    if wrapper:
        why = Reason.of("findings.on-wrapper", line=line, target=hook.target)
        return finding("hook-on-wrapper", hook.file, hook.line, why)
    why, advice = (
        Reason.of("findings.after-wrap", line=line),
        Reason.of("findings.hook-before-wrap"),
    )
    return finding("hook-after-wrap", hook.file, hook.line, why, advice)


def _flags(project: Project) -> Iterator[Finding]:
    why, advice = Reason.of("findings.flag-type-bool"), Reason.of("findings.read-the-word")
    for path in project.mentioning("to_static"):
        module = project.module(path) if _BOOL.search(project.tree.read(path)) else None
        for call in (call for scope in (module.scopes if module else ()) for call in scope.calls):
            if callee(call) == "add_argument" and _is_bool_flag(call):
                yield finding("flag-type-bool", path, call.lineno, why, advice)


def _is_bool_flag(call: ast.Call) -> bool:
    texts = [a.value for a in call.args if isinstance(a, ast.Constant) and type(a.value) is str]
    named = any("to_static" in text for text in texts)
    return named and any(k.arg == "type" and dotted(k.value) == "bool" for k in call.keywords)


def _configs(reach: Iterable[Reach]) -> Iterator[Finding]:
    for row in reach:
        if row.before:
            why = Reason.of("findings.config-blocked", model=row.model, why=row.before)
            advice = () if row.after else (Reason.of("findings.apply-fixes"),)
            yield finding(CONFIG_BLOCKED, row.config, None, why, *advice)


def unreadable(configs: Configs, listed: Iterable[str]) -> Iterator[Finding]:
    """The listed configs that could not be read, so that nothing is said of their training."""
    for path in listed:
        if path in configs.faults:
            why = Reason.of("findings.config-unreadable", why=configs.faults[path])
            yield finding("config-unreadable", path, None, why)


# Read before parsing: most files that name `to_static` decorate nothing.
_DECORATES = re.compile(rb"^[ \t]*@(?:[\w.]*\.)?to_static\b", re.MULTILINE)


def decorated(project: Project) -> Iterator[Finding]:
    """Decorated methods that the `forward` of a net comes to, where that net is trained."""
    for path in project.mentioning("to_static"):
        module = project.module(path) if _DECORATES.search(project.tree.read(path)) else None
        for scope in module.scopes if module else ():
            if module and scope.owner and _is_decorated(scope.node):
                own = ClassInModule(module, scope.owner)
                nets = [own, *project.heirs(own)]
                net = next((net for net in nets if _runs(project, *net, scope)), None)
                if net is not None:
                    yield _finding(module, scope, net.node.name)


def _is_decorated(node: ast.AST) -> bool:
    marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    names = (dotted(mark.func if isinstance(mark, ast.Call) else mark) or "" for mark in marks)
    return any(name.rpartition(".")[2] == "to_static" for name in names)


def _runs(project: Project, module: Module, net: ast.ClassDef, method: Scope) -> bool:
    """Whether the net's `forward` comes to the method, and a file beside the net trains."""
    folder = posixpath.dirname(module.path)
    beside = (posixpath.dirname(path) for path in project.mentioning(".backward("))
    if folder not in beside:
        return False
    methods = {scope.function: scope for scope in module.methods(net)}
    waiting, seen = ["forward"], set[str]()
    while waiting:
        name = waiting.pop()
        if name == method.function and methods.get(name, method) is method:
            return True
        if name not in seen and name in methods:
            waiting += [own[5:] for own in methods[name].called if own.startswith("self.")]
        seen.add(name)
    return False


def _finding(module: Module, scope: Scope, net: str) -> Finding:
    line = getattr(scope.node, "lineno", None)
    why = Reason.of("findings.decorated", scope=scope.name, net=net)
    advice = Reason.of("findings.take-decorator-off")
    return finding("hook-without-gate", module.path, line, why, advice)


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
