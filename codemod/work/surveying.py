"""The survey of one target, and what it imports where several share the processor's cores."""

from __future__ import annotations

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.reports.survey.rows import KitSurvey
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
    from codemod.work.fixing import proved_offers

    _, made = root_and_plan(request)
    change_set = made.change_set()
    kit = change_set.source.kit
    if kit is None:
        raise UsageError(f"{request.target} is not a known kit.", "Known: `codemod kits`.")
    place, tree = Workspace.at(request.workspace), made.project.tree
    offers = proved_offers(change_set.source, place, tree)
    return survey_kit(find_kit(kit), change_set, request.workspace, offers, tree)
