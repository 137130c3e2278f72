"""An audit in words: for a terminal, and as the comment on a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from codemod.audit.findings import CONFIG_BLOCKED, Finding, Level
from codemod.audit.kinds import kinds
from codemod.audit.reach import Reach, in_common
from codemod.base.grouping import grouped
from codemod.base.terminal.text import one_line
from codemod.cli.output import count, rendered, say, skip_lines, training_files

if TYPE_CHECKING:
    from codemod.base.reason import Reason
    from codemod.work.auditing import Audit

MARK = "<!-- codemod check -->"
_COLOURS = {Level.ERROR: "red", Level.WARNING: "yellow", Level.NOTE: "blue"}
# So many places are listed a kind; `--json` lists them all.
_LISTED = 10
_NAMED = 3


def print_audit(audit: Audit) -> None:
    """Findings grouped by kind, what they share said once; then the reach, then the total."""
    shown = audit.counting
    for (level, name), group in _grouped(shown):
        style = click.style(f"{level.value} {name}", fg=_COLOURS[level])
        click.echo(f"{style} ({len(group)}): {kinds()[name].summary}")
        for line in _blocked(group, audit.reach) if name == CONFIG_BLOCKED else _places(group):
            say(f"  {line}")
    mark = click.style("left alone", fg="blue")
    for line in skip_lines(audit.change_set.skipped):
        click.echo(f"{mark} {one_line(line)}")
    trained = training_files(audit.change_set)
    if trained:
        click.echo(f"{trained}.")
    if audit.reach:
        click.echo(_reach(audit))
        for line in _refused(audit):
            say(f"  {line}")
    if audit.executed is not None:
        whole, unable = len(audit.executed.main()), audit.executed.unable
        agree = whole - unable - len(audit.executed.differing(audit.reach))
        lacking = f", {unable} not run for want of files or packages" if unable else ""
        ways = count(len(audit.executed.ways), "way")
        click.echo(
            f"Run in {ways}: {agree} of {count(whole, 'config')} as their code says{lacking}."
        )
    if audit.change is not None:
        known = len(audit.judged.open) - len(shown)
        click.echo(f"New: {len(shown)}; in the baseline: {known}; gone: {audit.change.fixed}.")
    if audit.judged.suppressed:
        click.echo(f"Suppressed by comments: {len(audit.judged.suppressed)}.")
    click.echo(f"{count(len(shown), 'finding')}.")


def comment(audits: Sequence[Audit]) -> str:
    """The comment for a pull request, in Markdown; `MARK` finds it again."""
    return rendered(
        "check_comment.md",
        audits=audits,
        mark=MARK,
        blocked=CONFIG_BLOCKED,
        listed=_LISTED,
        count=count,
        when_run=_when_run,
    )


def _grouped(findings: Sequence[Finding]) -> Iterator[tuple[tuple[Level, str], list[Finding]]]:
    levels = list(Level)
    ordered = sorted(findings, key=lambda f: (levels.index(f.level), f.kind, f.file, f.line or 0))
    for key, group in groupby(ordered, key=lambda finding: (finding.level, finding.kind)):
        yield key, list(group)


def _places(group: list[Finding]) -> Iterator[str]:
    """Where they are, under a message that several share, or each with its own."""
    shared = grouped((f"{one.message} {one.remedy}".strip(), one.place) for one in group)
    left = _LISTED
    for message, places in shared.items():
        if left <= 0:
            break
        if len(places) == 1:
            yield f"{places[0]}: {message}"
        else:
            yield f"{message} ({len(places)} times)"
            yield from (f"  {place}" for place in places[:left])
        left -= len(places)
    if len(group) > _LISTED:
        yield f"and {len(group) - _LISTED} more (--json lists all)"


def _blocked(group: list[Finding], reach: Sequence[Reach]) -> Iterator[str]:
    """Blocked configs by reason: how many, with which values, and one of them."""
    files = {finding.file for finding in group}
    reasons = grouped(
        (_without_value(row.before), (str(dict(row.before.fields).get("value", "")), row.config))
        for row in reach
        if row.before and row.config in files
    )
    for why, rows in sorted(reasons.items(), key=lambda item: -len(item[1])):
        yield f"{count(len(rows), 'config')}: {why}"
        values = Counter(value for value, _ in rows if value not in ("", "None")).most_common()
        if len(values) > 1:
            more = f" and {len(values) - _LISTED} more" if len(values) > _LISTED else ""
            listed = ", ".join(f"{value} ({number})" for value, number in values[:_LISTED])
            yield f"  {listed}{more}"
        yield f"  {'such as ' if len(rows) > 1 else ''}{rows[0][1]}"


def _without_value(reason: Reason) -> Reason:
    return in_common(reason) if "value" in dict(reason.fields) else reason


def _reach(audit: Audit) -> str:
    total, before = len(audit.reach), audit.reached
    after = sum(row.after is None for row in audit.reach)
    then = f"; after `codemod apply` {after}" if after != before else ""
    change = audit.change
    delta = "" if change is None or not change.before else f" ({before - change.before:+d})"
    return f"{before} of {count(total, 'config')} reach a hook{_when_run(audit)}{delta}{then}."


def _when_run(audit: Audit) -> str:
    """How many reach it when their option code is run, where that is another number."""
    ran = audit.executed
    if ran is None or not (ran.differing(audit.reach) or ran.behind(audit.reach)):
        return ""
    behind = ran.behind(audit.reach)
    cannot = f", {behind} of them one with which training fails or is wrong" if behind else ""
    return f" by their code, {ran.reached} of {len(ran.main()) - ran.unable} when it is run{cannot}"


def _refused(audit: Audit) -> Iterator[str]:
    """The configs that the kit's rule leaves alone, by reason, unless the findings list them."""
    listed = {finding.file for finding in audit.judged.open if finding.kind == CONFIG_BLOCKED}
    reasons = grouped(
        (in_common(row.before), row.config)
        for row in audit.reach
        if row.refused and row.before and row.config not in listed
    )
    for why, configs in reasons.items():
        which = ", ".join(configs[:_NAMED]) + f" and {len(configs) - _NAMED} more" * (
            len(configs) > _NAMED
        )
        yield f"{count(len(configs), 'config')} by the kit's rule: {why}: {which}"


def baseline_words(audit: Audit) -> str:
    """What a baseline keeps of an audit, in words."""
    total = len(audit.reach)
    reach = f", {audit.reached} of {count(total, 'config')} that reach a hook" if total else ""
    return f"{count(len(audit.judged.open), 'finding')} of {audit.name}{reach}"


# As the runner reads them: https://docs.github.com/actions, "Workflow commands".
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def workflow_commands(audit: Audit) -> Iterator[str]:
    """The findings that count as GitHub's workflow commands: each marks its line."""
    for finding in audit.counting:
        place = {"file": finding.file, "title": f"codemod {finding.kind}"}
        if finding.line:
            place["line"] = str(finding.line)
        values = ",".join(f"{name}={_escaped(value, ',:')}" for name, value in place.items())
        text = _escaped(f"{finding.message} {finding.remedy}".strip())
        yield f"::{_COMMANDS[finding.level]} {values}::{text}"


def _escaped(text: str, more: str = "") -> str:
    """Text that cannot end a command or begin another one."""
    for letter in ("%", "\r", "\n", *more):
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text
