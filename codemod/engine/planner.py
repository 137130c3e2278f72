"""From a kit's files to a plan: find what trains, see what is hooked, place the rest."""

from __future__ import annotations

from dataclasses import replace

from codemod.base.changeset import EditKind, Hook, Skip, Source, Status
from codemod.base.reason import Reason, Refusal
from codemod.code.module import dotted
from codemod.code.pattern import compile_pattern, first_match
from codemod.code.project import Project, project_of
from codemod.code.sites import Kind, Site, find
from codemod.code.tree import Tree
from codemod.engine.draft import Draft, finish, mend
from codemod.engine.find import present
from codemod.engine.find.accounts import account
from codemod.engine.find.candidates import Candidate, candidates, ignored
from codemod.engine.find.completed import completed
from codemod.engine.find.partners import names_of, untold
from codemod.engine.find.target import is_fluid
from codemod.engine.find.unsound.soundness import unsound
from codemod.engine.gate.extras import extra_ops, read_anew
from codemod.engine.gate.gates import (
    ASKED_FOR,
    DEFAULT_GATES,
    LAST_RESORT,
    Gate,
    fitting_gates,
    gate_reason,
    left_out,
    resolve,
)
from codemod.engine.place.bound import reads_config
from codemod.engine.place.hookcode import standing_line
from codemod.engine.place.insertion import hook_of, insertion, parts_of, position_of
from codemod.engine.place.placement import Position
from codemod.engine.plan import Plan
from codemod.engine.point import Point
from codemod.engine.rewrite.ops import Insert, Move, Op
from codemod.engine.split.splits import split_ops
from codemod.kits.rule import Rule, Trainer

# Constraints that speak against a hook anywhere, and not for another place.
_UNSOUND = frozenset({"engine.traced-without-gradients", "engine.peeked-late"})
DISCOVERED = Trainer(id="discovered", gates=(*DEFAULT_GATES, LAST_RESORT))
UNKNOWN = Rule(kits=(), trainers=(DISCOVERED,))


def switched_by_variable(rule: Rule) -> Rule:
    """The rule with the variable for every gate."""
    asked = replace(LAST_RESORT, test=ASKED_FOR)
    trainers = (replace(trainer, gates=(asked,)) for trainer in rule.trainers)
    return replace(rule, trainers=tuple(trainers))


def make_plan(source: Source, tree: Tree, rule: Rule, rule_ids: tuple[str, ...] = ()) -> Plan:
    """The plan for one source; `rule_ids` narrows it to some of the rule's trainers."""
    project = project_of(tree)
    draft = Draft()
    standing = tuple(p for p in present.scan(project) if not ignored(p.module.path, rule))
    for hook in standing:
        trainer = _trainer_of(rule, hook)
        gates = trainer.gates if not rule_ids or trainer.id in rule_ids else ()
        lacking = left_out(Point(project, hook.module, hook.scope), hook.gate, gates)
        draft.add(hook.line, _present(rule, hook), lacking)
    for trainer, hook in completed(project, rule):
        if not rule_ids or trainer.id in rule_ids:
            draft.add(hook.line, replace(_present(rule, hook), trainer=trainer.id))
    for candidate in candidates(project, rule):
        if not rule_ids or candidate.trainer.id in rule_ids:
            draft.looked |= set(names_of(candidate.module, candidate.scope, candidate.name))
            _consider(project, rule, candidate, standing, draft)
    if not rule_ids:
        mend(project, rule, draft)
    training: frozenset[str] = frozenset()
    if not rule_ids:
        placed = [hook for _, hook, _ in draft.hooks]
        draft.skipped += untold(project, placed, draft.looked) if not rule.kits else ()
        training, left = account(project, rule, placed, draft.skipped)
        draft.skipped += left
    return finish(source, project, draft, training)


def _present(rule: Rule, hook: present.Present) -> Hook:
    return Hook(
        trainer=_trainer_of(rule, hook).id,
        status=Status.PRESENT,
        file=hook.module.path,
        scope=hook.scope.name,
        line=hook.line,
        target=hook.target,
        gate=hook.gate,
        input_spec=hook.input_spec,
        reason=Reason.of("engine.present"),
    )


def _trainer_of(rule: Rule, hook: present.Present) -> Trainer:
    path, scope = hook.module.path, hook.scope.name
    known = (t for t in rule.trainers if t.covers(path, scope) and not t.completes)
    return next(known, DISCOVERED)


def _consider(
    project: Project,
    rule: Rule,
    candidate: Candidate,
    standing: tuple[present.Present, ...],
    draft: Draft,
) -> None:
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    if trainer.completes:
        _complete(project, candidate, standing, draft)
        return
    parts = parts_of(project, candidate)
    hooked = _hooked(project, candidate, standing)
    if hooked and not (parts := _left(parts)):
        draft.skipped.extend(split_ops(project, trainer.splits)[1])
        return
    own = None if hooked else _own_hook(project, candidate)
    if own:
        draft.add(own.line, _present(rule, own))
        return
    why_not = candidate.doubt or _abstention(rule, candidate)
    answered = trainer.dynamic_under_no_grad
    placed = candidate.statement is None and not candidate.measured
    why_not = why_not or unsound(project, candidate, no_grad=not answered, placed=placed)
    if why_not:
        reason = Reason.of("engine.abstained", scope=scope.name, why=why_not)
        draft.skipped.append(Skip(module.path, reason))
        return
    for sites in parts:
        _insert(project, rule, candidate, sites, draft)


def _left(parts: tuple[tuple[Site, ...], ...]) -> tuple[tuple[Site, ...], ...]:
    """The parts without a hook, where others of the same scope have one of their own."""
    without = tuple(part for part in parts if not any(s.kind is Kind.HOOK for s in part))
    return without if len(without) < len(parts) else ()


def _insert(
    project: Project, rule: Rule, candidate: Candidate, sites: tuple[Site, ...], draft: Draft
) -> None:
    """Adds the hook of one part of a candidate's sites, or the reason why it has none."""
    scope, trainer = candidate.scope, candidate.trainer
    anchor = candidate.statement or next((s.statement for s in sites if s.statement), None)
    line = anchor.node.lineno if anchor else getattr(scope.node, "lineno", 1)
    found = _gated(project, rule, candidate, sites)
    if isinstance(found, Reason):
        if found.code in _UNSOUND:
            abstained = Reason.of("engine.abstained", scope=scope.name, why=found)
            draft.skipped.append(Skip(candidate.module.path, abstained))
        else:
            draft.add(line, candidate.hook(Status.UNPLACED, found, line, None))
        return
    gate, position, why = found
    made = insertion(candidate, gate, position)
    extras = extra_ops(project, trainer.extras)
    if isinstance(extras, Refusal):
        reason = Reason.of("engine.not-placed", why=extras.reason)
        draft.add(line, candidate.hook(Status.UNPLACED, reason, line, None))
        return
    hook = replace(made[1], line=line, reason=gate_reason(gate, made[1].reason, why))
    splits, whole = split_ops(project, trainer.splits)
    draft.skipped.extend(whole)
    draft.add(position.above(scope), hook, (made[0], *gate.ops, *extras, *splits))


def _gated(
    project: Project, rule: Rule, candidate: Candidate, sites: tuple[Site, ...]
) -> tuple[Gate, Position, Reason | None] | Reason:
    """The first gate that can be read where a hook may stand, that place, why others cannot be."""
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    why: Reason | None = None
    unplaced: Reason | None = None
    at = Point(project, module, scope)
    for gate in fitting_gates(at, trainer.gates or DEFAULT_GATES):
        if isinstance(gate, Refusal):
            why = why or gate.reason
            continue
        gate = replace(gate, test=read_anew(rule.mends, module, scope, gate.test))
        position = position_of(candidate, gate, sites)
        if isinstance(position, Refusal):
            unplaced = position.reason
        elif not reads_config(at, gate, position):
            why = why or Reason.of("engine.config-rebound", name=gate.root)
        else:
            return gate, position, why
    why = unplaced or why
    if why and why.code in _UNSOUND:
        return why
    return Reason.of("engine.not-placed", why=why) if why else Reason.of("engine.no-config")


def _complete(
    project: Project, candidate: Candidate, standing: tuple[present.Present, ...], draft: Draft
) -> None:
    """Adds what a hook of the kit's own leaves out, unless it exists already."""
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    left_out = trainer.unless and trainer.unless in module.text
    gate = resolve(Point(project, module, scope), trainer.gates)
    if left_out or trainer.requires not in module.text or gate is None:
        return
    if trainer.moves:
        _move(candidate, gate, standing, draft)
        return
    position = position_of(candidate, gate, parts_of(project, candidate)[0])
    if isinstance(position, Refusal):
        return
    op, hook = insertion(candidate, gate, position)
    line = None
    if isinstance(op.action, Insert):
        line = standing_line(scope, position, op.action.code)
    if line is None:
        extras = extra_ops(project, trainer.extras)
        if not isinstance(extras, Refusal):
            draft.add(position.above(scope), hook, (op, *gate.ops, *extras))
    elif not any(h.module is module and h.line == line for h in standing):
        draft.add(line, replace(hook, status=Status.PRESENT, line=line))


def _move(
    candidate: Candidate, gate: Gate, standing: tuple[present.Present, ...], draft: Draft
) -> None:
    """Moves the kit's own hook behind the candidate's statement, where it stands before it."""
    module, scope, anchor = candidate.module, candidate.scope, candidate.statement
    hit = first_match(scope, [compile_pattern(candidate.trainer.moves)])
    if hit is None or anchor is None:
        return
    found = hit[0]
    block, (field_, index) = found.path[:-1], found.path[-1]
    depth = len(block)
    behind = anchor.path[:depth] == block and anchor.path[depth][0] == field_
    if not behind or anchor.path[depth][1] <= index:
        return
    here, target = (module.path, found.node.lineno), anchor.path[depth][1] + 1
    about = candidate.trainer.reason
    move = Move(found.path, block, field_, target)
    op = Op(module.path, EditKind.HOOK, move, about, fix=candidate.trainer.repairs)
    stood = next((h for h in standing if h.module is module and h.line == here[1]), None)
    reason = Reason.of("engine.moved", line=here[1], about=about or "")
    position = Position(block, field_, target, "copy", "wrap", reason)
    hook = hook_of(candidate, gate, position)
    hook = replace(hook, target=stood.target if stood else hook.target, moved_from=here[1])
    draft.hooks = [kept for kept in draft.hooks if (kept[1].file, kept[1].line) != here]
    draft.add(position.above(scope), hook, (op,))


def _hooked(project: Project, candidate: Candidate, standing: tuple[present.Present, ...]) -> bool:
    """Whether the model is hooked in this scope, its class, or the function that builds it."""
    scope, module = candidate.scope, candidate.module
    names = candidate.names
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


def _own_hook(project: Project, candidate: Candidate) -> present.Present | None:
    """A hook in a training scope of a file whose name says that it predicts or generates."""
    scope = candidate.scope
    for site in find(scope, candidate.names):
        if site.kind is Kind.HOOK and site.call is not None:
            gate = present.helper_gate(project, candidate.module, scope, site.call)
            return present.Present(candidate.module, scope, site.call, candidate.name, gate)
    return None


def _abstention(rule: Rule, candidate: Candidate) -> Reason | None:
    module, scope, trainer = candidate.module, candidate.scope, candidate.trainer
    for abstention in rule.abstain:
        if abstention.covers(module.path, scope.name, module.text):
            return abstention.why
    if trainer.unless and trainer.unless in module.text:
        return trainer.missed or Reason.of("engine.file-has", text=trainer.unless)
    if trainer.requires and trainer.requires not in module.text:
        return trainer.missed or Reason.of("engine.file-lacks", text=trainer.requires)
    if is_fluid(scope):
        return Reason.of("engine.fluid")
    return None
