"""`codemod doctor`: what is here of all that the commands need, and what to do about the rest."""

from __future__ import annotations

from pathlib import Path

import click

from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.base.terminal.spoken import told
from codemod.cli import options
from codemod.cli.output import print_object, say


@click.command(name="doctor")
@options.said_in
@options.as_json
@options.workspace
def command(as_json: bool, workspace: Path | None) -> int:
    """Say what this machine has and lacks: git, uv, Pythons, environments, GPUs, disk, locale.

    Nothing is fetched or written. The exit code is 0: which commands need what stands in the list.
    """
    from codemod.work.diagnosis import checks

    found = list(checks(Workspace.at(workspace).root))
    if as_json:
        print_object({"checks": [one.to_json() for one in found]})
        return 0
    for one in found:
        mark = told(Reason.of("cli.there") if one.good else Reason.of("cli.lacks"))
        click.secho(mark, fg="green" if one.good else "yellow", nl=False)
        say(f" {one.name:13} {told(one.found)}")
        if not one.good:
            needed = Reason.of("cli.needed", need=one.need, remedy=one.remedy)
            say(f"{'':19} {told(needed)}")
    return 0
