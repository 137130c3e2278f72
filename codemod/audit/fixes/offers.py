"""What fixes are offered: those of each config, with the proofs on record of just this change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from codemod.audit.fixes.change import change_of
from codemod.audit.fixes.find import Fix, ModelFixes, find_fixes
from codemod.audit.fixes.remedy import Remedy
from codemod.base.changeset import ChangeSet, Source
from codemod.base.json_form import to_json
from codemod.base.reason import NO_REASON, Reason, Refusal
from codemod.code.tree import Tree
from codemod.hazards import ReachedModel
from codemod.judging.evidence.fix_proofs import (
    PADDLES,
    Dynamic,
    FixProof,
    ground_of,
    judged,
    proofs_on,
)


@dataclass(frozen=True)
class Offer:
    """All fixes of one config as one change, and its proofs by Paddle.

    `ground` is as in `FixProof`; `failed` says why a proof could not be made.
    """

    found: ModelFixes
    change: ChangeSet
    ground: str
    proofs: Mapping[str, FixProof] = field(default_factory=dict)
    failed: Reason | None = None

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
        return Refusal(self.failed) if self.failed else judged(self.proofs)

    def alone(self) -> tuple[tuple[str, ChangeSet], ...]:
        """Of several fixes, the change that each makes by itself, where it can be made so."""
        fixes = self.found.fixes
        source = self.change.source
        tree = Tree(source.root)
        changes = [(fix.name, change_of(source, tree, [fix])) for fix in fixes]
        return tuple(one for one in changes if len(fixes) > 1 and not one[1].skipped)

    @property
    def disproved(self) -> bool:
        """Whether it is refused for what was found, not for what was not looked at yet."""
        whole = set(PADDLES) <= set(self.proofs) or self.harmful
        return self.refusal is not None and bool(whole or self.failed or self.change.skipped)

    @property
    def harmful(self) -> bool:
        """Whether a run showed that dynamic training is not the same."""
        bad = (Dynamic.DIFFERS, Dynamic.FAILS)
        return any(proof.dynamic in bad for proof in self.proofs.values())

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
        change = change_of(source, tree, found.fixes)
        ground = ground_of(tree, (*found.files, *config_files[found.config]), change)
        made.append(Offer(found, change, ground, proofs_on(known, found.config, ground)))
    return tuple(made)


def not_disproved(made: Iterable[Offer]) -> tuple[Fix, ...]:
    """The fixes that no proof on record speaks against, each once: what a proof may yet allow."""
    made = tuple(made)
    vetoed = {fix.name for one in made if one.harmful or one.disproved for fix in one.found.fixes}
    found = {fix.name: fix for offer in made for fix in offer.found.fixes}
    return tuple(found[name] for name in sorted(found) if name not in vetoed)


def offered_fixes(made: Iterable[Offer]) -> tuple[Fix, ...]:
    """The fixes of all offers that hold, each once, but those that some config disproves."""
    made = tuple(made)
    vetoed = {fix.name for offer in made if offer.harmful for fix in offer.found.fixes}
    found = {fix.name: fix for offer in made if offer.refusal is None for fix in offer.found.fixes}
    return tuple(found[name] for name in sorted(found) if name not in vetoed)
