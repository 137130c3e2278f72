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
from codemod.base.reason import Reason
from codemod.base.terminal.spoken import language, told
from codemod.base.terminal.text import one_line
from codemod.cli.output import count, rendered, say, skip_lines, training_files

if TYPE_CHECKING:
    from codemod.work.auditing import Audit

MARK = "<!-- codemod check -->"
_LEVELS = {
    Level.ERROR: Reason.of("cli.level-error"),
    Level.WARNING: Reason.of("cli.level-warning"),
    Level.NOTE: Reason.of("cli.level-note"),
}
_COLOURS = {Level.ERROR: "red", Level.WARNING: "yellow", Level.NOTE: "blue"}
# So many places are listed a kind; `--json` lists them all.
_LISTED = 10
_NAMED = 3


def print_audit(audit: Audit) -> None:
    """Findings grouped by kind, what they share said once; then the reach, then the total."""
    for (level, name), group in _grouped(audit.counting):
        style = click.style(f"{told(_LEVELS[level])} {name}", fg=_COLOURS[level])
        summary = kinds()[name].told(language())[0]
        kind = told(Reason.of("cli.kind", number=len(group), summary=summary))
        click.echo(f"{style}{kind}")
        blocked = name == CONFIG_BLOCKED
        for line in _blocked(group, audit.reach) if blocked else _places(group):
            say(f"  {told(line)}")
    mark = click.style(told(Reason.of("cli.left-alone")), fg="blue")
    for line in skip_lines(audit.change_set.skipped):
        click.echo(f"{mark} {one_line(line)}")
    trained = training_files(audit.change_set)
    if trained:
        say(Reason.of("audit.sentence", why=trained))
    if audit.reach:
        say(_reach(audit))
        for refused in _refused(audit):
            say(f"  {told(refused)}")
    for total in _totals(audit):
        say(total)


def _totals(audit: Audit) -> Iterator[Reason]:
    shown, ran = len(audit.counting), audit.executed
    if ran is not None:
        whole, unable = len(ran.main()), ran.unable
        lacking = Reason.of("cli.lacking", number=unable) if unable else ""
        agree = whole - unable - len(ran.differing(audit.reach))
        ways = len(ran.ways)
        yield Reason.of("cli.ran", ways=ways, agree=agree, whole=whole, lacking=lacking)
    if audit.change is not None:
        known = len(audit.judged.open) - shown
        yield Reason.of("cli.since", new=shown, known=known, gone=audit.change.fixed)
    if audit.judged.suppressed:
        yield Reason.of("cli.suppressed", number=len(audit.judged.suppressed))
    yield Reason.of("cli.found", number=shown)


def comment(audits: Sequence[Audit]) -> str:
    """The comment for a pull request, in Markdown; `MARK` finds it again."""
    return rendered(
        "check_comment.md" if language() == "en" else "check_comment.zh.md",
        audits=audits,
        mark=MARK,
        blocked=CONFIG_BLOCKED,
        listed=_LISTED,
        count=count,
        when_run=lambda audit: told(_when_run(audit)),
    )


def _grouped(findings: Sequence[Finding]) -> Iterator[tuple[tuple[Level, str], list[Finding]]]:
    levels = list(Level)
    ordered = sorted(findings, key=lambda f: (levels.index(f.level), f.kind, f.file, f.line or 0))
    for key, group in groupby(ordered, key=lambda finding: (finding.level, finding.kind)):
        yield key, list(group)


def _places(group: list[Finding]) -> Iterator[Reason | str]:
    """Where they are, under a message that several share, or each with its own."""
    shared = grouped((one.text(language()), one.place) for one in group)
    left = _LISTED
    for message, places in shared.items():
        if left <= 0:
            break
        if len(places) == 1:
            yield Reason.of("cli.at", place=places[0], message=message)
        else:
            yield Reason.of("cli.times", message=message, number=len(places))
            yield from (f"  {place}" for place in places[:left])
        left -= len(places)
    if len(group) > _LISTED:
        yield Reason.of("cli.more-listed", number=len(group) - _LISTED)


def _blocked(group: list[Finding], reach: Sequence[Reach]) -> Iterator[Reason | str]:
    """Blocked configs by reason: how many, with which values, and one of them."""
    files = {finding.file for finding in group}
    reasons = grouped(
        (_without_value(row.before), (str(dict(row.before.fields).get("value", "")), row.config))
        for row in reach
        if row.before and row.config in files
    )
    for why, rows in sorted(reasons.items(), key=lambda item: -len(item[1])):
        yield Reason.of("cli.blocked", number=len(rows), why=why)
        values = Counter(value for value, _ in rows if value not in ("", "None")).most_common()
        if len(values) > 1:
            each = [Reason.of("cli.value", value=value, number=number) for value, number in values]
            yield f"  {told(_listed(each, _LISTED))}"
        one = Reason.of("cli.such-as", config=rows[0][1]) if len(rows) > 1 else rows[0][1]
        yield f"  {told(one)}"


def _listed(names: Sequence[Reason | str], most: int) -> Reason:
    """The first of some names, and how many others there are."""
    first = Reason.of("base.several", parts=tuple(names[:most]))
    left = len(names) - most
    return Reason.of("cli.and-more", names=first, number=left) if left > 0 else first


def _without_value(reason: Reason) -> Reason:
    return in_common(reason) if "value" in dict(reason.fields) else reason


def _reach(audit: Audit) -> Reason:
    total, before = len(audit.reach), audit.reached
    after = sum(row.after is None for row in audit.reach)
    then = Reason.of("cli.applied", number=after) if after != before else ""
    change = audit.change
    delta = "" if change is None or not change.before else f"{before - change.before:+d}"
    run = _when_run(audit)
    return Reason.of("cli.reach", reached=before, total=total, run=run, change=delta, applied=then)


def _when_run(audit: Audit) -> Reason | str:
    """How many reach it when their option code is run, where that is another number."""
    ran = audit.executed
    if ran is None or not (ran.differing(audit.reach) or ran.behind(audit.reach)):
        return ""
    number = ran.behind(audit.reach)
    behind = Reason.of("cli.behind", number=number) if number else ""
    able = len(ran.main()) - ran.unable
    return Reason.of("cli.run", reached=ran.reached, able=able, behind=behind)


def _refused(audit: Audit) -> Iterator[Reason]:
    """The configs that the kit's rule leaves alone, by reason, unless the findings list them."""
    listed = {finding.file for finding in audit.judged.open if finding.kind == CONFIG_BLOCKED}
    reasons = grouped(
        (in_common(row.before), row.config)
        for row in audit.reach
        if row.refused and row.before and row.config not in listed
    )
    for why, configs in reasons.items():
        which = _listed(configs, _NAMED)
        yield Reason.of("cli.refused", number=len(configs), why=why, which=which)


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
        yield f"::{_COMMANDS[finding.level]} {values}::{_escaped(finding.text(language()))}"


def _escaped(text: str, more: str = "") -> str:
    """Text that cannot end a command or begin another one."""
    for letter in ("%", "\r", "\n", *more):
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text
