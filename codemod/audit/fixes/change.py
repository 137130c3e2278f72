"""From fixes to a change set: bytes in, bytes out, nothing written."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codemod.audit.fixes.find import Fix
from codemod.base.changeset import ChangeSet, Edit, FileChange, Skip, Source
from codemod.base.grouping import grouped
from codemod.base.reason import Reason, Refusal
from codemod.code.kept import kept
from codemod.code.module import Module, changed_tree, parse
from codemod.code.traversal import every_statement
from codemod.code.tree import Tree
from codemod.engine.rewrite.file import RefusedOps, rewrite_checked
from codemod.engine.rewrite.ops import Op, Rename
from codemod.engine.rewrite.told import origin_of


def change_of(source: Source, tree: Tree, fixes: Iterable[Fix]) -> ChangeSet:
    """The change that these fixes make together.

    A file that cannot be rewritten as promised is left as it is, and named with the reason.
    """
    by_file = grouped((fix.file, fix) for fix in fixes)
    edits: list[Edit] = []
    changes: list[FileChange] = []
    skipped: list[Skip] = []
    for path in sorted(by_file):
        ops = sorted((op for fix in by_file[path] for op in fix.ops), key=_inner)
        done = _changed(path, tree.read(path), tuple(ops))
        if isinstance(done, Skip):
            skipped.append(done)
        else:
            changes.append(done[0])
            edits += done[1]
    return ChangeSet(source, (), tuple(edits), tuple(changes), tuple(skipped))


# Many configs have the same fixes in a file.
@kept(None)
def _changed(
    path: str, old: bytes, ops: tuple[Op, ...]
) -> tuple[FileChange, tuple[Edit, ...]] | Skip:
    """One file with its edits, or why it is left as it is."""
    module = parse(path, old)
    before = module.tree if isinstance(module, Module) else None
    done = rewrite_checked(old, ops)
    if isinstance(done, (Refusal, RefusedOps)):
        reason = done.reason if isinstance(done, Refusal) else next(iter(done.reasons.values()))
        return _left(path, Reason.of("audit.cannot-rewrite", why=reason))
    if done.new == old:
        return _left(path, Reason.of("audit.nothing-changed"))
    if before is not None and _equal_branches(changed_tree(done.new)) > _equal_branches(before):
        why = Reason.of("audit.equal-branches")
        return _left(path, Reason.of("audit.cannot-rewrite", why=why))
    edits = tuple(
        Edit(path, op.kind, added, removed, (), op.reason, origin_of(op, before))
        for op, (added, removed) in zip(ops, done.counts, strict=True)
    )
    return FileChange(path, old, done.new), edits


def _equal_branches(tree: ast.Module) -> int:
    """How many `if`s of a file do the same whatever their condition says."""
    ifs = (node for node in every_statement(tree) if isinstance(node, ast.If))
    found = (node for node in ifs if len(node.body) == len(node.orelse))
    return sum([*map(ast.dump, node.body)] == [*map(ast.dump, node.orelse)] for node in found)


def _left(path: str, why: Reason) -> Skip:
    return Skip(path, Reason.of("audit.sentence", why=why), fault=True)


def _inner(op: Op) -> int:
    """The order of rewrites: of two expressions the outer one first, which names the inner one."""
    return -len(op.action.old) if isinstance(op.action, Rename) else 0
