"""A kit's own helper that was completed: the rule's code stands in it, and it is no call site."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.module import Module, Scope
from codemod.code.pattern import compile_block, match
from codemod.code.project import Project
from codemod.code.traversal import walk
from codemod.engine.find.candidates import ignored
from codemod.engine.find.present import Present, gate_of, is_hook_call
from codemod.kits.rule import Rule, Trainer


def completed(project: Project, rule: Rule) -> Iterator[tuple[Trainer, Present]]:
    """The hooks that took the place of a kit's lines, where they stand, with their trainers.

    The kit's calls of the helper are counted by themselves, before the change and after it; what
    completes the helper is one more.
    """
    paths = project.mentioning("to_static")
    for trainer in rule.trainers:
        if not (trainer.completes and trainer.hook and trainer.position == "replace"):
            continue
        wanted = compile_block(trainer.hook)
        for path in (p for p in paths if not ignored(p, rule)):
            module = project.module(path) if trainer.covers_file(path) else None
            for scope in module.scopes if module else ():
                if module and trainer.covers(path, scope.name):
                    yield from ((trainer, hook) for hook in _standing(module, scope, wanted))


def _standing(module: Module, scope: Scope, wanted: list[ast.stmt]) -> Iterator[Present]:
    """The hook of a block of code where its statements stand one after another in a scope."""
    at = {statement.path: statement.node for statement in scope.statements}
    for path in at:
        field, index = path[-1]
        nodes = [at.get((*path[:-1], (field, index + step))) for step in range(len(wanted))]
        block = [node for node in nodes if node is not None]
        same = (match(one, node) is not None for one, node in zip(wanted, block, strict=False))
        if len(block) < len(wanted) or not all(same):
            continue
        calls = (n for node in block for n in walk(node) if isinstance(n, ast.Call))
        for call in (one for one in calls if is_hook_call(one)):
            target = ast.unparse(call.args[0]) if call.args else ""
            yield Present(module, scope, call, target, gate_of(scope, call))
            return
