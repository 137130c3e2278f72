"""`codemod revert`: take out what `apply` put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codemod.base.errors import Finding
from codemod.base.workspace import Workspace
from codemod.cli import options

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.base.changeset import Source
    from codemod.patch.apply import Reverted


@click.command(name="revert")
@options.target
@options.path
@options.workspace
def command(target: str, path: Path | None, workspace: Path | None) -> int:
    """Take out of TARGET what `apply` put in, to the byte.

    From a file that was edited since, only our lines are taken, and only where that is
    certain; else the file is left as it is and named (exit code 1).
    """
    from codemod.patch.apply import revert
    from codemod.sources import resolve

    place = Workspace.at(workspace)
    source = resolve(target, path, place, fetch=False)
    if source is None:
        click.echo(f"{target} is not in the workspace {place.root}: nothing to take out.")
        return 0
    done = revert(source, place)
    _tell(source, done, place)
    if done.conflicts:
        raise Finding(
            f"Left alone, because edits touch our lines: {', '.join(done.conflicts)}.",
            "Take the lines out by hand, or undo your edits and run this again.",
        )
    return 0


def _tell(source: Source, done: Reverted, place: Workspace) -> None:
    for label, paths in (
        ("restored", done.restored),
        ("our lines taken out of", done.merged),
        ("gone, nothing to do for", done.missing),
    ):
        for path in paths:
            click.echo(f"{label} {path}")
    if not (done.restored or done.merged or done.missing or done.conflicts):
        click.echo(f"Nothing to take out of {source.root}: {place.root} has no record of it.")
