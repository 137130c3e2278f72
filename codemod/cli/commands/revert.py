"""`codemod revert`: remove what `apply` inserted."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codemod.base.errors import FindingsError
from codemod.base.files.state import RECORD, state_of, tree_key
from codemod.base.files.workspace import Workspace
from codemod.base.git_state import edited_files
from codemod.base.terminal.text import one_line
from codemod.cli import options
from codemod.engine.hook_files import names_hook

if TYPE_CHECKING:
    from codemod.base.patch.apply import Reverted


@click.command(name="revert")
@options.target
@options.path
@options.workspace
def command(target: str, path: Path | None, workspace: Path | None) -> int:
    """Remove from TARGET what `apply` inserted, to the byte.

    From a file that was edited since, only the inserted lines are removed, and only where that
    is certain. Otherwise the file is left as it is and named (exit code 1).
    """
    from codemod.base.patch.apply import Reverted, revert
    from codemod.base.terminal.progress import LiveLine
    from codemod.kits.sources import changed

    place = Workspace.at(workspace)
    with LiveLine("Looking for what was inserted"):
        source = changed(target, path, place)
    if source is None:
        _changed_elsewhere(target, place)
        click.echo(f"{target} is not in the workspace {place.root}: nothing to take out.")
        return 0
    with LiveLine("Taking the change out"):
        done = revert(source)
    _tell(done)
    if done.conflicts:
        raise FindingsError(_left_alone(done), _REMEDY)
    if done == Reverted():
        _without_record(source.root, place)
    return 0


_REMEDY = "Take the lines out by hand, or undo your edits and run this again."


def _changed_elsewhere(kit: str, place: Workspace) -> None:
    """Say where a kit was changed that this workspace does not hold.

    Raises:
        FindingsError: there is a record of a folder of that name.
    """
    from codemod.base.patch.ledger import recorded_trees

    trees = [tree for tree in recorded_trees() if tree.name.casefold() == kit.casefold()]
    if trees:
        raise FindingsError(
            f"{kit} is not in the workspace {place.root}, but it was changed in "
            f"{' and in '.join(map(str, trees))}.",
            f"Name that folder: codemod revert {shlex.quote(str(trees[0]))}",
        )


def _tell(done: Reverted) -> None:
    for label, paths in (
        ("restored", done.restored),
        ("our lines taken out of", done.merged),
        ("gone, nothing to do for", done.missing),
        ("without our lines already:", done.without),
    ):
        for path in paths:
            click.echo(f"{label} {one_line(path)}")


def _left_alone(done: Reverted) -> str:
    said = f"Left alone, because edits touch our lines: {', '.join(done.conflicts)}."
    if done.kept:
        said += f" Left alone, because they belong together with these: {', '.join(done.kept)}."
    return said


def _without_record(root: Path, place: Workspace) -> None:
    """Say that nothing was taken out, and where a record is that may be meant.

    Raises:
        FindingsError: an earlier version kept a record of this tree in the workspace, or there
            are edits that look like ours.
    """
    old = place.root / "trees" / tree_key(root) / RECORD
    if old.exists():
        raise FindingsError(
            f"{old} is the record of an earlier version. It is not used: a repository can bring "
            "such a file with it.",
            "Take the change out with git (`git checkout -- FILE`), then delete that record.",
        )
    edited = _edits_that_hook(root)
    if edited:
        raise FindingsError(
            f"codemod has no record of changing {root}, but files with uncommitted edits name "
            f"to_static: {', '.join(edited)}.",
            "The tree was copied, or its record is another user's. `git diff` shows the edits; "
            "`git checkout -- FILE` takes them out.",
        )
    for folder in root.resolve().parents:
        if (state_of(folder) / RECORD).exists():
            click.echo(f"There is a record of {folder}, in which {root} lies; name that folder.")
    click.echo(f"Nothing to take out of {root}: codemod has no record of changing it.")


def _edits_that_hook(root: Path) -> list[str]:
    """The tracked files with uncommitted edits that name to_static; none where git cannot tell."""
    return [one_line(name) for name in edited_files(root) if names_hook(root / name)]
