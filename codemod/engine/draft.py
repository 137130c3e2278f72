"""A plan while it is made: hooks with their operations, what is left alone, and their layout."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from codemod.base.changeset import Hook, KitFault, Skip, Source, Status
from codemod.base.reason import Reason, Refusal
from codemod.code.module import Module
from codemod.code.project import Project
from codemod.code.tree import LINK
from codemod.engine.find.partners import Looked
from codemod.engine.gate.extras import extra_ops
from codemod.engine.plan import Plan, PlannedOp
from codemod.engine.rewrite.layout import Layout, laid_out, layout_of
from codemod.engine.rewrite.ops import Insert, Op
from codemod.kits.rule import Extra, Rule


@dataclass
class Draft:
    """What was found so far; `looked` are the models that were looked at, hooked or not."""

    hooks: list[tuple[tuple[str, int], Hook, tuple[Op, ...]]] = field(default_factory=list)
    skipped: list[Skip] = field(default_factory=list)
    looked: set[Looked] = field(default_factory=set)
    kit_faults: list[KitFault] = field(default_factory=list)

    def add(self, order: int, hook: Hook, ops: tuple[Op, ...] = ()) -> None:
        """Add a hook with its operations; `order` sorts the hooks of one file."""
        self.hooks.append(((hook.file, order), hook, ops))


def mend(project: Project, rule: Rule, draft: Draft) -> None:
    """Lets what a rule mends go with every hook that stands or will."""
    made: list[Op] = []
    parts: dict[str, tuple[Extra, ...]] = {}
    for index, extra in enumerate(rule.mends):
        key = extra.together or str(index)
        parts[key] = (*parts.get(key, ()), extra)
    for part in parts.values():
        ops = extra_ops(project, part)
        if not isinstance(ops, Refusal):
            made += [replace(op, mends=True) for op in ops]
            why = part[0].reason
            draft.kit_faults += [_fault(project, op, why) for op in ops if why]
    draft.hooks = [
        (key, hook, (*own, *made) if hook.status is not Status.UNPLACED else own)
        for key, hook, own in draft.hooks
    ]


def _fault(project: Project, op: Op, why: Reason) -> KitFault:
    action = op.action
    path = (*action.owner, (action.field, action.index)) if isinstance(action, Insert) else None
    module = project.module(op.file)
    node = module.at(path or action.owner) if module else None
    return KitFault(op.file, getattr(node, "lineno", 1), why)


def finish(source: Source, project: Project, draft: Draft, training: frozenset[str]) -> Plan:
    """The plan of a draft, its lines laid out as each file has them."""
    ordered = sorted(draft.hooks, key=lambda item: item[0])
    users: dict[Op, set[int]] = {}
    for index, (_, _, ops) in enumerate(ordered):
        for op in ops:
            users.setdefault(op, set()).add(index)
    layouts = _Layouts(project)
    hooks = tuple(layouts.of_hook(hook) for _, hook, _ in ordered)
    steps = tuple(PlannedOp(layouts.of_op(op), frozenset(who)) for op, who in users.items())
    faults = [
        Skip(path, Reason.of("engine.not-python", why=why), True)
        for path, why in project.faults.items()
    ]
    unread = [Skip(path, why, why != LINK) for path, why in project.tree.left_out.items()]
    skipped = tuple(dict.fromkeys((*draft.skipped, *faults, *unread)))
    return Plan(source, project, hooks, steps, skipped, training, tuple(draft.kit_faults))


class _Layouts:
    """The layout of each file that is changed, found once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.known: dict[str, Layout] = {}

    def of_op(self, op: Op) -> Op:
        """The operation with its lines laid out."""
        module = self.project.module(op.file)
        return laid_out(op, module, self._of(module)) if module else op

    def of_hook(self, hook: Hook) -> Hook:
        """The hook with its gate in the quotes in which it is written."""
        module = self.project.module(hook.file) if hook.status is Status.INSERTED else None
        if module is None or hook.gate is None:
            return hook
        return replace(hook, gate=self._of(module).quoted(hook.gate))

    def _of(self, module: Module) -> Layout:
        if module.path not in self.known:
            self.known[module.path] = layout_of(self.project.tree, module)
        return self.known[module.path]
