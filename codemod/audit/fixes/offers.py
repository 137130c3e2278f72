"""What fixes are offered: those of each config, with the proofs on record of just this change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from codemod.audit.fixes.change import change_of
from codemod.audit.fixes.find import Fix, ModelFixes, NoFix, find_fixes
from codemod.audit.fixes.remedy import Remedy
from codemod.base.changeset import ChangeSet, Source
from codemod.base.json_form import to_json
from codemod.base.reason import NO_REASON, Reason, Refusal
from codemod.code.tree import Tree
from codemod.engine.rewrite.rewritten import rewritten_only_by
from codemod.hazards import ReachedModel
from codemod.judging.evidence.fix_proofs import (
    PADDLES,
    FixProof,
    counting,
    ground_of,
    harmful_fixes,
    judged,
    proofs_on,
)


@dataclass(frozen=True)
class Offer:
    """All fixes of one config as one change, and its proofs by Paddle.

    `ground` is as in `FixProof`, `files` those that it is of; `failed` says why a proof could not
    be made, `refuted` what some config's proof says against one of the fixes.
    """

    found: ModelFixes
    change: ChangeSet
    ground: str
    files: tuple[str, ...] = ()
    proofs: Mapping[str, FixProof] = field(default_factory=dict)
    failed: Reason | None = None
    refuted: Reason | None = None

    @property
    def config(self) -> str:
        """The config."""
        return self.found.config

    @property
    def names(self) -> tuple[str, ...]:
        """The hazards with their places."""
        return tuple(fix.name for fix in self.found.fixes)

    @cached_property
    def refusal(self) -> Refusal | None:
        """Why the fixes are not offered; None where they are."""
        if self.change.skipped:
            why = self.change.skipped[0].reason["why"]
            assert isinstance(why, Reason)
            return Refusal(why)
        if self.failed:
            return Refusal(self.failed)
        own = judged(self.proofs)
        # The harm that its own proofs show is nearer than what others' do.
        if self.refuted and (own is None or not self.harmful):
            return Refusal(self.refuted)
        return own

    def alone(self) -> tuple[tuple[str, ChangeSet], ...]:
        """Of several fixes, the change that each makes by itself, where it can be made so."""
        fixes = self.found.fixes
        source = self.change.source
        tree = Tree(source.root)
        changes = [(fix.name, change_of(source, tree, [fix])) for fix in fixes]
        return tuple(one for one in changes if len(fixes) > 1 and not one[1].skipped)

    @property
    def counted_as(self) -> dict[str, str]:
        """The Paddles without a proof of their own, with the one whose proof counts there."""
        counted = counting(self.proofs).items()
        return {paddle: proof.paddle for paddle, proof in counted if paddle != proof.paddle}

    @property
    def disproved(self) -> bool:
        """Whether it is refused for what was found, not for what was not looked at yet."""
        whole = set(PADDLES) <= set(counting(self.proofs)) or self.harmful or self.refuted
        return self.refusal is not None and bool(whole or self.failed or self.change.skipped)

    @property
    def partial(self) -> bool:
        """Whether fixes were left out of it, as nothing executed them."""
        return any(one.reason.code == "audit.not-executed" for one in self.found.without)

    @property
    def harmful(self) -> bool:
        """Whether a run showed that dynamic training is not the same."""
        return any(proof.harmful for proof in self.proofs.values())

    def to_json(self) -> dict[str, Any]:
        """The offer as one JSON object; `fixes` by their names."""
        return {
            "config": self.config,
            "fixes": list(self.names),
            "offered": self.refusal is None,
            "reason": "" if self.refusal is None else self.refusal.reason.text(),
            **(NO_REASON if self.refusal is None else self.refusal.reason.to_json()),
            "proofs": {
                paddle: {
                    "dynamic": proof.dynamic.value,
                    "reason": proof.reason,
                    "before": {mode: verdict.value for mode, verdict in proof.before.items()},
                    "after": {mode: verdict.value for mode, verdict in proof.after.items()},
                    "trained": None if proof.trained is None else to_json(proof.trained),
                }
                for paddle, proof in sorted(self.proofs.items())
            },
            "counted_as": self.counted_as,
        }


@dataclass(frozen=True)
class FixedChange:
    """A change set with fixes beside its hooks, and the offers that they come from."""

    change_set: ChangeSet
    offers: tuple[Offer, ...]


def offers(
    source: Source,
    tree: Tree,
    models: Iterable[ReachedModel],
    remedies: tuple[Remedy, ...],
    config_files: Mapping[str, tuple[str, ...]],
    proofs: Iterable[FixProof],
) -> tuple[Offer, ...]:
    """The offers of the models that have a fix, or a place that has none.

    `config_files` are the files that each config is made from; `proofs` those on record.
    """
    known = tuple(proofs)
    made = []
    for found in find_fixes(models, remedies):
        if not found.fixes and not found.without:
            continue
        files = (*found.files, *config_files[found.config])
        made.append(executed_part(tree, _offer(source, tree, found, files, known), known))
    return with_vetoes(made)


def _offer(
    source: Source,
    tree: Tree,
    found: ModelFixes,
    files: tuple[str, ...],
    proofs: Iterable[FixProof],
) -> Offer:
    change = change_of(source, tree, found.fixes)
    ground = ground_of(tree, files, change)
    return Offer(found, change, ground, files, proofs_on(proofs, found.config, ground))


def executed_part(tree: Tree, offer: Offer, proofs: Iterable[FixProof]) -> Offer:
    """The offer without the fixes that its proofs say nothing of, as nothing executed them.

    It is another change, so it has proofs of its own. The offer itself where all fixes were
    executed, none was, a Paddle has no proof yet, or one of them speaks against the fixes.
    """
    unseen = {place for proof in offer.proofs.values() for place in proof.unexecuted}
    if not unseen or offer.harmful or not set(PADDLES) <= set(counting(offer.proofs)):
        return offer
    fixes, source = offer.found.fixes, offer.change.source
    aside = [
        fix
        for fix in fixes
        if not unseen.isdisjoint(
            rewritten_only_by(
                offer.change, change_of(source, tree, [one for one in fixes if one is not fix])
            )
        )
    ]
    kept = tuple(fix for fix in fixes if fix not in aside)
    if not kept or not aside:
        return offer
    reason = Reason.of("audit.not-executed")
    without = [NoFix(fix.remedy.id, fix.file, fix.line, fix.scope, reason) for fix in aside]
    found = replace(offer.found, fixes=kept, without=(*offer.found.without, *without))
    return executed_part(tree, _offer(source, tree, found, offer.files, proofs), proofs)


def with_vetoes(made: Iterable[Offer]) -> tuple[Offer, ...]:
    """The offers, of which each is refuted that has a fix which harms the config of one of them.

    An offer that was refuted by a config that is not among them stays so.
    """
    made = tuple(made)
    harmful = harmful_fixes(proof for offer in made for proof in offer.proofs.values())
    looked_at = {offer.config for offer in made}
    return tuple(replace(one, refuted=_refuted(one, harmful, looked_at)) for one in made)


def _refuted(offer: Offer, harmful: Mapping[str, str], looked_at: set[str]) -> Reason | None:
    for name in offer.names:
        if name in harmful:
            return Reason.of("audit.refuted", fix=name, config=harmful[name])
    before = offer.refuted
    return before if before and before["config"] not in looked_at else None


def not_disproved(made: Iterable[Offer]) -> tuple[Fix, ...]:
    """The fixes that no proof on record speaks against, each once: what a proof may yet allow."""
    made = with_vetoes(made)
    refused = [one for one in made if one.disproved and one.refuted is None]
    vetoed = {fix.name for one in refused for fix in one.found.fixes}
    found = {fix.name: fix for one in made if not one.refuted for fix in one.found.fixes}
    return tuple(found[name] for name in sorted(found) if name not in vetoed)


def offered_fixes(made: Iterable[Offer]) -> tuple[Fix, ...]:
    """The fixes of all offers that hold, each once."""
    held = (offer for offer in with_vetoes(made) if offer.refusal is None)
    found = {fix.name: fix for offer in held for fix in offer.found.fixes}
    return tuple(found[name] for name in sorted(found))
