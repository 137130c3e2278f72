"""`codemod apply`: insert the hooks into a kit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from codemod.base.errors import CodemodError, FindingsError, UsageError
from codemod.cli import options
from codemod.cli.output import print_errors, print_hooks, print_json, say, summary
from codemod.work.planning import PlanOutcome, Request, outcomes, requests, root_and_plan


@click.command(name="apply")
@options.targets
@options.everything
@options.path
@options.rules
@options.fixes
@options.switch
@options.flag("--dry-run", "Show the change, write nothing.")
@options.flag("--interactive", "Accept or reject hunk by hunk.")
@options.flag(
    "--rehearse", "First run each trainer on a stand-in for Paddle, before and after, in a box."
)
@options.allow_dirty
@options.said_in
@options.as_json
@options.workspace
def command(
    dry_run: bool, interactive: bool, rehearse: bool, allow_dirty: bool, as_json: bool, **asked: Any
) -> int:
    """Insert the hooks into TARGET, and make their switch reachable.

    With the switch off, which is the default, the kit computes exactly what it did before.
    """
    if rehearse and (dry_run or interactive):
        raise UsageError(
            "--rehearse runs the repository's code before it is changed.",
            "Leave out --dry-run and --interactive.",
        )
    wanted = requests(**asked, repair=not dry_run)
    if interactive:
        return _interactive(wanted, allow_dirty=allow_dirty, as_json=as_json, dry_run=dry_run)
    results = list(outcomes(wanted))
    if rehearse:
        from codemod.base.launch.containment import tell

        tell(contained=True)
        results = [_rehearsed(result, quiet=as_json) for result in results]
    if not dry_run:
        results = [_written(result, allow_dirty=allow_dirty) for result in results]
    if as_json:
        print_json(results)
    elif dry_run:
        _show(results)
    else:
        _tell(results)
    print_errors(results)
    return max(result.exit_code for result in results)


def _rehearsed(result: PlanOutcome, *, quiet: bool) -> PlanOutcome:
    """The outcome with what its rehearsal found; an error where a hook must be refused."""
    from codemod.experiments.rehearse.rehearsal import RehearsalOutcome, rehearse

    if result.change_set is None:
        return result
    found = rehearse(result.change_set)
    for one in () if quiet else found:
        say(one.line(), err=True)
    if not any(one.outcome is RehearsalOutcome.REFUSED for one in found):
        return replace(result, rehearsed=found)
    error = FindingsError(
        "The rehearsal refuses a hook, and nothing was written.",
        "It names the event that differs; please report the trainer.",
    )
    return PlanOutcome(result.request, error=error, rehearsed=found)


def _written(result: PlanOutcome, *, allow_dirty: bool) -> PlanOutcome:
    """The outcome after its change set was written, or the error that prevented it."""
    from codemod.base.patch.apply import apply_changes

    if result.change_set is None:
        return result
    try:
        apply_changes(result.change_set, allow_dirty=allow_dirty)
    except CodemodError as error:
        return PlanOutcome(result.request, error=error)
    return result


def _tell(results: list[PlanOutcome]) -> None:
    for result in results:
        if result.change_set is not None:
            print_hooks(result.change_set, written=True)
            click.echo(summary(result.change_set, written=True))


def _show(results: list[PlanOutcome]) -> None:
    from rich.console import Console

    from codemod.hazards.trainer import near
    from codemod.reports.review import show

    console = Console()
    for result in results:
        if result.change_set is not None:
            show(result.change_set, console, near(result.change_set))


def _interactive(
    wanted: tuple[Request, ...], *, allow_dirty: bool, as_json: bool, dry_run: bool
) -> int:
    """Ask about each hook of one target, then write what was accepted."""
    if len(wanted) > 1 or as_json or dry_run or wanted[0].fixes:
        raise UsageError(
            "--interactive asks about one target in a terminal.",
            "Give one target, without --json, --dry-run and --with-fixes.",
        )
    from rich.console import Console

    from codemod.base.terminal.progress import LiveLine
    from codemod.reports.review.interactive import ask_hooks, decisions_file

    with LiveLine("Reading the kit"):
        root, made = root_and_plan(wanted[0])
    answers = decisions_file(made.change_set(frozenset()).source.root)
    chosen = ask_hooks(made, Console(), decisions=answers)
    result = _written(PlanOutcome(wanted[0], root, chosen.change_set), allow_dirty=allow_dirty)
    _tell([result])
    print_errors([result])
    return result.error.exit_code if result.error else 0
