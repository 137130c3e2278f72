"""From a kit's files to a plan: find what trains, see what is hooked, place the rest."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from codemod.engine import discover, present
from codemod.engine.extras import extra_ops
from codemod.engine.gates import DEFAULT_GATES, Gate, in_quotes, left_out, resolve
from codemod.engine.hookcode import hook_code, standing_line
from codemod.engine.module import Module, Scope, Statement, callee, dotted
from codemod.engine.ops import Insert, Op
from codemod.engine.pattern import Bindings, compile_pattern, fill, match
from codemod.engine.placement import Position, place
from codemod.engine.plan import Plan, Step
from codemod.engine.project import Project
from codemod.engine.rules import Rule, Trainer
from codemod.engine.sites import Kind, find, first_argument, group
from codemod.engine.soundness import unsound
from codemod.engine.target import Target, is_fluid
from codemod.model import EditKind, Hook, Skip, Source, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.tree import Tree

IGNORED = ("tests/*", "test/*", "*/tests/*", "*/unittest/*", "docs/*", "*/docs/*")
DISCOVERED = Trainer(id="discovered", gates=DEFAULT_GATES)
UNKNOWN = Rule(kits=(), trainers=(DISCOVERED,))


@dataclass(frozen=True)
class _Candidate:
    """A model in a scope that a trainer of the rule claims; `statement` where a pattern hit."""

    trainer: Trainer
    module: Module
    scope: Scope
    name: str
    statement: Statement | None = None
    bindings: Bindings = field(default_factory=dict)


@dataclass
class _Draft:
    hooks: list[tuple[tuple[str, int], Hook, tuple[Op, ...]]] = field(default_factory=list)
    skipped: list[Skip] = field(default_factory=list)

    def add(self, order: int, hook: Hook, ops: tuple[Op, ...] = ()) -> None:
        self.hooks.append(((hook.file, order), hook, ops))


def make_plan(source: Source, tree: Tree, rule: Rule, rule_ids: tuple[str, ...] = ()) -> Plan:
    """The plan for one source; `rule_ids` narrows it to some of the rule's trainers."""
    project = Project(tree)
    draft = _Draft()
    standing = tuple(p for p in present.scan(project) if not _ignored(p.module.path, rule))
    for hook in standing:
        trainer = _trainer_of(rule, hook)
        gates = trainer.gates if not rule_ids or trainer.id in rule_ids else ()
        lacking = left_out(project, hook.module, hook.scope, hook.gate, gates)
        draft.add(hook.line, _present(rule, hook), lacking)
    for candidate in _candidates(project, rule, draft):
        if not rule_ids or candidate.trainer.id in rule_ids:
            _consider(project, rule, candidate, standing, draft)
    return _finish(source, tree, project, draft, rule_ids)


def _finish(
    source: Source, tree: Tree, project: Project, draft: _Draft, rule_ids: tuple[str, ...]
) -> Plan:
    ordered = sorted(draft.hooks, key=lambda item: item[0])
    hooks = tuple(hook for _, hook, _ in ordered)
    users: dict[Op, set[int]] = {}
    for index, (_, _, ops) in enumerate(ordered):
        for op in ops:
            users.setdefault(op, set()).add(index)
    steps = tuple(Step(op, frozenset(who)) for op, who in users.items())
    faults = [
        Skip(path, f"not readable as Python: {why}; mend it and run again", True)
        for path, why in project.faults.items()
    ]
    skipped = tuple(dict.fromkeys((*draft.skipped, *faults)))
    return Plan(source, tree, hooks, steps, skipped)


def _ignored(path: str, rule: Rule) -> bool:
    if any(fnmatchcase(path, pattern) for pattern in rule.include):
        return False
    return any(fnmatchcase(path, pattern) for pattern in (*IGNORED, *rule.ignore))


def _present(rule: Rule, hook: present.Present) -> Hook:
    return Hook(
        rule=_trainer_of(rule, hook).id,
        status=Status.PRESENT,
        file=hook.module.path,
        scope=hook.scope.name,
        line=hook.line,
        target=hook.target,
        gate=hook.gate,
        input_spec=hook.input_spec,
        reason="The kit hooks this model already.",
    )


def _trainer_of(rule: Rule, hook: present.Present) -> Trainer:
    path, scope = hook.module.path, hook.scope.name
    known = (t for t in rule.trainers if t.covers(path, scope) and not t.completes)
    return next(known, DISCOVERED)


def _candidates(project: Project, rule: Rule, draft: _Draft) -> Iterator[_Candidate]:
    """Pattern trainers first, in the rule's order; then what discovery finds beside them."""
    claimed: set[tuple[str, str]] = set()
    for trainer in rule.trainers:
        if trainer.model:
            for candidate in _by_pattern(project, rule, trainer):
                key = (candidate.module.path, candidate.scope.name)
                if trainer.completes:
                    yield candidate
                elif key not in claimed:
                    claimed.add(key)
                    yield candidate
    found: set[Target] = set()
    finders = tuple(t for t in rule.trainers if not t.model)
    if not finders:
        return
    for path in project.tree.grep(discover.HINTS, ".py"):
        if _ignored(path, rule):
            continue
        module = project.module(path)
        if module is None:
            continue
        for target in discover.targets(project, module):
            where = (target.module.path, target.scope.name)
            if where in claimed or _ignored(where[0], rule) or target in found:
                continue
            found.add(target)
            claim = next((t for t in finders if t.covers(*where)), None)
            if claim and target.doubt:
                text = f"{where[1]}: abstained: {target.doubt}"
                draft.skipped.append(Skip(where[0], text))
            elif claim:
                yield _Candidate(claim, target.module, target.scope, target.name)


def _by_pattern(project: Project, rule: Rule, trainer: Trainer) -> Iterator[_Candidate]:
    patterns = [compile_pattern(text) for text in trainer.model]
    for path in _mentioning(project, trainer, patterns):
        module = None if _ignored(path, rule) else project.module(path)
        for scope in module.scopes if module else ():
            if module is None or not trainer.covers(path, scope.name):
                continue
            hit = _first_hit(scope, patterns)
            if hit:
                statement, bindings = hit
                name = dotted(bindings.get("MODEL")) or trainer.target
                yield _Candidate(trainer, module, scope, name, statement, bindings)


def _mentioning(
    project: Project, trainer: Trainer, patterns: list[ast.stmt | ast.expr]
) -> list[str]:
    """Files of the trainer that name what a pattern names: text is searched before parsing."""
    paths: dict[str, None] = {}
    for pattern in patterns:
        words = [n.attr for n in ast.walk(pattern) if isinstance(n, ast.Attribute)]
        words += [callee(n) for n in ast.walk(pattern) if isinstance(n, ast.Call)]
        words += [n.id for n in ast.walk(pattern) if isinstance(n, ast.Name)]
        texts = [n.value for n in ast.walk(pattern) if isinstance(n, ast.Constant)]
        words += [text for text in texts if isinstance(text, str)]
        word = max((w for w in words if not w.startswith("__mv_")), key=len, default="")
        found = project.mentioning(word)
        paths.update(dict.fromkeys(p for p in found if _covers_file(trainer, p)))
    return list(paths)


def _covers_file(trainer: Trainer, path: str) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in trainer.files)


def _first_hit(
    scope: Scope, patterns: list[ast.stmt | ast.expr]
) -> tuple[Statement, Bindings] | None:
    for pattern in patterns:
        for statement in scope.statements:
            found = match(pattern, statement.node)
            if found is not None:
                return statement, found
    return None


def _consider(
    project: Project,
    rule: Rule,
    candidate: _Candidate,
    standing: tuple[present.Present, ...],
    draft: _Draft,
) -> None:
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    if trainer.completes:
        _complete(project, candidate, standing, draft)
        return
    if _hooked(project, candidate, standing):
        return
    own = _own_hook(project, candidate)
    if own:
        draft.add(own.line, _present(rule, own))
        return
    why_not = _abstention(rule, candidate) or unsound(project, module, scope, candidate.name)
    if why_not:
        draft.skipped.append(Skip(module.path, f"{scope.name}: abstained: {why_not}"))
        return
    names = group(scope, candidate.name)
    sites = find(scope, names)
    anchor = candidate.statement or next((s.statement for s in sites if s.statement), None)
    line = anchor.node.lineno if anchor else getattr(scope.node, "lineno", 1)
    gate = resolve(project, module, scope, trainer.gates or DEFAULT_GATES)
    if gate is None:
        reason = "No config of the kit that could carry the switch is read in this scope."
        draft.add(line, _unplaced(candidate, line, reason))
        return
    position = _position(candidate, gate)
    if isinstance(position, str):
        draft.add(line, _unplaced(candidate, line, f"Not placed: {position}."))
        return
    made = _insert(candidate, gate, position)
    extras = extra_ops(project, trainer.extras, module, made[1].gate or "")
    if isinstance(extras, str):
        draft.add(line, _unplaced(candidate, line, extras))
        return
    draft.add(_order(scope, position), made[1], (made[0], *gate.ops, *extras))


def _complete(
    project: Project,
    candidate: _Candidate,
    standing: tuple[present.Present, ...],
    draft: _Draft,
) -> None:
    """Adds what a hook of the kit's leaves out, where it does not stand already."""
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    left_out = trainer.unless and trainer.unless in module.text
    gate = resolve(project, module, scope, trainer.gates)
    if left_out or trainer.requires not in module.text or gate is None:
        return
    position = _position(candidate, gate)
    if isinstance(position, str):
        return
    op, hook = _insert(candidate, gate, position)
    assert isinstance(op.action, Insert)
    line = standing_line(scope, position, op.action.code)
    if line is None:
        extras = extra_ops(project, trainer.extras, module, gate.test)
        if not isinstance(extras, str):
            draft.add(_order(scope, position), hook, (op, *gate.ops, *extras))
    elif not any(h.module is module and h.line == line for h in standing):
        draft.add(line, replace(hook, status=Status.PRESENT, line=line))


def _unplaced(candidate: _Candidate, line: int, reason: str) -> Hook:
    return Hook(
        rule=candidate.trainer.id,
        status=Status.UNPLACED,
        file=candidate.module.path,
        scope=candidate.scope.name,
        line=line,
        target=candidate.name,
        gate=None,
        reason=reason,
    )


def _hooked(project: Project, candidate: _Candidate, standing: tuple[present.Present, ...]) -> bool:
    """Whether the model is hooked in this scope, its class, or the function that builds it."""
    scope, module = candidate.scope, candidate.module
    names = group(scope, candidate.name)
    for hook in standing:
        here = hook.module is module and hook.scope is scope
        if here and (candidate.trainer.hook or hook.target in names or "[" in hook.target):
            return True
        same_class = scope.owner is not None and hook.scope.owner is scope.owner
        if hook.module is module and same_class and hook.target in names:
            return True
    others = module.methods(scope.owner) if scope.owner is not None else ()
    builds = [site for site in find(scope, names) if site.kind is Kind.BUILD]
    shared = frozenset(name for name in names if name.startswith("self."))
    for method in others:
        builds += [site for site in find(method, shared) if site.kind is Kind.BUILD]
    made_by = [
        project.definition(module, dotted(call.func) or "")
        for site in builds
        for call in (site.statement.calls if site.statement else ())
    ]
    return any(made and h.scope.node is made[1] for made in made_by for h in standing)


def _own_hook(project: Project, candidate: _Candidate) -> present.Present | None:
    """A hook in a training scope of a file whose name speaks of prediction or generation."""
    scope = candidate.scope
    for site in find(scope, group(scope, candidate.name)):
        if site.kind is Kind.HOOK and site.call is not None:
            gate = present.helper_gate(project, candidate.module, scope, site.call)
            return present.Present(candidate.module, scope, site.call, candidate.name, gate)
    return None


def _abstention(rule: Rule, candidate: _Candidate) -> str | None:
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    for abstention in rule.abstain:
        if abstention.covers(module.path, scope.name, module.text):
            return abstention.reason
    if trainer.unless and trainer.unless in module.text:
        return trainer.missing or f"the file has {trainer.unless!r}"
    if trainer.requires and trainer.requires not in module.text:
        return trainer.missing or f"the file lacks {trainer.requires!r}"
    if is_fluid(scope):
        return "written for paddle.fluid, before paddle.jit.to_static existed"
    return None


def _position(candidate: _Candidate, gate: Gate) -> Position | str:
    scope, trainer = candidate.scope, candidate.trainer
    names = group(scope, candidate.name)
    sites = find(scope, names)
    if candidate.statement and trainer.position in ("before", "after"):
        field_, index = candidate.statement.path[-1]
        if trainer.position == "after":
            index += 1
        owner = candidate.statement.path[:-1]
        wraps = any(site.kind is Kind.WRAP for site in sites)
        here = {site.kind for site in sites if site.statement is candidate.statement}
        after = "copy" if Kind.COPY in here else "build"
        before = "wrap" if wraps else "loop"
        return Position(owner, field_, index, after, before, _stated(trainer))
    return place(scope, sites, gate.bound(scope))


def _stated(trainer: Trainer) -> str:
    return trainer.about or "Where the trainer takes over the model that it builds."


def _insert(candidate: _Candidate, gate: Gate, position: Position) -> tuple[Op, Hook]:
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    words = {name: ast.unparse(node) for name, node in candidate.bindings.items()}
    words |= {"MODEL": candidate.name, "GATE": gate.test}
    target = fill(trainer.target, words) if trainer.target else _target(scope, candidate.name)
    words["MODEL"] = target
    spec = fill(trainer.input_spec, words) if trainer.input_spec else None
    template = fill(trainer.hook, words | {"SPEC": spec or "None"}) if trainer.hook else ""
    code = in_quotes(module, template)
    if not trainer.completes:
        code = hook_code(module, scope, position, target, gate.test, spec, template)
    op = Op(
        module.path,
        EditKind.HOOK,
        Insert(position.owner, position.field, position.index, code),
    )
    hook = Hook(
        rule=trainer.id,
        status=Status.INSERTED,
        file=module.path,
        scope=scope.name,
        line=None,
        target=target,
        gate=gate.test,
        input_spec=spec,
        after=position.after,
        before=position.before,
        reason=position.reason,
        switch=gate.switch,
    )
    return op, hook


def _target(scope: Scope, name: str) -> str:
    """The name that is wrapped, else the one that was found: what the code reads later."""
    for site in find(scope, group(scope, name)):
        if site.kind is Kind.WRAP and site.call is not None:
            return dotted(first_argument(site.call)) or name
    return name


def _order(scope: Scope, position: Position) -> int:
    """A key that sorts the hooks of one file as they stand in it."""
    node: ast.AST = scope.node
    best = getattr(node, "lineno", 0) if not isinstance(node, ast.Module) else 0
    for statement in scope.statements:
        depth = len(position.owner)
        path = statement.path
        if len(path) > depth and path[:depth] == position.owner:
            field_, index = path[depth]
            if field_ == position.field and index < position.index:
                best = max(best, statement.node.end_lineno or 0)
    return best
