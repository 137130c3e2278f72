"""`codemod diff`: the change as a git patch."""

from __future__ import annotations

from pathlib import Path

import click

from codemod.base.patch.mail import mail, write_patches
from codemod.cli import options
from codemod.cli.output import print_errors, print_hooks, print_json, summary
from codemod.work.patching import patched
from codemod.work.planning import requests


@click.command(name="diff")
@options.targets
@options.everything
@options.path
@options.rules
@options.fixes
@options.switch
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE_OR_DIR",
    help="Write to a file, or to <DIR>/<Kit>.patch.",
)
@options.as_json
@options.workspace
def command(
    targets: tuple[str, ...],
    everything: bool,
    path: Path | None,
    rules: tuple[str, ...],
    fixes: bool,
    switch: str,
    output: Path | None,
    as_json: bool,
    workspace: Path | None,
) -> int:
    """Print what `apply` would change in TARGET as a git patch; TARGET is not changed.

    Where `apply` has written it already, the patch is the same. `git apply` and
    `git am --keep-cr` accept it on a clean checkout.
    """
    wanted = requests(targets, everything, path, rules, workspace, fixes=fixes, switch=switch)
    results = list(patched(wanted))
    there = [(result.change_set, result.applied) for result in results if result.change_set]
    made = [change_set for change_set, _ in there]
    if output is not None:
        write_patches(made, output)
    elif not as_json:
        for change_set in made:
            click.echo(mail(change_set), nl=False)
    for change_set, applied in there:
        if not as_json:
            print_hooks(change_set, written=applied, err=True)
        click.echo(summary(change_set, written=applied), err=True)
    if as_json:
        print_json(results, with_patch=True)
    print_errors(results)
    return max(result.exit_code for result in results)
