"""How commands say what they did or found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemod.base.changeset import ChangeSet, Skip, Status, by_reason
from codemod.base.reason import Reason, spoken
from codemod.base.tally import hook_counts
from codemod.base.terminal.spoken import language, told
from codemod.base.terminal.templates import templates
from codemod.base.terminal.text import one_line

if TYPE_CHECKING:
    from codemod.judging.evidence.result import ModeResult
    from codemod.judging.verdict import Verdict
    from codemod.work.planning import PlanOutcome

# The version of the forms of what `--json` prints, which `forms.yaml` has. A key that is added
# leaves it; a key that is taken out, or means something else, counts it up.
VERSION = 1
# Files that share a reason are listed one by one up to so many, then together.
_APART = 3
_LISTED = 10
_WORDS = {
    Status.INSERTED: Reason.of("cli.inserted"),
    Status.PRESENT: Reason.of("cli.present"),
    Status.UNPLACED: Reason.of("cli.unplaced"),
}
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


def mode_reason(result: ModeResult) -> str:
    """Why a mode has its verdict; in Chinese after the verdict's own word, its id stands before."""
    if language() == "en":
        return result.reason
    from codemod.judging.words import verdict_word

    word = Reason.of("cli.verdict", word=verdict_word(result.verdict, "zh"))
    return spoken((word, *result.sentences), "zh")


def say(text: Reason | str, *, err: bool = False) -> None:
    """Print one line in which the names of files cannot do more than be read."""
    click.echo(one_line(told(text)), err=err)


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
        word = Reason.of("cli.to-insert") if planned else _WORDS[hook.status]
        if hook.moved_from is not None:
            word = Reason.of("cli.to-move") if planned else Reason.of("cli.moved")
        status = click.style(told(word), fg=_COLOURS[hook.status])
        shut = told(Reason.of("cli.idle", file=idle[hook])) if hook in idle else ""
        text = one_line(f"{place}  {hook.scope}  {hook.target}  {told(hook.reason)}{shut}")
        click.echo(f"{status}  {text}", err=err)
    mark = click.style(told(Reason.of("cli.left-alone")), fg="yellow")
    for line in skip_lines(change_set.skipped):
        click.echo(f"{mark}  {one_line(line)}", err=err)


def skip_lines(skips: Sequence[Skip]) -> Iterator[str]:
    """What was left alone: a line a file, or one for many files that share a reason."""
    for why, places in by_reason(skips).items():
        if len(places) <= _APART:
            yield from (f"{place}  {told(why)}" for place in places)
            continue
        number, listed, left = len(places), tuple(places[:_LISTED]), len(places) - _LISTED
        more = Reason.of("cli.more-json", number=left) if left > 0 else ""
        yield told(Reason.of("cli.skipped", number=number, why=why, places=listed, more=more))


def training_files(change_set: ChangeSet, *, written: bool = False) -> str:
    """How many files train, with a hook of their own or elsewhere, and without; else nothing.

    `written` says whether the planned hooks were inserted, or only could be. Why a file has none
    stands in the list, and how many have one of their own in the object that `--json` prints.
    """
    files = change_set.training_files
    planned = 0 if written else files.planned + files.later
    reached = files.hooked + files.planned + files.covered
    parts = (
        Reason.of("cli.trained-hooked", number=reached - planned),
        Reason.of("cli.trained-planned", number=planned),
        Reason.of("cli.trained-without", number=files.unplaced + files.left_alone),
    )
    counts = tuple(one for one in parts if one["number"])
    return told(Reason.of("cli.trained", total=files.total, counts=counts)) if files.total else ""


def summary(change_set: ChangeSet, *, written: bool) -> str:
    """The totals in one line; `written` says whether the change was, or only could be."""
    name = change_set.source.name
    trained = training_files(change_set, written=written)
    hooks = hook_counts(change_set.hooks, written=written, language=language())
    present = {hook.status for hook in change_set.hooks} == {Status.PRESENT}
    files, lines = len(change_set.changes), f"+{change_set.lines_added} -{change_set.lines_removed}"
    if present and not files:
        parts: tuple[Reason | str, ...] = (Reason.of("cli.already", hooks=hooks), trained)
    else:
        parts = (hooks, Reason.of("cli.lines", lines=lines, files=files), trained)
    return told(Reason.of("cli.summary", name=name, parts=tuple(filter(None, parts))))


def print_damaged(files: Mapping[Path, str]) -> None:
    """Result files that were left out, one line each, on standard error."""
    for file, reason in files.items():
        say(f"{file} is left out: {reason}.", err=True)
