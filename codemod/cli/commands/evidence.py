"""`codemod evidence`: the base of what was measured, added to, listed and checked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import to_json
from codemod.cli import options
from codemod.cli.output import print_damaged, print_object, rendered, say
from codemod.judging.evidence import base
from codemod.kits.catalogue import find_kit

if TYPE_CHECKING:
    from codemod.judging.evidence.result import Result
    from codemod.judging.evidence.rows import EvidenceRow

_NOUNS = {
    "proofs": "proofs of fixes",
    "speed": "rows of speed",
    "convergence": "rows of convergence",
}


@click.group(name="evidence")
def command() -> None:
    """Add to, list and check the base of evidence: what was measured, kept with the tool."""


@command.command(name="add")
@options.place(
    "--to", "Write to evidence/ in this folder, such as a checkout of this project.", file=False
)
@options.as_json
@options.workspace
def add(to: Path | None, as_json: bool, workspace: Path | None) -> int:
    """Take the workspace's results of parity runs, probes and timings into the base.

    Rows are written to evidence/ in the folder that --to or CODEMOD_DATA names, else in the git
    checkout that the tool runs from, else in the user's data folder, which is read beside the
    shipped base. A mode whose run was ended from outside, by a signal or by a time limit that left
    it too little, is left out, and told; so is a result that read other files than its revision's
    and those that `codemod apply` writes, or was measured with other hooks. Exits with 1 where
    verdicts contradict each other; both are kept.
    """
    from codemod.work.standing import LINES, add_rows, results_of

    place = Workspace.at(workspace)
    found = results_of(place)
    print_damaged(found.damaged)
    # Of each sort, how many a kit's file then holds.
    lines = {name: files.add(place, to) for name, files in LINES.items()}
    if not found.results and not any(lines.values()):
        raise UsageError(
            f"{place.root} holds no results.", "First run: codemod probe KIT, or codemod parity KIT"
        )
    for name, noun in _NOUNS.items() if not as_json else ():
        for kit, number in lines[name].items():
            say(f"{kit}: {number} {noun}")
    contradictory: list[str] = []
    added: list[dict[str, object]] = []
    left_out: list[str] = []
    for one in add_rows(found, place, to):
        for row in one.left_out:
            left_out.append(f"{one.kit}: {base.row_place(row)} is left out: {row.reason}")
            say(left_out[-1], err=True)
        for why, results in one.foreign.items():
            left_out += (f"{one.kit}: {_told(result)} is left out: {why}" for result in results)
            more = f" and {len(results) - 1} more" if results[1:] else ""
            say(f"{one.kit}: {_told(results[0])}{more}: left out, {why}.", err=True)
        for group in base.contradictions(one.rows):
            verdicts = ", ".join(row.told.value for row in group)
            named = f"{one.kit}: {base.row_place(group[0])}"
            contradictory.append(f"{named} is contradictory: {verdicts}.")
            say(contradictory[-1], err=True)
        told = {"kit": one.kit, "results": one.results, "rows": len(one.rows)}
        added.append({**told, "file": str(one.file)})
        if not as_json:
            say(f"{one.kit}: {one.results} results, {len(one.rows)} rows in {one.file}")
    if as_json:
        print_object(
            {"added": added, **lines, "left_out": left_out, "contradictory": contradictory}
        )
    return int(bool(contradictory))


def _told(result: Result) -> str:
    return f"{result.config} on Paddle {result.paddle}"


@command.command(name="list")
@click.argument("kit", required=False)
@options.as_json
def list_rows(kit: str | None, as_json: bool) -> int:
    """List what the base holds: of one KIT each row, else the figures of all kits."""
    if kit is not None:
        name = find_kit(kit).name
        rows = base.read_base(name).rows
        if as_json:
            print_object({"kit": name, "rows": [to_json(row) for row in rows]})
            return 0
        for row in rows:
            say(f"{base.row_place(row)}: {row.told}, {row.date[:10]}, {(row.revision or '')[:12]}")
        return 0
    listed = [_figures(file.stem, base.read_file(file).rows) for file in base.files()]
    if as_json:
        print_object({"kits": listed})
        return 0
    for one in listed:
        say(f"{one['kit']}: {one['rows']} rows of {one['configs']} configs")
        for mode, counts in one["verdicts"].items():
            say(f"  {mode}: " + ", ".join(f"{name} {n}" for name, n in counts.items()))
    return 0


def _figures(kit: str, rows: tuple[EvidenceRow, ...]) -> dict[str, Any]:
    counts = {
        mode: dict(Counter(row.told.value for row in rows if row.mode == mode).most_common())
        for mode in sorted({row.mode for row in rows})
    }
    configs = {config for row in rows for config in (row.config, *row.also)}
    return {"kit": kit, "rows": len(rows), "configs": len(configs), "verdicts": counts}


@command.command(name="rejudge")
@click.argument("kit", required=False)
@options.as_json
@options.workspace
def rejudge(kit: str | None, as_json: bool, workspace: Path | None) -> int:
    """Judge the workspace's parity runs again from their records: of one KIT, else of all.

    As after an update of the judge. What changed is written and listed, with what must be run
    again instead. Probes keep no records. Exits with 1 where something must be run again.
    """
    from codemod.experiments.parity.rejudging import rejudge_kept

    done = rejudge_kept(Workspace.at(workspace), find_kit(kit).name if kit is not None else "")
    print_damaged(done.damaged)
    if as_json:
        whole = {
            "judged": done.judged,
            "changed": [to_json(one) for one in done.changed],
            "again": [to_json(one) for one in done.again],
        }
        print_object(whole)
        return int(bool(done.again))
    click.echo(rendered("rejudge.txt", done=done), nl=False)
    return int(bool(done.again))


@command.command(name="verify")
@options.as_json
@options.workspace
def verify(as_json: bool, workspace: Path | None) -> int:
    """Check the base: form, digests, duplicates, order, contradictions, and today's code.

    A row that does not stand on today's code is a finding, where the workspace holds the kit.
    Exits with 1 on a finding.
    """
    from codemod.work.standing import verify as checked

    done = checked(Workspace.at(workspace))
    if as_json:
        files = [file.name for file in done.files]
        print_object({"files": files, "findings": done.findings, "not_held": done.unheld})
        return int(bool(done.findings))
    for finding in done.findings:
        say(finding)
    if done.unheld:
        say(f"No checkout in the workspace to hold rows against: {', '.join(done.unheld)}.")
    say(f"{len(done.files)} files, {len(done.findings)} findings.")
    return int(bool(done.findings))


@command.command(name="prune")
@click.argument("kit", required=False)
@options.flag(
    "--older-recorders",
    "Also take out rows whose recorder is told by a checksum, as before it had versions.",
)
@options.workspace
def prune(kit: str | None, older_recorders: bool, workspace: Path | None) -> int:
    """Take out of the base what does not stand on today's code: of one KIT, else of all.

    A row stands when the kit's files are those that it rests on, the hook's files that its config
    runs through are what `codemod apply` writes today, and the adapter is today's. The workspace
    must hold the kits. Lines without a digest get theirs.
    """
    from codemod.work.standing import Standing
    from codemod.work.standing import prune as take_out

    name = find_kit(kit).name if kit is not None else None
    for one in take_out(Workspace.at(workspace), name, older=older_recorders):
        if not isinstance(one, Standing):
            say(f"{one}: left as it is, for the workspace has no checkout of it.")
            continue
        reasons = Counter(why for _, why in one.fallen).most_common()
        told = "".join(f"; {number}: {why}" for why, number in reasons)
        say(f"{one.file.stem}: {len(one.stand)} rows stand, {len(one.fallen)} are taken out{told}")
    return 0
