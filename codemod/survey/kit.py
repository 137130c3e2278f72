"""The survey of one kit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.audit.rule import config_rule
from codemod.survey import grouping, inventory, traces
from codemod.survey.families import catalogue
from codemod.survey.model import KitSurvey, State
from codemod.tree import Tree

if TYPE_CHECKING:
    from codemod.kits import Kit
    from codemod.model import ChangeSet


def survey_kit(kit: Kit, change_set: ChangeSet) -> KitSurvey:
    """The rows of a kit; `change_set` is what `codemod apply` would do to it."""
    known = catalogue(kit.name)
    tree = Tree(change_set.source.root)
    units, unreadable = inventory.units(kit, config_rule(kit), known, tree, change_set)
    rows = []
    for number, row in enumerate(grouping.rows(units, known)):
        absent = row.state is not State.TRAINS and number < len(known.families)
        rows.append(traces.traced(row, known.families[number], tree) if absent else row)
    return KitSurvey(kit.name, kit.git, change_set.source.revision, tuple(rows), unreadable)
