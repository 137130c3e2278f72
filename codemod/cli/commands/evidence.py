"""`codemod evidence`: the base of what was measured, added to, listed and checked."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import click

from codemod.base.files.workspace import Workspace
from codemod.base.json_form import to_json
from codemod.cli import options
from codemod.cli.output import print_damaged, print_object, rendered, say
from codemod.judging.evidence import base
from codemod.kits.catalogue import find_kit

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.judging.evidence.line_files import LineFiles
    from codemod.judging.evidence.result_files import KeptResult
    from codemod.judging.evidence.rows import EvidenceRow


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
    it too little, is left out, and told. Exits with 1 where verdicts contradict each other; both
    are kept.
    """
    from codemod.base.errors import UsageError
    from codemod.judging.evidence.result_files import PARITY_FOLDER, PROBE_FOLDER, read_results
    from codemod.judging.evidence.rows import fault_of
    from codemod.judging.verdict import ended_from_outside

    place = Workspace.at(workspace)
    by_kit: dict[str, list[KeptResult]] = {}
    for folder in (PROBE_FOLDER, PARITY_FOLDER):
        read = read_results(place.root / folder)
        damaged = dict(read.damaged)
        for kept in read.results:
            result = kept.result
            if fault := fault_of(result):
                damaged[kept.file] = fault
            elif not result.interrupted:
                by_kit.setdefault(result.kit, []).append(kept)
        print_damaged(damaged)
    lines = {name: files.add(place, to) for name, (files, _) in _line_files().items()}
    if not by_kit and not any(lines.values()):
        raise UsageError(
            f"{place.root} holds no results.", "First run: codemod probe KIT, or codemod parity KIT"
        )
    for name, (_, noun) in _line_files().items() if not as_json else ():
        for kit, number in lines[name].items():
            say(f"{kit}: {number} {noun}")
    contradictory: list[str] = []
    added: list[dict[str, object]] = []
    left_out: list[str] = []
    for kit, results in sorted(by_kit.items()):
        made = _rows(kit, results, place)
        ended = [row for row in made if ended_from_outside(row.said)]
        for row in ended:
            left_out.append(f"{kit}: {base.named(row)} is left out: {row.reason}")
            say(left_out[-1], err=True)
        file, rows = base.add_rows(kit, (row for row in made if row not in ended), to)
        for group in base.contradictions(rows):
            verdicts = ", ".join(row.verdict.value for row in group)
            contradictory.append(f"{kit}: {base.named(group[0])} is contradictory: {verdicts}.")
            say(contradictory[-1], err=True)
        added.append({"kit": kit, "results": len(results), "rows": len(rows), "file": str(file)})
        if not as_json:
            say(f"{kit}: {len(results)} results, {len(rows)} rows in {file}")
    if as_json:
        print_object(
            {"added": added, **lines, "left_out": left_out, "contradictory": contradictory}
        )
    return int(bool(contradictory))


def _line_files() -> dict[str, tuple[LineFiles[Any], str]]:
    """What is kept as lines beside the rows, with what one file's are called."""
    from codemod.judging.evidence.convergence_rows import CONVERGENCE
    from codemod.judging.evidence.fix_proofs import PROOFS
    from codemod.judging.evidence.speed_rows import SPEED

    return {
        "proofs": (PROOFS, "proofs of fixes"),
        "speed": (SPEED, "rows of speed"),
        "convergence": (CONVERGENCE, "rows of convergence"),
    }


def _rows(kit: str, results: list[KeptResult], place: Workspace) -> list[EvidenceRow]:
    from codemod.judging.evidence.rows import rows_of
    from codemod.work.standing import grounds_of

    ground = grounds_of(kit, place)
    made: list[EvidenceRow] = []
    for kept in results:
        result = kept.result
        same = ground is not None and result.revision == ground.revision
        rests_on = ground.digest(result.config) if ground is not None and same else None
        when = datetime.fromtimestamp(kept.measured, timezone.utc)
        date = result.date or when.isoformat(timespec="seconds")
        made += rows_of(result, date, rests_on)
    return made


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
            say(f"{base.named(row)}: {row.verdict}, {row.date[:10]}, {(row.revision or '')[:12]}")
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
        mode: dict(Counter(row.verdict.value for row in rows if row.mode == mode).most_common())
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
    from codemod.judging.evidence.fix_proofs import PROOFS
    from codemod.work.standing import grounds_of, proofs_without_outputs, standing

    place = Workspace.at(workspace)
    files = base.files()
    others = [(one, file) for one, _ in _line_files().values() for file in one.files()]
    found: list[str] = []
    unheld = []
    for file in files:
        faults = base.verify(file)
        ground = None if faults else grounds_of(file.stem, place)
        if ground is None:
            unheld.append(file.stem)
            found += faults
            continue
        found += [
            f"{file}: {base.named(row)} does not stand: {why}."
            for row, why in standing(file, ground).fallen
        ]
    found += [finding for one, file in others for finding in one.verify(file)]
    found += [finding for file in PROOFS.files() for finding in proofs_without_outputs(file)]
    if as_json:
        checked = [file.name for file in (*files, *(file for _, file in others))]
        print_object({"files": checked, "findings": found, "not_held": unheld})
        return int(bool(found))
    for finding in found:
        say(finding)
    if unheld:
        say(f"No checkout in the workspace to hold rows against: {', '.join(unheld)}.")
    say(f"{len(files) + len(others)} files, {len(found)} findings.")
    return int(bool(found))


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
