"""`codemod diff`: the change as a git patch."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from codemod.base.errors import CodemodError
from codemod.base.git_state import is_checkout
from codemod.base.patch.mail import mail, write_patches
from codemod.base.reason import Reason
from codemod.base.terminal.doing import note
from codemod.base.terminal.spoken import told
from codemod.cli import options
from codemod.cli.output import print_errors, print_hooks, print_json, summary
from codemod.work.planning import outcomes, requests


@click.command(name="diff")
@options.targets
@options.everything
@options.path
@options.rules
@options.fixes
@options.switch
@options.place("-o --output", "Write to a file, or to <DIR>/<Kit>.patch.", "FILE_OR_DIR")
@options.said_in
@options.as_json
@options.workspace
def command(output: Path | None, as_json: bool, **asked: Any) -> int:
    """Print what `apply` would change in TARGET as a git patch; TARGET is not changed.

    `git apply` and `git am --keep-cr` accept the patch on a clean checkout. After
    `apply` the patch is empty, and a line says how to see what was written.
    """
    results = list(outcomes(requests(**asked)))
    made = [result.change_set for result in results if result.change_set is not None]
    if output is not None:
        write_patches(made, output)
    elif not as_json:
        for change_set in made:
            click.echo(mail(change_set), nl=False)
    for change_set in made:
        if not as_json:
            print_hooks(change_set, written=False, err=True)
        click.echo(summary(change_set, written=False), err=True)
        if not change_set.changes:
            _tell_applied(change_set.source.root)
    if as_json:
        print_json(results, with_patch=True)
    print_errors(results)
    return max(result.exit_code for result in results)


def _tell_applied(root: Path) -> None:
    """Say how to see what `apply` wrote into a tree where nothing is left to do."""
    from codemod.base.patch.ledger import Ledger

    try:
        files = len({entry.path for entry in Ledger.of(root).entries()})
    except CodemodError as error:
        note(error.message)
        return
    if not files:
        return
    folder = shlex.quote(str(root))
    if is_checkout(root):
        way = Reason.of("cli.way-git", folder=folder)
    else:
        way = Reason.of("cli.way-revert", folder=folder)
    number = Reason.of("cli.files", number=files) if files > 1 else Reason.of("cli.one-file")
    note(told(Reason.of("cli.applied-here", files=number, way=way)))
