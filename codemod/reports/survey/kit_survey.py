"""The survey of one kit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from codemod.audit.fixes.offers import Offer
from codemod.base.changeset import ChangeSet
from codemod.base.files.workspace import Workspace
from codemod.code.tree import Tree
from codemod.judging.evidence.speed_rows import SPEED
from codemod.kits.catalogue import Kit
from codemod.kits.config_rule import config_rule
from codemod.reports.survey import grouping, inventory, predictions, traces, verdicts
from codemod.reports.survey.alike import Verdicts, alike
from codemod.reports.survey.families import catalogue
from codemod.reports.survey.grounds import grounds
from codemod.reports.survey.rows import FixedMode, KitSurvey, RowState, Trainable
from codemod.reports.survey.verdicts import with_speed


def survey_kit(
    kit: Kit,
    change_set: ChangeSet,
    workspace: Path,
    fixed: tuple[FixedMode, ...] = (),
    tree: Tree | None = None,
) -> KitSurvey:
    """The rows of a kit; `change_set` is what `codemod apply` would do to it.

    Results of runs are looked for in the base of evidence and in `workspace`; `fixed` says what the
    proved fixes make of configs; `tree` is the source's where somebody has read it already.
    """
    known = catalogue(kit.name)
    tree = tree or Tree(change_set.source.root)
    rule = config_rule(kit)
    found = inventory.take(kit, rule, known, tree, change_set)
    revision = change_set.source.revision
    models = predictions.scanned(tree, found.loaded)
    ground = grounds(change_set, tree, found, models)
    code = [traces.code_files(family, tree) for family in known.families]
    paths = {*(unit.path for unit in found.units), *(path for files in code for path in files)}
    ran = with_speed(
        verdicts.tested(kit.name, ground, workspace, paths),
        SPEED.read(kit.name, Workspace(workspace)),
        revision,
    )
    read = predictions.predicted(models, rule.settled if rule else ())
    said = _said(ran.verdicts, alike(models, ran.verdicts), read)
    rows = []
    units = [_fed(unit, ran.inputs.get(unit.path, "")) for unit in found.units]
    for number, grouped in enumerate(grouping.rows(units, known)):
        plan = number < len(known.families)
        own = {unit.path for unit in grouped.units}
        # The plan's families come first, each in its place.
        more = [path for path in code[number] if path not in own] if plan else []
        row = replace(grouped, code=tuple(path for path in more if path in ran.verdicts))
        row = replace(row, verdicts={path: said[path] for path in row.paths if path in said})
        row = replace(row, fixed=tuple(one for one in fixed if one.config in row.paths))
        absent = row.state is not RowState.TRAINS and plan
        rows.append(traces.traced(row, known.families[number], tree) if absent else row)
    return KitSurvey(
        kit.name,
        kit.git,
        revision,
        tuple(rows),
        found.unreadable,
        ran.stale,
        ran.damaged,
        change_set.training_files,
    )


def _said(ran: Verdicts, same: Verdicts, read: Verdicts) -> Verdicts:
    """By path what its runs, those of equal models and its code say, in this order."""
    return {
        path: tuple(verdict for source in (ran, same, read) for verdict in source.get(path, ()))
        for path in {*ran, *read}
    }


def fixed_modes(offers: Iterable[Offer]) -> Iterator[FixedMode]:
    """The modes that pass by a proved fix of their config, and not without it."""
    for offer in offers:
        if offer.refusal is None:
            for paddle, proof in sorted(offer.proofs.items()):
                for mode in proof.gains:
                    before, after = proof.before[mode], proof.after[mode]
                    yield FixedMode(offer.config, mode, paddle, before, after)


def _fed(unit: Trainable, recorded: str) -> Trainable:
    """The unit with what a run recorded in the place of what is declared."""
    return replace(unit, inputs=recorded, observed=True) if recorded else unit
