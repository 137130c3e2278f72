"""`codemod schema`: the JSON Schema of what a command prints with `--json`."""

from __future__ import annotations

import json

import click

from codemod.base.errors import UsageError, did_you_mean
from codemod.cli.forms import form, forms


@click.command(name="schema")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
def command(words: tuple[str, ...]) -> int:
    """Print the JSON Schema (2020-12) of what COMMAND prints with --json; without one, list them.

    Each object has `version`: keys may be added to it, and none is taken out or changes its
    meaning. `error` is the form of what every command prints where it cannot do its work.
    """
    if not words:
        for name in forms():
            click.echo(name)
        return 0
    name = " ".join(words)
    if name not in forms():
        every = f"One of: {', '.join(forms())}."
        raise UsageError(f"`{name}` has no form.", did_you_mean(name, forms(), every))
    click.echo(json.dumps(form(name), ensure_ascii=False, indent=1))
    return 0
