"""`codemod report`: one page with all parity results."""

from __future__ import annotations

from pathlib import Path

import click

from codemod.base.errors import UsageError
from codemod.base.workspace import Workspace
from codemod.cli import options


@click.command(name="report")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where to write the page (default: results/index.html in the workspace).",
)
@options.as_json
@options.workspace
def command(output: Path | None, as_json: bool, workspace: Path | None) -> int:
    """Write one HTML page with the parity results of all kits."""
    import json

    from codemod.evidence.results import newest, read_results
    from codemod.parity.pages import write_overview

    place = Workspace.at(workspace)
    results = newest(read_results(place.root / "results"))
    if not results:
        raise UsageError(
            f"{place.root} holds no results.", "First run: codemod parity KIT -c CONFIG"
        )
    page = output or place.root / "results" / "index.html"
    write_overview(page, results)
    if as_json:
        rows = [
            {
                "kit": r["kit"],
                "config": r["config"],
                "paddle": r["paddle"],
                "device": r["device"],
                "interrupted": bool(r.get("interrupted")),
                "modes": {mode: fields["verdict"] for mode, fields in r["modes"].items()},
            }
            for _, r in results
        ]
        click.echo(json.dumps({"report": str(page), "results": rows}, ensure_ascii=False))
    else:
        click.echo(f"{len(results)} results: {page}")
    return 0
