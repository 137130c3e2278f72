"""From a target to the fixes of its models: what `fix` and `--with-fixes` have in common."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from codemod.audit.fixes.offers import FixedChange, Offer, offered_fixes, offers
from codemod.audit.fixes.remedy import Remedy
from codemod.base.changeset import ChangeSet, Source
from codemod.base.collector import collector_paused
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.code.tree import Tree
from codemod.hazards import reached_code, reached_models
from codemod.judging.evidence.fix_proofs import PROOFS, FixProof
from codemod.kits.catalogue import Kit, find_kit
from codemod.kits.config_files import config_files, named_configs
from codemod.kits.config_rule import ConfigRule, Configs, config_rule, configs_of


@collector_paused()
def offers_of(
    source: Source,
    workspace: Workspace,
    configs: tuple[str, ...] = (),
    remedies: tuple[Remedy, ...] | None = None,
    *,
    strict: bool = True,
    tree: Tree | None = None,
) -> tuple[Offer, ...]:
    """The offers for the configs and files of model code of these paths or globs, or for all.

    Raises:
        UsageError: it is not a known kit, or (where `strict`) a glob names none of its configs
            that train.
    """
    if not source.kit:
        raise UsageError(
            f"{source.root} is not a known kit: what its configs train is not known.",
            "Add it to `kits.yaml` with rules/<Kit>/configs.yaml; see docs/eleventh-kit.md.",
        )
    kit = find_kit(source.kit)
    rule = config_rule(kit)
    if rule is None:
        raise UsageError(f"There is no rules/{kit.name}/configs.yaml: its models are not known.")
    tree = tree or Tree(source.root)
    if strict:
        named_configs(kit.name, tree, configs)
    proofs = PROOFS.read(kit.name, workspace)
    # A fix that is harmful to a config is offered to no other, whichever is asked for.
    harmful = sorted({proof.config for proof in proofs if proof.harmful})
    read = tuple(_read(kit, rule, tree, (*configs, *harmful) if configs else ()))
    known = dict.fromkeys(path for one in read for path in one.trained)
    code = tuple(p for p in tree.paths() if any(fnmatch.fnmatch(p, glob) for glob in rule.code))
    chosen = _chosen(kit.name, (*known, *code), configs, strict=strict)
    beside = [one for one in harmful if one in {*known, *code} and one not in chosen]
    chosen += tuple(beside)
    models = [
        model
        for one in read
        for model in reached_models(
            tree, one.rule, {path: one.trained[path] for path in chosen if path in one.trained}
        )
    ]
    models += reached_code(tree, [path for path in chosen if path not in known])
    files = dict.fromkeys(chosen, ()) | {
        path: one.loaded.files(path) for one in read for path in chosen if path in one.trained
    }
    wanted = remedies_of(source) if remedies is None else remedies
    made = offers(source, tree, models, wanted, files, proofs)
    return tuple(offer for offer in made if offer.config not in beside)


@dataclass(frozen=True)
class _Root:
    """The configs of one root that train a model, and the rule by which they are read."""

    rule: ConfigRule
    loaded: Configs
    trained: dict[str, dict[str, Any]]


def _read(kit: Kit, rule: ConfigRule, tree: Tree, wanted: tuple[str, ...]) -> Iterator[_Root]:
    """The roots that hold a config of these paths or globs, or all; each config is in one."""
    from codemod.audit.reach import trainable
    from codemod.reports.survey.families import catalogue
    from codemod.reports.survey.inventory import roots

    seen: set[str] = set()
    for _, where, how in roots(kit, rule, catalogue(kit.name)):
        listed = config_files(where, tree)
        if wanted and not any(fnmatch.fnmatch(p, glob) for p in listed for glob in wanted):
            continue
        loaded = configs_of(tree, how.base)
        found = {p: c for p, c in trainable(where, how, tree, loaded) if p not in seen}
        seen |= found.keys()
        yield _Root(how, loaded, found)


def proved_offers(
    source: Source, workspace: Workspace, tree: Tree | None = None
) -> tuple[Offer, ...]:
    """The offers of configs that have a proof on record: none is looked for where there is none.

    `tree` is the source's where somebody has read it already.
    """
    known = proved_paths(PROOFS.read(source.kit or "", workspace))
    return offers_of(source, workspace, known, strict=False, tree=tree) if known else ()


def proved_paths(proofs: Iterable[FixProof]) -> tuple[str, ...]:
    """The configs and files of model code that the proofs are of, sorted."""
    return tuple(sorted({path for proof in proofs for path in (proof.config, *proof.also)}))


def with_fixes(change_set: ChangeSet, workspace: Workspace) -> FixedChange:
    """The change with the fixes that are proved on record, in files that it leaves alone.

    Raises:
        UsageError: as `offers_of`.
    """
    from codemod.audit.fixes.written import written_change

    source = change_set.source
    taken = {change.path for change in change_set.changes}
    # The fixes of a config are proved together, so they are left out together.
    free = [
        offer
        for offer in proved_offers(source, workspace)
        if taken.isdisjoint(change.path for change in offer.change.changes)
    ]
    fixes = offered_fixes(free)
    fixed = written_change(source, Tree(source.root), fixes)
    whole = replace(
        change_set,
        edits=(*change_set.edits, *fixed.edits),
        changes=(*change_set.changes, *fixed.changes),
        skipped=(*change_set.skipped, *fixed.skipped),
    )
    written = {fix.name for fix in fixes}
    used = [offer for offer in free if offer.refusal is None and written.issuperset(offer.names)]
    return FixedChange(whole, tuple(used))


def _chosen(
    kit: str, known: tuple[str, ...], wanted: tuple[str, ...], *, strict: bool
) -> tuple[str, ...]:
    if not wanted:
        return known
    chosen: list[str] = []
    for pattern in wanted:
        found = [path for path in known if fnmatch.fnmatch(path, pattern)]
        if not found and strict:
            raise UsageError(
                f"{kit} has no config {pattern} that trains a model.",
                "Give its path from the kit's root, or a glob.",
            )
        chosen += found
    return tuple(dict.fromkeys(chosen))


def remedies_of(source: Source, files: tuple[Path, ...] = ()) -> tuple[Remedy, ...]:
    """The remedies of the catalogue, of the kit's folder and of the user's files."""
    from codemod.audit.fixes.catalog import REMEDIES
    from codemod.audit.fixes.declared import declared_remedies

    return (*REMEDIES, *declared_remedies(source.kit or "", files))
