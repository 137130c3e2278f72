"""The fixes of one target: proved where that is asked for, and written where they are proved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from codemod.audit.fixes.declared import with_kit
from codemod.audit.fixes.find import Fix, NoFix
from codemod.audit.fixes.offers import (
    Offer,
    executed_part,
    not_disproved,
    offered_fixes,
    with_vetoes,
)
from codemod.audit.fixes.remedy import Remedy
from codemod.audit.fixes.written import written_change
from codemod.base.changeset import ChangeSet, Source
from codemod.base.errors import UsageError, did_you_mean, stoppable
from codemod.base.files.workspace import Workspace
from codemod.base.launch.containment import tell
from codemod.base.patch.apply import apply_changes
from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing, note
from codemod.base.terminal.progress import LiveLine
from codemod.code.tree import Tree
from codemod.judging.evidence.fix_proofs import (
    PADDLES,
    PROOFS,
    Dynamic,
    FixProof,
    TrainedProof,
    keep_proof,
)
from codemod.kits.sources import resolve, shown_root
from codemod.training.run_cost import foretold, timed
from codemod.work.fixing import offers_of, remedies_of
from codemod.work.planning import Request


@dataclass(frozen=True, slots=True)
class ProofRequest:
    """On which Paddles a missing proof is made; `limit_s` is as for probes.

    With `force` proofs on record are made again. Where `train_steps` is not 0, the kit's own
    trainer makes so many steps and has to agree.
    """

    paddles: tuple[str, ...] = PADDLES
    limit_s: float = 60.0
    force: bool = False
    train_steps: int = 0

    def untrained(self, proof: FixProof) -> bool:
        """Whether the kit's own trainer is asked for and has not run as long."""
        return self.train_steps > (proof.trained.steps if proof.trained else 0)

    def due(self, offer: Offer) -> list[str]:
        """The Paddles on which a fix is still to be proved."""
        if not offer.change.changes or offer.change.skipped:
            return []
        known = {} if self.force else offer.proofs
        return [one for one in self.paddles if one not in known or self.untrained(known[one])]


@dataclass(frozen=True, slots=True)
class FixRequest:
    """One target, and which of its fixes: of these configs or globs, of these hazards, or all.

    `files` hold fixes of the user's own. With `proof`, what is missing of the configs' proofs is
    made. Nothing is written where `dry_run`, nor without `allow_dirty` into files with uncommitted
    edits.
    """

    request: Request
    configs: tuple[str, ...] = ()
    hazards: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    proof: ProofRequest | None = None
    dry_run: bool = False
    allow_dirty: bool = False

    @property
    def named(self) -> bool:
        """Whether some fixes are asked for by name."""
        return bool(self.configs or self.hazards or self.files)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What is offered in one target, with its root as the user named it, and the change of it."""

    root: str
    offers: tuple[Offer, ...]
    change: ChangeSet

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """The fixes that hold or may hold: not those that a config's own proof refuses alone."""
        held = [offer for offer in self.offers if not offer.disproved]
        fixes = {fix.name: fix for offer in held for fix in offer.found.fixes}
        return tuple(fixes[name] for name in sorted(fixes))

    @property
    def without(self) -> tuple[NoFix, ...]:
        """The places of hazards for which there is no fix, each once."""
        return tuple(dict.fromkeys(one for offer in self.offers for one in offer.found.without))

    def to_json(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        change = self.change
        return {
            "kit": change.source.kit,
            "root": self.root,
            "revision": change.source.revision,
            "fixes": [{"fix": fix.name, **fix.to_json()} for fix in self.fixes],
            "no_fix": [one.to_json() for one in self.without],
            "configs": [offer.to_json() for offer in self.offers if offer.found.fixes],
            "edits": [edit.to_json() for edit in change.edits],
            "files_changed": len(change.changes),
            "lines_added": change.lines_added,
            "lines_removed": change.lines_removed,
            "skipped": [skip.to_json() for skip in change.skipped],
        }


def fix(asked: FixRequest) -> Fixed:
    """Write the fixes that are proved; with `dry_run` their change, or that of all that were named.

    >>> made = fix(FixRequest(Request("MendKit", Path("MendKit")), dry_run=True))
    >>> [one.name for one in made.fixes], made.change.lines_added
    (['D-57 mini/nets.py:11'], 1)

    Raises:
        UsageError: as `offers_of`; or there is no mechanical fix for one of the hazards.
    """
    source, root, found = _offered(asked)
    # What is asked for by name is shown before it is proved; else what would be written.
    shown = asked.dry_run and asked.named
    fixes = not_disproved(found) if shown else offered_fixes(found)
    change = written_change(source, Tree(source.root), fixes)
    if not asked.dry_run:
        apply_changes(change, allow_dirty=asked.allow_dirty)
    return Fixed(root, found, change)


def prove(asked: FixRequest) -> tuple[Offer, ...]:
    """Make the proofs that are missing, and keep them; the kit's files are not changed.

    >>> asked = FixRequest(Request("MendKit", Path("MendKit")), configs=("configs/view.yaml",))
    >>> [(offer.config, *sorted(offer.proofs), offer.refusal) for offer in prove(asked)]
    [('configs/view.yaml', '2.6.2', '3.3.1', None)]

    Raises:
        UsageError: as `fix`.
        Stopped: Ctrl-C; finished proofs are kept.
    """
    return _offered(replace(asked, proof=asked.proof or ProofRequest()))[2]


def _offered(asked: FixRequest) -> tuple[Source, str, tuple[Offer, ...]]:
    """The source, its root as the user named it, and the offers with what proofs were asked for."""
    wish = asked.request
    place = Workspace.at(wish.workspace)
    with LiveLine("Reading the kit"):
        source = resolve(wish.target, wish.path, place, repair=not asked.dry_run)
    root = shown_root(wish.target, wish.path, source.root)
    with LiveLine("Reading the kit's models"):
        found = offers_of(source, place, asked.configs, _remedies(source, asked))
    return source, root, _proved(found, place, asked.proof) if asked.proof else found


def _remedies(source: Source, asked: FixRequest) -> tuple[Remedy, ...]:
    """The remedies for the hazards that are asked for, or all that there are for the kit."""
    remedies = remedies_of(source, asked.files)
    known = {remedy.id for remedy in remedies}
    hazards = tuple(id_.removeprefix(f"{source.kit}/") for id_ in asked.hazards)
    for id_ in hazards:
        if id_ not in known:
            raise UsageError(
                f"There is no mechanical fix for {id_}.",
                did_you_mean(id_, known, f"There is one for: {', '.join(sorted(known))}."),
            )
    return tuple(one for one in remedies if not hazards or one.id in hazards)


def _proved(found: tuple[Offer, ...], place: Workspace, asked: ProofRequest) -> tuple[Offer, ...]:
    """The offers with the proofs that were missing; each is kept as it is made."""
    tell(contained=not asked.train_steps)
    _foretell(found, place, asked)
    kept = f"finished proofs are kept in {place.root}, nothing was written."
    with stoppable(lambda: kept), LiveLine("Proving the fixes"):
        return with_vetoes(_proved_as_executed(offer, place, asked) for offer in found)


def _foretell(found: tuple[Offer, ...], place: Workspace, asked: ProofRequest) -> None:
    """Say how many proofs are to be made, where they go, and how long they take here."""
    due = [offer for offer in found for _ in asked.due(offer)]
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


def _proved_as_executed(offer: Offer, place: Workspace, asked: ProofRequest) -> Offer:
    """The offer with its proofs; where they leave some of its fixes unexecuted, of the others."""
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

    claim = ProofObligation(offer.config, offer.names, offer.change, offer.ground, offer.alone())
    proofs = dict(offer.proofs)
    for paddle in asked.due(offer):
        try:
            proof = proofs.get(paddle)
            if proof is None or asked.force:
                with timed("proof", claim.change.source.kit or ""):
                    proof = prove(claim, ProbeRequest(paddle=paddle, limit_s=asked.limit_s), place)
                # Training takes long: what the probe showed stays, should it be interrupted.
                keep_proof(place, proof)
            if asked.untrained(proof):
                proof = replace(proof, trained=_trained(offer, paddle, asked.train_steps, place))
                keep_proof(place, proof)
        except UsageError as error:
            return replace(
                offer, failed=Reason.of("audit.run-failed", said=error.message.rstrip("."))
            )
        proofs[paddle] = proof
        note(f"{offer.config} on Paddle {paddle}: {said_of(proof)}")
    return replace(offer, proofs=proofs)


def _trained(offer: Offer, paddle: str, steps: int, place: Workspace) -> TrainedProof:
    from codemod.experiments.parity.fix_training import train_fix
    from codemod.training.run_spec import RunSpec

    kit = offer.change.source.kit or ""
    asked = RunSpec(kit, offer.config, steps, device="auto", paddle=paddle, fresh=True)

    def at(name: str, step: int, _loss: float | None, _seconds: float) -> None:
        doing(f"Training {offer.config} on Paddle {paddle}, {name}: step {step} of {steps}")

    return train_fix(offer.change, asked, place, at)


_DYNAMIC = {
    Dynamic.EQUAL: Reason.of("work.equal"),
    Dynamic.MENDED: Reason.of("work.mended"),
    Dynamic.DIFFERS: Reason.of("work.differs"),
    Dynamic.FAILS: Reason.of("work.fails"),
    Dynamic.UNKNOWN: Reason.of("work.unknown"),
}


def said_of(proof: FixProof) -> Reason:
    """A proof in one line."""
    modes = tuple(
        f"{mode} {proof.before[mode].value} -> {verdict.value}"
        for mode, verdict in proof.after.items()
        if mode in proof.before
    )
    dynamic = _dynamic(proof.dynamic, proof.why or proof.reason)
    probed = Reason.of("work.proof", dynamic=dynamic, modes=modes)
    if proof.trained is None:
        return probed
    ran = proof.trained
    trained = _dynamic(ran.dynamic, ran.why or ran.reason)
    modes = tuple(f"{mode} {verdict.value}" for mode, verdict in ran.modes.items())
    return Reason.of(
        "work.proof-trained", proof=probed, steps=ran.steps, dynamic=trained, modes=modes
    )


def _dynamic(found: Dynamic, why: Reason | str) -> Reason:
    return Reason.of("work.dynamic", word=_DYNAMIC[found], why=why)
