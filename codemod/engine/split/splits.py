"""The methods that a rule takes out of layers, so that a part of a net can become static."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from codemod.base.changeset import EditKind, Skip
from codemod.base.reason import Reason, Refusal
from codemod.code.module import Module
from codemod.code.project import Project
from codemod.engine.rewrite.ops import Extract, Op
from codemod.engine.split.forward import FORWARD, find_part
from codemod.engine.split.heldback import Finder
from codemod.kits.rule import Split


def split_ops(
    project: Project, splits: tuple[Split, ...]
) -> tuple[tuple[Op, ...], tuple[Skip, ...]]:
    """The operations, and the classes that cannot be split in files where none can or was."""
    ops: dict[Op, None] = {}
    skipped: list[Skip] = []
    for split in splits:
        finder = Finder(project, split.stays, split.unless)
        for module in _modules(project, split):
            made, refused = _in_file(finder, module, split)
            ops.update(dict.fromkeys(made))
            skipped += refused if not (made or _parted(module, split)) else []
    return tuple(ops), tuple(skipped)


def _parted(module: Module, split: Split) -> bool:
    """Whether a class of the file was split before."""
    return any(module.scope(f"{name}.{split.method}") is not None for name in module.classes)


def _in_file(finder: Finder, module: Module, split: Split) -> tuple[list[Op], list[Skip]]:
    ops: list[Op] = []
    skipped: list[Skip] = []
    for name, owner in module.classes.items():
        scope = module.scope(f"{name}.{FORWARD}")
        left = any(fnmatchcase(name, glob) for glob in split.leave)
        if left or scope is None or not finder.holds(module, owner):
            continue
        if module.scope(f"{name}.{split.method}") is not None:
            continue
        part = find_part(finder, module, owner, split.method)
        if isinstance(part, Refusal):
            reason = Reason.of("engine.not-split", scope=scope.name, why=part.reason)
            skipped.append(Skip(module.path, reason))
            continue
        span = (part.start, part.stop, split.method, part.arguments, part.results)
        action = Extract(scope.path, *span, split.comment)
        ops.append(Op(module.path, EditKind.HELPER, action, split.reason))
    return ops, skipped


def _modules(project: Project, split: Split) -> Iterator[Module]:
    for path in project.tree.paths(".py"):
        fits = any(fnmatchcase(path, glob) for glob in split.files)
        module = project.module(path) if fits else None
        if module is not None:
            yield module
