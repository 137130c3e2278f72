"""How commands say what they did or found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemod.base.changeset import ChangeSet, Skip, Status, by_reason
from codemod.base.tally import hook_counts
from codemod.base.terminal.templates import templates
from codemod.base.terminal.text import one_line

if TYPE_CHECKING:
    from codemod.judging.verdict import Verdict
    from codemod.work.planning import PlanOutcome

# The version of the forms of what `--json` prints, which `forms.yaml` has. A key that is added
# leaves it; a key that is taken out, or means something else, counts it up.
VERSION = 1
# Files that share a reason are listed one by one up to so many, then together.
_APART = 3
_LISTED = 10
_COLOURS = {Status.INSERTED: "green", Status.PRESENT: "blue", Status.UNPLACED: "yellow"}


def rendered(template: str, **values: Any) -> str:
    """A text of several lines by a template of `cli/templates/`; nothing in it acts."""
    environment = templates("codemod.cli", lstrip_blocks=True)
    environment.filters["line"] = one_line
    return environment.get_template(f"{template}.j2").render(values)


def count(number: int, thing: str) -> str:
    """The number with its noun: `1 config`, `2 configs`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def shown_verdict(verdict: Verdict) -> str:
    """A verdict as a column of its own, in the colour of what passes or does not."""
    return click.style(f"{verdict.value:16}", fg="green" if verdict.passed else "red")


def say(text: str, *, err: bool = False) -> None:
    """Print one line in which the names of files cannot do more than be read."""
    click.echo(one_line(text), err=err)


def print_object(fields: Mapping[str, Any], *, indent: int | None = None) -> None:
    """Print one object on standard output, its form's version first."""
    click.echo(json.dumps(versioned(fields), ensure_ascii=False, indent=indent))


def versioned(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The object with the version of its form."""
    return {"version": VERSION, **fields}


def print_json(outcomes: Sequence[PlanOutcome], *, with_patch: bool = False) -> None:
    """One object: the target's own, or `{"kits": [...]}` when there were several.

    With the patch it has that too, as `diff` prints it; bytes that are no UTF-8 are escaped as
    Python's `surrogateescape` does, so that encoding it again gives them back.
    """
    objects = [outcome.to_json() for outcome in outcomes]
    if with_patch:
        from codemod.base.patch.mail import mail

        for made, outcome in zip(objects, outcomes, strict=True):
            if outcome.change_set is not None:
                made["patch"] = mail(outcome.change_set).decode("utf-8", "surrogateescape")
    whole = objects[0] if len(objects) == 1 else {"kits": objects}
    print_object(whole, indent=1)


def print_errors(outcomes: Sequence[PlanOutcome]) -> None:
    """The errors, one line each, on standard error."""
    for outcome in outcomes:
        if outcome.error is not None:
            name = f"{outcome.request.target}: " if len(outcomes) > 1 else ""
            say(f"Error: {name}{outcome.error}", err=True)


def print_hooks(change_set: ChangeSet, *, written: bool, err: bool = False) -> None:
    """One line a hook and a file that was skipped; `written` as in `summary`."""
    idle = {hook: path for path, hooks in change_set.idle.items() for hook in hooks}
    for hook in change_set.hooks:
        place = f"{hook.file}:{hook.line}" if hook.line else hook.file
        planned = hook.status is Status.INSERTED and not written
        word = "to insert" if planned else f"{hook.status.value:8}"
        if hook.moved_from is not None:
            word = "to move" if planned else f"{'moved':8}"
        status = click.style(word, fg=_COLOURS[hook.status])
        shut = f" No longer reached: {idle[hook]} changes." if hook in idle else ""
        text = one_line(f"{place}  {hook.scope}  {hook.target}  {hook.reason}{shut}")
        click.echo(f"{status}  {text}", err=err)
    mark = click.style("left alone", fg="yellow")
    for line in skip_lines(change_set.skipped):
        click.echo(f"{mark}  {one_line(line)}", err=err)


def skip_lines(skips: Sequence[Skip]) -> Iterator[str]:
    """What was left alone: a line a file, or one for many files that share a reason."""
    for reason, places in by_reason(skips).items():
        if len(places) <= _APART:
            yield from (f"{place}  {reason}" for place in places)
            continue
        more = f" and {len(places) - _LISTED} more (--json)" if len(places) > _LISTED else ""
        yield f"{len(places)} files  {reason}: {', '.join(places[:_LISTED])}{more}"


def training_files(change_set: ChangeSet, *, written: bool = False) -> str:
    """How many files train, with a hook of their own or elsewhere, and without; else nothing.

    `written` says whether the planned hooks were inserted, or only could be. Why a file has none
    stands in the list, and how many have one of their own in the object that `--json` prints.
    """
    files = change_set.training_files
    planned = 0 if written else files.planned + files.later
    reached = files.hooked + files.planned + files.covered
    parts = [
        (reached - planned, "with a hook"),
        (planned, "to get one"),
        (files.unplaced + files.left_alone, "without"),
    ]
    said = ", ".join(f"{number} {words}" for number, words in parts if number)
    noun = "file trains" if files.total == 1 else "files train"
    return f"{files.total} {noun}: {said}" if files.total else ""


def summary(change_set: ChangeSet, *, written: bool) -> str:
    """The totals in one line; `written` says whether the change was, or only could be."""
    name = change_set.source.name
    trained = training_files(change_set, written=written)
    hooks = hook_counts(change_set.hooks, written=written)
    present = {hook.status for hook in change_set.hooks} == {Status.PRESENT}
    if present and not change_set.changes:
        return "; ".join(filter(None, (f"{name}: nothing to do, {hooks} already", trained)))
    lines = f"+{change_set.lines_added} -{change_set.lines_removed} lines"
    changed = f"{lines} in {count(len(change_set.changes), 'file')}"
    return "; ".join(filter(None, (f"{name}: {hooks}", changed, trained)))


def print_damaged(files: Mapping[Path, str]) -> None:
    """Result files that were left out, one line each, on standard error."""
    for file, reason in files.items():
        say(f"{file} is left out: {reason}.", err=True)
