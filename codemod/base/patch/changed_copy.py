"""A copy of a tree that holds a change, to be run while the tree itself stays as it is."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from codemod.base.terminal.doing import doing

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.base.changeset import ChangeSet


def changed_copy(change: ChangeSet, place: Path) -> Path:
    """Copy the tree of the change's source to `place`, without its history, and change it there."""
    doing("Copying the kit for the fix")
    ignored = shutil.ignore_patterns(".git", "__pycache__", ".codemod")
    shutil.copytree(change.source.root, place, symlinks=True, ignore=ignored)
    write_changes(change, place)
    return place


def write_changes(change: ChangeSet, root: Path) -> None:
    """Write the changed files below `root`, which need not be the source of the change."""
    for one in change.changes:
        (root / one.path).write_bytes(one.new)
