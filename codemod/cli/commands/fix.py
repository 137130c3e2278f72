"""`codemod fix`: rewrite model code that a static graph cannot run, where a probe proves it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemod.base.errors import UsageError, did_you_mean
from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing, note
from codemod.base.terminal.progress import LiveLine
from codemod.cli import options
from codemod.cli.interruption import stoppable
from codemod.cli.output import count, print_object, say

if TYPE_CHECKING:
    from codemod.audit.fixes.find import Fix
    from codemod.audit.fixes.offers import Offer
    from codemod.audit.fixes.remedy import Remedy
    from codemod.base.changeset import ChangeSet, Source
    from codemod.judging.evidence.fix_proofs import FixProof, TrainedProof


@dataclass(frozen=True, slots=True)
class ProofRequest:
    """On which Paddles a missing proof is made; `limit_s` is as for probes.

    Where `train_steps` is not 0, the kit's own trainer makes so many steps and has to agree.
    """

    paddles: tuple[str, ...]
    limit_s: float
    force: bool
    train_steps: int


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
@options.paddle
@options.probe_limit
@options.flag(
    "--parity", "Prove it by the kit's own trainer too: as it is, and with the fix and the hook."
)
@options.number("--steps", 50, "Optimizer steps of each run of --parity.")
@options.flag("--force", "Prove again what is proved.")
@options.allow_dirty
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
    from codemod.audit.fixes.offers import not_disproved, offered_fixes
    from codemod.audit.fixes.written import written_change
    from codemod.base.patch.apply import apply_changes
    from codemod.code.tree import Tree
    from codemod.kits.sources import resolve, shown_root
    from codemod.work.fixing import offers_of

    place = Workspace.at(workspace)
    with LiveLine("Reading the kit"):
        source = resolve(target, path, place, repair=not dry_run)
    root = shown_root(target, path, source.root)
    with LiveLine("Reading the kit's models"):
        found = offers_of(source, place, configs, _remedies(source, hazards, files))
    if configs and not dry_run:
        from codemod.judging.evidence.fix_proofs import PADDLES

        asked = ProofRequest(
            (paddle,) if paddle else PADDLES, limit_s, force, steps if parity else 0
        )
        found = _proved(found, place, asked)
    # What is asked for by name is shown before it is proved; else what would be written.
    named = bool(configs or hazards or files)
    fixes = not_disproved(found) if dry_run and named else offered_fixes(found)
    change = written_change(source, Tree(source.root), fixes)
    if not dry_run:
        apply_changes(change, allow_dirty=allow_dirty)
    if as_json:
        print_object(_to_json(root, found, change), indent=1)
    else:
        _tell(found, change, dry_run=dry_run, asked=named)
    return int(any(offer.disproved or offer.partial for offer in found))


def _remedies(
    source: Source, hazards: tuple[str, ...], files: tuple[Path, ...]
) -> tuple[Remedy, ...]:
    """The remedies for these hazards, or all that there are for the kit."""
    from codemod.work.fixing import remedies_of

    remedies = remedies_of(source, files)
    known = {remedy.id for remedy in remedies}
    hazards = tuple(id_.removeprefix(f"{source.kit}/") for id_ in hazards)
    for id_ in hazards:
        if id_ not in known:
            raise UsageError(
                f"There is no mechanical fix for {id_}.",
                did_you_mean(id_, known, f"There is one for: {', '.join(sorted(known))}."),
            )
    return tuple(one for one in remedies if not hazards or one.id in hazards)


def _proved(found: tuple[Offer, ...], place: Workspace, asked: ProofRequest) -> tuple[Offer, ...]:
    """The offers with the proofs that were missing."""
    from codemod.base.launch.containment import tell

    tell(contained=not asked.train_steps)
    _foretell(found, place, asked)
    kept = f"finished proofs are kept in {place.root}, nothing was written."
    with stoppable(lambda: kept), LiveLine("Proving the fixes"):
        return tuple(_proved_as_executed(offer, place, asked) for offer in found)


def _proved_as_executed(offer: Offer, place: Workspace, asked: ProofRequest) -> Offer:
    """The offer with its proofs; where they leave some of its fixes unexecuted, of the others."""
    from codemod.audit.fixes.declared import with_kit
    from codemod.audit.fixes.offers import executed_part
    from codemod.code.tree import Tree
    from codemod.judging.evidence.fix_proofs import PROOFS

    whole = _proved_one(offer, place, asked)
    source = offer.change.source
    part = executed_part(Tree(source.root), whole, PROOFS.read(source.kit or "", place))
    if part is whole:
        return whole
    names = ", ".join(name for name in whole.names if name not in part.names)
    aside = with_kit(source.kit or "", names)
    note(f"{offer.config}: nothing executed {aside}, so the rest is proved alone.")
    return _proved_as_executed(part, place, asked)


def _proved_one(offer: Offer, place: Workspace, asked: ProofRequest) -> Offer:
    from codemod.experiments.probe.proving import ProofObligation, prove
    from codemod.experiments.probe.request import ProbeRequest
    from codemod.judging.evidence.fix_proofs import keep_proof
    from codemod.training.run_cost import timed

    claim = ProofObligation(offer.config, offer.names, offer.change, offer.ground, offer.alone())
    proofs = dict(offer.proofs)
    for paddle in _due(offer, asked):
        try:
            proof = proofs.get(paddle)
            if proof is None or asked.force:
                with timed("proof", claim.change.source.kit or ""):
                    proof = prove(claim, ProbeRequest(paddle=paddle, limit_s=asked.limit_s), place)
                # Training takes long: what the probe showed stays, should it be interrupted.
                keep_proof(place, proof)
            if _untrained(proof, asked):
                proof = replace(proof, trained=_trained(offer, paddle, asked.train_steps, place))
                keep_proof(place, proof)
        except UsageError as error:
            return replace(
                offer, failed=Reason.of("audit.run-failed", said=error.message.rstrip("."))
            )
        proofs[paddle] = proof
        note(f"{offer.config} on Paddle {paddle}: {in_words(proof)}")
    return replace(offer, proofs=proofs)


def _due(offer: Offer, asked: ProofRequest) -> list[str]:
    """The Paddles on which a fix is still to be proved."""
    if not offer.change.changes or offer.change.skipped:
        return []
    known = {} if asked.force else offer.proofs
    return [one for one in asked.paddles if one not in known or _untrained(known[one], asked)]


def _foretell(found: tuple[Offer, ...], place: Workspace, asked: ProofRequest) -> None:
    """Say how many proofs are to be made, where they go, and how long they take here."""
    from codemod.training.run_cost import foretold

    due = [offer for offer in found for _ in _due(offer, asked)]
    if not due:
        return
    kit = due[0].change.source.kit or ""
    train = (
        f", each with {asked.train_steps} steps of the kit's trainer" if asked.train_steps else ""
    )
    note(
        f"{len(due)} proofs by probes on Paddle {', '.join(asked.paddles)}{train}, kept in "
        f"{place.root}; {foretold('proof', kit, len(due))}."
    )


def _untrained(proof: FixProof, asked: ProofRequest) -> bool:
    """Whether the kit's own trainer is asked for and has not run as long."""
    return asked.train_steps > (proof.trained.steps if proof.trained else 0)


def _trained(offer: Offer, paddle: str, steps: int, place: Workspace) -> TrainedProof:
    from codemod.experiments.parity.fix_training import train_fix
    from codemod.training.run_spec import RunSpec

    kit = offer.change.source.kit or ""
    asked = RunSpec(kit, offer.config, steps, device="auto", paddle=paddle, fresh=True)

    def told(name: str, step: int, _loss: float | None, _seconds: float) -> None:
        doing(f"Training {offer.config} on Paddle {paddle}, {name}: step {step} of {steps}")

    return train_fix(offer.change, asked, place, told)


def in_words(proof: FixProof) -> str:
    """A proof in one line."""
    modes = [
        f"{mode} {proof.before[mode].value} -> {verdict.value}"
        for mode, verdict in proof.after.items()
        if mode in proof.before
    ]
    told = f"dynamic training {_dynamic(proof)}; {', '.join(modes)}"
    if proof.trained is None:
        return told
    ran = proof.trained
    modes = [f"{mode} {verdict.value}" for mode, verdict in ran.modes.items()]
    trained = ", ".join((f"dynamic {_dynamic(ran)}", *modes))
    return f"{told}; {ran.steps} steps of the kit's own trainer: {trained}"


def _dynamic(run: FixProof | TrainedProof) -> str:
    return run.dynamic.value + (f" ({run.reason})" if run.reason else "")


def _all_fixes(found: tuple[Offer, ...]) -> tuple[Fix, ...]:
    """The fixes that hold or may hold: not those that a config's own proof refuses alone."""
    fixes = {fix.name: fix for offer in found if not offer.disproved for fix in offer.found.fixes}
    vetoed = {fix.name for offer in found if offer.harmful for fix in offer.found.fixes}
    return tuple(fixes[name] for name in sorted(fixes) if name not in vetoed)


def _to_json(root: str, found: tuple[Offer, ...], change: ChangeSet) -> dict[str, Any]:
    without = {one: None for offer in found for one in offer.found.without}
    return {
        "kit": change.source.kit,
        "root": root,
        "revision": change.source.revision,
        "fixes": [{"fix": fix.name, **fix.to_json()} for fix in _all_fixes(found)],
        "no_fix": [one.to_json() for one in without],
        "configs": [offer.to_json() for offer in found if offer.found.fixes],
        "edits": [edit.to_json() for edit in change.edits],
        "files_changed": len(change.changes),
        "lines_added": change.lines_added,
        "lines_removed": change.lines_removed,
        "skipped": [skip.to_json() for skip in change.skipped],
    }


def _tell(found: tuple[Offer, ...], change: ChangeSet, *, dry_run: bool, asked: bool) -> None:
    from codemod.audit.fixes.declared import with_kit
    from codemod.base.patch.git_patch import patch

    kit = change.source.kit or ""
    for fix in _all_fixes(found):
        name = with_kit(kit, fix.name)
        say(f"{name}  {fix.scope}  {fix.remedy.name}: {fix.remedy.says}")
    for one in {one: None for offer in found for one in offer.found.without}:
        id_ = with_kit(kit, one.id)
        say(f"not fixed  {id_} {one.file}:{one.line}  {one.scope}: {one.reason}")
    for offer in found:
        if offer.found.fixes:
            say(f"{offer.config}: {_state(offer)}")
    if dry_run:
        click.echo(patch(change), nl=False)
    files = len(change.changes)
    verb = "would change, where the proofs hold" if dry_run and asked else "changed"
    verb = "would change" if dry_run and not asked else verb
    lines = f"+{change.lines_added} -{change.lines_removed} lines"
    counted = f"{count(files, 'file')} {verb}, {lines}" if files else "nothing to do"
    click.echo(f"{change.source.kit}: {counted}")


def _state(offer: Offer) -> str:
    if offer.refusal is None:
        told = [f"Paddle {on}: {in_words(proof)}" for on, proof in sorted(offer.proofs.items())]
        told += [
            f"Paddle {on}: not proved yet, what Paddle {other} shows counts"
            for on, other in offer.counted_as.items()
        ]
        return "proved: " + "; ".join(told)
    if offer.disproved:
        return f"not offered: {offer.refusal.reason}"
    return f"not proved yet (codemod fix {offer.change.source.kit} -c {offer.config})"
