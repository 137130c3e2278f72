"""`codemod fix`: rewrite model code that a static graph cannot run, where a probe proves it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.cli import options
from codemod.cli.interruption import exit_when_terminated
from codemod.cli.output import print_object, say

if TYPE_CHECKING:
    from codemod.audit.fixes.offers import Offer
    from codemod.base.changeset import ChangeSet
    from codemod.work.mending import Fixed, FixRequest


@click.command(name="fix")
@options.target
@options.configs(
    "Prove and fix this config, or glob (repeat for several; default: what is on record)."
)
@click.option("--hazard", "hazards", multiple=True, metavar="ID", help="Only this hazard (D-77).")
@click.option(
    "--fixes",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Fixes of your own, in the form of rules/<Kit>/fixes.yaml (repeat for several).",
)
@options.flag("--dry-run", "Show the change; run and write nothing.")
@options.path
@options.paddle("Prove on this Paddle alone (default: on each that is measured).")
@options.probe_limit
@options.flag(
    "--parity", "Prove it by the kit's own trainer too: as it is, and with the fix and the hook."
)
@options.number("--steps", 50, "Optimizer steps of each run of --parity.")
@options.flag("--force", "Prove again what is proved.")
@options.allow_dirty
@options.said_in
@options.as_json
@options.workspace
def command(
    target: str,
    configs: tuple[str, ...],
    hazards: tuple[str, ...],
    files: tuple[Path, ...],
    dry_run: bool,
    path: Path | None,
    paddle: str | None,
    limit_s: float,
    parity: bool,
    steps: int,
    force: bool,
    allow_dirty: bool,
    as_json: bool,
    workspace: Path | None,
) -> int:
    """Rewrite the code of TARGET's models that a static graph cannot run, as far as it is proved.

    A fix is written only if probes on two Paddles show that dynamic training stays the same to
    the bit, and that a static mode passes which did not. Without --config, fixes whose proof is
    on record are written. The exit code is 1 if a fix is not offered.
    """
    if parity and not configs:
        raise UsageError("--parity trains a config, and none is named.", "Name it with --config.")
    if not configs:
        options.refuse("Without --config no proof is made", "paddle", "limit_s", "steps", "force")
    if not parity:
        options.refuse("Without --parity the kit's trainer makes no steps", "steps")
    from codemod.judging.evidence.fix_proofs import PADDLES
    from codemod.work.mending import FixRequest, ProofRequest, fix
    from codemod.work.planning import Request

    proof = None
    if configs and not dry_run:
        exit_when_terminated()
        paddles, train_steps = (paddle,) if paddle else PADDLES, steps if parity else 0
        proof = ProofRequest(paddles, limit_s, force, train_steps)
    wish = Request(target, path, (), Workspace.at(workspace).root)
    asked = FixRequest(wish, configs, hazards, files, proof, dry_run, allow_dirty)
    made = fix(asked)
    if as_json:
        print_object(made.to_json(), indent=1)
    else:
        _tell(made, asked)
    return int(any(offer.disproved or offer.partial for offer in made.offers))


def _tell(made: Fixed, asked: FixRequest) -> None:
    from codemod.audit.fixes.declared import with_kit
    from codemod.base.patch.git_patch import patch

    found, change, dry_run = made.offers, made.change, asked.dry_run
    kit = change.source.kit or ""
    for fix in made.fixes:
        place = f"{with_kit(kit, fix.name)}  {fix.scope}  {fix.remedy.name}"
        say(Reason.of("cli.at", place=place, message=fix.remedy.reason))
    for one in made.without:
        place = f"{with_kit(kit, one.id)} {one.file}:{one.line}  {one.scope}"
        say(Reason.of("cli.not-fixed", place=place, why=one.reason))
    for offer in found:
        if offer.found.fixes:
            say(Reason.of("cli.at", place=offer.config, message=_state(offer)))
    if dry_run:
        click.echo(patch(change), nl=False)
    say(_total(change, dry_run, asked.named))


def _total(change: ChangeSet, dry_run: bool, named: bool) -> Reason:
    kit, files = str(change.source.kit), len(change.changes)
    lines = f"+{change.lines_added} -{change.lines_removed}"
    if not files:
        return Reason.of("cli.nothing-to-do", kit=kit)
    if not dry_run:
        return Reason.of("cli.changed", kit=kit, files=files, lines=lines)
    if not named:
        return Reason.of("cli.would-change", kit=kit, files=files, lines=lines)
    return Reason.of("cli.would-where-proved", kit=kit, files=files, lines=lines)


def _state(offer: Offer) -> Reason:
    from codemod.work.mending import said_of

    if offer.refusal is None:
        told = [
            Reason.of("cli.on-paddle", paddle=on, proof=said_of(proof))
            for on, proof in sorted(offer.proofs.items())
        ]
        told += [
            Reason.of("cli.counted-as", paddle=on, other=other)
            for on, other in offer.counted_as.items()
        ]
        return Reason.of("cli.proved", proofs=tuple(told))
    if offer.disproved:
        return Reason.of("cli.not-offered", why=offer.refusal.reason)
    command = f"codemod fix {offer.change.source.kit} -c {offer.config}"
    return Reason.of("cli.not-proved", command=command)
