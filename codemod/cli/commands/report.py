"""`codemod report`: one page with all parity results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import named
from codemod.cli import options
from codemod.cli.output import print_damaged, print_object

if TYPE_CHECKING:
    from codemod.judging.evidence.result import Result
    from codemod.judging.evidence.result_files import KeptResult


@click.command(name="report")
@options.place(
    "-o --output", "Where to write the page (default: results/index.html in the workspace).", "FILE"
)
@options.as_json
@options.workspace
def command(output: Path | None, as_json: bool, workspace: Path | None) -> int:
    """Write one HTML page with the parity results of all kits.

    What was measured in this workspace and what is shipped with the tool are told apart, with date
    and device.
    """
    from codemod.experiments.parity.pages import provenance, write_overview
    from codemod.judging.evidence.result_files import PARITY_FOLDER, newest, read_results

    place = Workspace.at(workspace)
    kept = read_results(place.root / PARITY_FOLDER)
    print_damaged(kept.damaged)
    results = (*newest(kept.results), *_of_base(kept.results))
    if not results:
        raise UsageError(
            f"{place.root} holds no results.", "First run: codemod parity KIT -c CONFIG"
        )
    page = output or place.root / PARITY_FOLDER / "index.html"
    write_overview(page, results)
    if as_json:
        rows = [_row(one) for one in results]
        print_object({"report": str(page), "results": rows})
    else:
        own = sum(provenance(one).origin == "own" for one in results)
        click.echo(
            f"{len(results)} results, {own} of this workspace and {len(results) - own} shipped "
            f"with the tool: {page}"
        )
    return 0


def _of_base(own: Iterable[KeptResult]) -> Iterator[KeptResult]:
    """The base's parity runs of what the workspace has no result for."""
    from codemod.judging.evidence import base
    from codemod.judging.evidence.result_files import KeptResult

    seen = {_place(kept.result) for kept in own}
    for file in base.files():
        for result in base.parity_results(file.stem):
            if _place(result) not in seen:
                yield KeptResult(file, result, 0.0)


def _place(result: Result) -> tuple[str | None, ...]:
    return (result.kit, result.config, result.paddle, result.device)


def _row(kept: KeptResult) -> dict[str, object]:
    from codemod.experiments.parity.pages import provenance

    result = kept.result
    return {
        **asdict(provenance(kept)),
        **named(result, "kit", "config", "paddle", "device", "interrupted"),
        "modes": {mode: fields.verdict.value for mode, fields in result.modes.items()},
    }
