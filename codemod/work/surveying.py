"""The survey of one target, and what it imports where several share the processor's cores."""

from __future__ import annotations

from typing import Any

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import from_json, to_json
from codemod.code.tree import Tree
from codemod.reports.survey.rows import FixedMode, KitSurvey
from codemod.work.planning import FIXING, PLANNING, Request, root_and_plan

# What a survey imports.
SURVEYING = (*PLANNING, *FIXING, "codemod.reports.survey.kit_survey")


def survey(request: Request) -> KitSurvey:
    """The survey of one target.

    >>> [row.name for row in survey(Request("MendKit", Path("MendKit"))).rows]
    ['Sum', 'View']

    Raises:
        UsageError: it is not a known kit.
    """
    from codemod.kits.catalogue import find_kit
    from codemod.reports.survey.kit_survey import survey_kit

    _, made = root_and_plan(request)
    change_set = made.change_set()
    kit = change_set.source.kit
    if kit is None:
        raise UsageError(f"{request.target} is not a known kit.", "Known: `codemod kits`.")
    place, tree = Workspace.at(request.workspace), made.project.tree
    fixed = _fixed(change_set.source, place, tree)
    return survey_kit(find_kit(kit), change_set, request.workspace, fixed, tree)


def _fixed(source: Source, workspace: Workspace, tree: Tree) -> tuple[FixedMode, ...]:
    """What the proved fixes make of configs, found once for the same texts, data and proofs."""
    from codemod.judging.evidence.fix_proofs import PROOFS
    from codemod.kits.catalogue import find_kit
    from codemod.kits.folder import kit_data
    from codemod.kits.kept_results import kept_result
    from codemod.reports.survey.kit_survey import fixed_modes
    from codemod.work.fixing import proved_offers, proved_paths

    kit = source.kit or ""
    known = PROOFS.read(kit, workspace)
    if not known:
        return ()
    # A config may be JSON, which is not among the texts that every kept result is of.
    configs = [
        tree.read(path) for path in sorted({*proved_paths(known)}.intersection(tree.paths()))
    ]
    return kept_result(
        "fixes",
        tree,
        (find_kit(kit), kit_data(kit), known, configs),
        lambda: tuple(fixed_modes(proved_offers(source, workspace, tree))),
        _packed,
        _unpacked,
    )


def _packed(fixed: tuple[FixedMode, ...]) -> list[dict[str, Any]]:
    return [to_json(one) for one in fixed]


def _unpacked(packed: list[dict[str, Any]]) -> tuple[FixedMode, ...]:
    return tuple(from_json(FixedMode, one) for one in packed)
