"""`codemod rules`: list, show, test and draft rules."""

from __future__ import annotations

from pathlib import Path

import click

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.progress import LiveLine
from codemod.cli import completion, options
from codemod.cli.output import print_object
from codemod.cli.table import print_table
from codemod.kits.rule import load
from codemod.kits.rulebook import rule_files, rule_for


@click.group()
def command() -> None:
    """List, show, test or draft rules."""


@command.command("list")
@options.as_json
def list_rules(as_json: bool) -> None:
    """List the rules, with the trainers that each names."""
    rules = [(_name(path), load(path)) for path in rule_files()]
    if as_json:
        rows = [
            {"file": name, "kits": list(rule.kits), "trainers": [t.id for t in rule.trainers]}
            for name, rule in rules
        ]
        print_object({"rules": rows}, indent=1)
        return
    listed = [
        (name, ", ".join(rule.kits), ", ".join(one.id for one in rule.trainers))
        for name, rule in rules
    ]
    print_table(("rule", "kits", "trainers"), listed)


def _name(rule: Path) -> str:
    """A rule file as `Kit/rule.yaml`."""
    return f"{rule.parent.name}/{rule.name}"


@command.command("show")
@click.argument("kit", shell_complete=completion.kits)
def show_rule(kit: str) -> None:
    """Print the rule of a kit."""
    click.echo(Path(rule_for(kit).path).read_text(encoding="utf-8"), nl=False)


@command.command("test")
@click.argument("kits", metavar="[KIT]...", nargs=-1, shell_complete=completion.kits)
@options.as_json
def test_rules(kits: tuple[str, ...], as_json: bool) -> int:
    """Run the before/after cases of the rules.

    A rule without a case is an error where it is named, and passed over else.
    """
    from codemod.engine.rule_cases import cases_file, load_cases, run_case

    files = [Path(rule_for(kit).path) for kit in kits] or rule_files()
    rows = []
    for rule in dict.fromkeys(files):
        beside = cases_file(rule)
        cases = load_cases(beside) if beside.is_file() else ()
        if kits and not cases:
            raise UsageError(f"{_name(rule)} has no cases.", f"Write some in {beside}.")
        with LiveLine(f"Running the cases of {_name(rule)}"):
            rows += [{"rule": _name(rule), "case": c.name, "fault": run_case(c)} for c in cases]
    faults = [row for row in rows if row["fault"]]
    if as_json:
        print_object({"cases": rows, "failed": len(faults)}, indent=1)
    else:
        for row in faults:
            click.echo(f"{row['rule']}: {row['case']}\n{row['fault']}\n")
        click.echo(f"{len(rows) - len(faults)} of {len(rows)} cases hold.")
    return 1 if faults else 0


@command.command("scaffold")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@options.workspace
def scaffold_rule(folder: Path, workspace: Path | None) -> None:
    """Print a draft rule for a repository without one."""
    from codemod.engine.scaffold import scaffold
    from codemod.kits.sources import resolve

    with LiveLine("Reading the repository"):
        source = resolve(str(folder), None, Workspace.at(workspace))
        draft = scaffold(source)
    click.echo(draft, nl=False)
