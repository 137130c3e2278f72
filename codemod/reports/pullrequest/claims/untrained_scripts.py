"""Why scripts of a change were not trained, as the kit's recipe knows it: no run tells of them."""

from __future__ import annotations

from collections.abc import Collection

from codemod.base.changeset import ChangeSet
from codemod.base.errors import UsageError
from codemod.base.grouping import grouped_once
from codemod.base.reason import Reason
from codemod.reports.pullrequest.claims.facts import inserted
from codemod.training.recipes import read_recipe


def untrained_scripts(change_set: ChangeSet, never: Collection[str]) -> dict[Reason, list[str]]:
    """The hooked scripts that the recipe says cannot be trained, by reason.

    `never` are the places (`FILE:LINE`) of statements that no run is known to have executed: only
    scripts with one of them are told of.
    """
    kit = change_set.source.kit
    files = {place.rpartition(":")[0] for place in never} if kit else set()
    return grouped_once(
        (why, hook.file)
        for hook in inserted(change_set)
        if hook.file in files and (why := _why_not(kit or "", hook.file))
    )


def _why_not(kit: str, script: str) -> Reason | None:
    try:
        recipe = read_recipe(kit, script)
    except UsageError:
        return None
    return Reason.said(recipe.why_not, recipe.why_not_zh) if recipe.why_not else None
