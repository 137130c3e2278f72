"""`codemod check`: whether hooks are complete, reachable and well placed."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from codemod.audit.baseline import Baseline, check_kits, read_baselines, write_baselines
from codemod.audit.kinds import kinds, matching
from codemod.audit.sarif import to_sarif
from codemod.base.errors import CodemodError, UsageError
from codemod.base.files.shared_file import export
from codemod.base.terminal.doing import note
from codemod.base.terminal.spoken import language
from codemod.cli import completion, options
from codemod.cli.check_text import baseline_words, print_audit, workflow_commands
from codemod.cli.check_text import comment as comment_on
from codemod.cli.output import print_object, say
from codemod.work.auditing import Audit, AuditRequest, against, check
from codemod.work.planning import AUDITING, FIXING, PLANNING, requests, spread

_LEVELS = {"error": ("error",), "warning": ("error", "warning"), "none": ()}
_kinds = partial(click.option, multiple=True, metavar="ID", shell_complete=completion.finding_kinds)


@click.command(name="check")
@options.targets
@options.everything
@options.path
@options.workspace
@_kinds("--select", help="Only this kind; globs such as tipc-*.")
@_kinds("--ignore", help="Not this kind; globs as well.")
@click.option(
    "--fail-on",
    type=click.Choice(list(_LEVELS)),
    default="warning",
    help="The lowest level that makes the exit code 1.",
)
@options.place("--baseline", "Fail only on findings that are not in this file.", folder=False)
@options.flag("--write-baseline", "Write the file of --baseline, exit code 0.")
@options.place(
    "--comment",
    "Also write a pull request comment: the change in reach, what is new (Markdown).",
    folder=False,
)
@options.flag(
    "--exec",
    "Also run the kit's own option code for each config, in its environment; no training.",
    into="execute",
)
@options.flag("--every-way", "With --exec: all ways of the switch on all configs.")
@options.flag("--strict", "Configs that the kit's rule refuses are findings, too.")
@options.paddle("With --exec: the Paddle to run under (default: the recipe's).")
@options.as_json
@options.flag("--sarif", "Print a SARIF log, for a code host.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    help="text, --json, --sarif, or github: workflow commands that mark the lines.",
)
@options.said_in
def command(
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    baseline: Path | None,
    write_baseline: bool,
    comment: Path | None,
    execute: bool,
    every_way: bool,
    strict: bool,
    paddle: str | None,
    as_json: bool,
    sarif: bool,
    form: str | None,
    **asked: Any,
) -> int:
    """Check that a kit's hooks are complete, reachable and well placed. Exit code 1: findings.

    `# codemod: ignore[KIND] the reason`, on a line or above it, suppresses a finding.
    """
    printed = _form(as_json, sarif, form)
    if write_baseline and baseline is None:
        raise UsageError("--write-baseline needs a file.", "Give --baseline FILE as well.")
    chosen = (matching(select) if select else frozenset(kinds())) - matching(ignore)
    wanted = requests(**asked)
    if (every_way or paddle) and not execute:
        raise UsageError("--every-way and --paddle say how --exec runs.", "Give --exec as well.")
    audited = [AuditRequest(one, chosen, execute, paddle, every_way, strict) for one in wanted]
    if execute:
        from codemod.base.launch.containment import tell

        tell(contained=True)
    earlier = read_baselines(baseline) if baseline and not write_baseline else None
    named, modules = [one.target for one in wanted], (*PLANNING, *FIXING, *AUDITING)
    made = list(spread(check, audited, "Checking", named, modules))
    errors = [one for one in made if isinstance(one, CodemodError)]
    if errors and (len(made) == 1 or write_baseline):
        raise errors[0]
    audits = [one for one in made if isinstance(one, Audit)]
    if baseline is not None:
        audits = _with_baseline(audits, baseline, earlier)
    if comment:
        export(comment, comment_on(audits).encode("utf-8", "backslashreplace"))
    _print(audits, one_kit=len(made) == 1, form=printed)
    for error in errors:
        say(f"Error: {error}", err=True)
    levels = () if write_baseline else _LEVELS[fail_on]
    found = any(finding.level.value in levels for audit in audits for finding in audit.counting)
    return max(int(found), *(error.exit_code for error in errors), 0)


def _with_baseline(
    audits: list[Audit], file: Path, earlier: dict[str, Baseline] | None
) -> list[Audit]:
    """The audits compared with what the file held; None means that it is to be written."""
    if earlier is None:
        write_baselines(file, {audit.name: audit.as_baseline() for audit in audits})
        for audit in audits:
            note(f"{file}: {baseline_words(audit)}. With --baseline only what is new fails.")
        return audits
    if audits:
        check_kits(file, earlier, [audit.name for audit in audits])
    return [against(audit, earlier) for audit in audits]


def _form(as_json: bool, sarif: bool, form: str | None) -> str:
    """The form that was asked for, in the one way or the other.

    Raises:
        UsageError: several were.
    """
    asked = {one for one in ("json" * as_json, "sarif" * sarif, form) if one}
    if len(asked) > 1:
        raise UsageError(
            f"--{' and --'.join(sorted(asked))} both print to standard output.", "Give one of them."
        )
    return asked.pop() if asked else "text"


def _print(audits: list[Audit], *, one_kit: bool, form: str) -> None:
    """The audits on standard output, in the form that was asked for."""
    if form == "sarif":
        runs = [(audit.judged, audit.counting if audit.change else None) for audit in audits]
        log = to_sarif(runs, language())
        click.echo(json.dumps(log, ensure_ascii=False, indent=1))
    elif form == "github":
        for audit in audits:
            for line in workflow_commands(audit):
                click.echo(line)
    elif form == "json":
        objects = [audit.to_json() for audit in audits]
        whole = objects[0] if one_kit else {"kits": objects}
        print_object(whole)
    else:
        for audit in audits:
            if not one_kit:
                click.secho(audit.name, bold=True)
            print_audit(audit)
