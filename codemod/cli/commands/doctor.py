"""`codemod doctor`: what is here of all that the commands need, and what to do about the rest."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from codemod.base.files.workspace import Workspace
from codemod.cli import options
from codemod.cli.output import print_object, say


@click.command(name="doctor")
@options.as_json
@options.workspace
def command(as_json: bool, workspace: Path | None) -> int:
    """Say what this machine has and lacks: git, uv, Pythons, environments, GPUs, disk, locale.

    Nothing is fetched or written. The exit code is 0: which commands need what stands in the list.
    """
    from codemod.work.diagnosis import checks

    found = list(checks(Workspace.at(workspace).root))
    if as_json:
        print_object({"checks": [asdict(one) for one in found]})
        return 0
    for one in found:
        mark = click.style("ok   " if one.good else "lacks", fg="green" if one.good else "yellow")
        click.echo(mark, nl=False)
        say(f" {one.name:13} {one.found}")
        if not one.good:
            say(f"{'':19} for {one.need}. {one.remedy}")
    return 0
