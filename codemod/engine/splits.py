"""The methods that a rule takes out of layers, so that a part of a net can become static."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from codemod.base.changeset import EditKind, Skip
from codemod.base.refusal import Refusal
from codemod.engine.heldback import Finder
from codemod.engine.ops import Extract, Op
from codemod.engine.split import FORWARD, find_part

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from codemod.code.module import Module
    from codemod.code.project import Project
    from codemod.engine.rules import Split


def split_ops(
    project: Project, splits: tuple[Split, ...]
) -> tuple[tuple[Op, ...], tuple[Skip, ...]]:
    """The operations, and each class that cannot be split with the reason."""
    ops: list[Op] = []
    skipped: list[Skip] = []
    for split in splits:
        finder = Finder(project, split.stays, split.unless)
        for module, owner in _classes(project, split):
            if split.method in {method.function for method in module.methods(owner)}:
                continue
            if not finder.holds(module, owner):
                continue
            part = find_part(finder, module, owner, split.method)
            if isinstance(part, Refusal):
                reason = f"{owner.name}.{FORWARD}: not split: {part.reason}"
                skipped.append(Skip(module.path, reason))
                continue
            scope = module.scope(f"{owner.name}.{FORWARD}")
            assert scope is not None
            action = Extract(
                scope.path,
                part.start,
                part.stop,
                split.method,
                part.arguments,
                part.results,
                split.comment,
            )
            ops.append(Op(module.path, EditKind.HELPER, action, split.why))
    return tuple(ops), tuple(skipped)


def _classes(project: Project, split: Split) -> Iterator[tuple[Module, ast.ClassDef]]:
    for path in project.tree.paths(".py"):
        fits = any(fnmatchcase(path, glob) for glob in split.files)
        module = project.module(path) if fits else None
        if module is None:
            continue
        for name, owner in module.classes.items():
            if not any(fnmatchcase(name, glob) for glob in split.leave):
                yield module, owner
