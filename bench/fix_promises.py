"""What holds of fixes on a revision: every fix that is known there is written, without a proof.

All files written parse, a second look finds nothing more to write, `git apply` of the patch gives
the same bytes, and `revert` gives those from before.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from codemod.audit.fixes.change import change_of
from codemod.base.changeset import Source
from codemod.base.errors import CodemodError
from codemod.base.files.workspace import Workspace
from codemod.base.patch.apply import apply_changes
from codemod.base.patch.git_patch import patch
from codemod.code.tree import Tree
from codemod.work.fixing import offers_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codemod.base.changeset import ChangeSet


def known_fixes(kit: str, root: Path, workspace: Path) -> ChangeSet:
    """The change that all fixes of all the kit's configs make together, proved or not."""
    source = Source(kit, root, None)
    found = offers_of(source, Workspace.at(workspace))
    fixes = {fix.name: fix for offer in found for fix in offer.found.fixes}
    return change_of(source, Tree(root), (fixes[name] for name in sorted(fixes)))


def write_fixes(change: ChangeSet) -> Iterator[str]:
    """Write a change into its tree, as a patch and by the ledger; yields what does not hold."""
    yield from (f"{skip.file}: {skip.reason}" for skip in change.skipped)
    root = change.source.root
    if not change.changes:
        return
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    done = subprocess.run(command, cwd=root, input=patch(change), capture_output=True, check=False)
    if done.returncode:
        yield f"git apply: {done.stderr.decode(errors='replace').strip()[-200:]}"
    for one in change.changes:
        if (root / one.path).read_bytes() != one.new:
            yield f"git apply gives other bytes in {one.path}"
        (root / one.path).write_bytes(one.old)
    try:
        apply_changes(change, allow_dirty=False)
    except CodemodError as fault:
        yield f"apply: {fault}"
