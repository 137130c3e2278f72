"""How `apply` and `diff` report what they did."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import click

from codemod.base.changeset import Status
from codemod.base.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from codemod.base.changeset import ChangeSet
    from codemod.cli.planning import PlanOutcome

_COLOURS = {Status.INSERTED: "green", Status.PRESENT: "blue", Status.UNPLACED: "yellow"}


def say(text: str, *, err: bool = False) -> None:
    """Print one line in which the names of files cannot do more than be read."""
    click.echo(one_line(text), err=err)


def print_json(outcomes: Sequence[PlanOutcome]) -> None:
    """One object: the target's own, or `{"kits": [...]}` when there were several."""
    objects = [outcome.to_json() for outcome in outcomes]
    whole = objects[0] if len(objects) == 1 else {"kits": objects}
    click.echo(json.dumps(whole, ensure_ascii=False, indent=1))


def print_errors(outcomes: Sequence[PlanOutcome]) -> None:
    """The errors, one line each, on standard error."""
    for outcome in outcomes:
        if outcome.change_set is None:
            name = f"{outcome.request.target}: " if len(outcomes) > 1 else ""
            text = f"{name}{outcome.message} {outcome.remedy}".rstrip()
            click.echo(f"Error: {one_line(text)}", err=True)


def print_hooks(change_set: ChangeSet, *, err: bool = False) -> None:
    """One line a hook and a file that was skipped."""
    for hook in change_set.hooks:
        place = f"{hook.file}:{hook.line}" if hook.line else hook.file
        status = click.style(f"{hook.status.value:8}", fg=_COLOURS[hook.status])
        text = one_line(f"{place}  {hook.scope}  {hook.target}  {hook.reason}")
        click.echo(f"{status}  {text}", err=err)
    for skip in change_set.skipped:
        text = one_line(f"{skip.file}  {skip.reason}")
        click.echo(f"{click.style('skipped ', fg='yellow')}  {text}", err=err)


def summary(change_set: ChangeSet) -> str:
    """The totals in one line."""
    counts = Counter(hook.status for hook in change_set.hooks)
    name = change_set.source.kit or change_set.source.root.name
    present = counts[Status.PRESENT]
    if present and counts.total() == present and not change_set.changes:
        stand = "1 hook stands" if present == 1 else f"{present} hooks stand"
        return f"{name}: nothing to do, {stand} already"
    parts = [f"{counts[status]} {status.value}" for status in Status if counts[status]]
    hooks = f"hooks: {', '.join(parts)}" if parts else "no hooks"
    added = sum(edit.lines_added for edit in change_set.edits)
    removed = sum(edit.lines_removed for edit in change_set.edits)
    files = len(change_set.changes)
    lines = f"+{added} -{removed} lines in {files} file{'s' * (files != 1)}"
    return f"{name}: {hooks}; {lines}"


def print_damaged(files: Mapping[Path, str]) -> None:
    """Result files that were left out, one line each, on standard error."""
    for file, reason in files.items():
        say(f"{file} is left out: {reason}.", err=True)
