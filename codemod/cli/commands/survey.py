"""`codemod survey`: the list of all models, with what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemod.base.collector import collector_paused
from codemod.base.errors import CodemodError
from codemod.cli import options
from codemod.cli.output import print_damaged, say
from codemod.cli.table import print_table
from codemod.work.planning import requests, spread

if TYPE_CHECKING:
    from codemod.reports.survey.pages.document import Survey
    from codemod.reports.survey.pages.files import Output
    from codemod.reports.survey.rows import KitSurvey


@click.command(name="survey")
@options.targets
@options.everything
@options.path
@options.workspace
@options.as_json
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to write: a .md, .html, .csv, .json or .json.gz file, or DIR/ for the first four "
    "(Markdown with a page a kit).",
)
@options.language("Language of a document whose name does not say it (as survey.en.md does).", "zh")
@options.place(
    "--since",
    "The JSON of an earlier survey to compare with (default: the one beside the output).",
    "FILE",
)
@collector_paused()
def command(
    as_json: bool, output: str | None, language: str, since: Path | None, **asked: Any
) -> int:
    """Write the list of all models: configs, hooks, verdicts in AST and SOT, evidence.

    Verdicts come from parity results in the workspace, else from probes, else from the code alone.
    """
    from codemod.reports.survey.pages import files
    from codemod.work.surveying import SURVEYING
    from codemod.work.surveying import survey as survey_one

    wanted = requests(**asked)
    # `Path` would drop the slash that says folder.
    places: tuple[Output, ...] = ()
    if output:
        folder = output.endswith("/") or Path(output).is_dir()
        places = files.outputs(Path(output), language, folder=folder)
    earlier = since or (files.last_beside(places) if places else None)
    targets = [one.target for one in wanted]
    outcomes = list(spread(survey_one, wanted, "Surveying", targets, SURVEYING))
    survey = _joined(outcomes, earlier)
    if places:
        files.write(survey, places, wanted[0].workspace)
    if as_json:
        click.echo(files.as_json(survey), nl=False)
    else:
        _print(survey, places)
    for kit in survey.kits:
        print_damaged(kit.damaged)
    failed = {
        request.target: made
        for request, made in zip(wanted, outcomes, strict=True)
        if isinstance(made, CodemodError)
    }
    for target, error in failed.items():
        say(f"Error: {target}: {error}", err=True)
    return max((error.exit_code for error in failed.values()), default=0)


def _joined(outcomes: Sequence[KitSurvey | CodemodError], earlier: Path | None) -> Survey:
    """The survey of all kits that could be read, with what changed."""
    from codemod.reports.survey.pages.changes import changes, read_survey
    from codemod.reports.survey.pages.document import Survey, to_json

    before = read_survey(earlier) if earlier else None
    errors = [made for made in outcomes if isinstance(made, CodemodError)]
    kits = tuple(made for made in outcomes if not isinstance(made, CodemodError))
    if not kits:
        raise errors[0]
    survey = Survey(kits, datetime.now(timezone.utc).date().isoformat())
    if before is None:
        return survey
    found = tuple(changes(before, to_json(survey, "")))
    return replace(survey, changes=found, last=str(before.get("date", "")))


def _print(survey: Survey, places: Sequence[Output]) -> None:
    """A table of the kits' totals; columns of plain text for a pipe."""
    from codemod.reports.survey.pages.document import SUMMARY_LEGEND, summary

    lines = summary(survey)
    print_table(lines[0], lines[1:])
    for line in SUMMARY_LEGEND:
        say(line)
    for place in places:
        for name in (place.file.name, *place.pages(survey).values()):
            click.echo(str(place.file.with_name(name)))
