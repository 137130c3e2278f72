"""From configs to rows: each config belongs to exactly one, each family of the plan keeps one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from codemod.base.grouping import grouped
from codemod.reports.survey.families import Catalogue, Family
from codemod.reports.survey.rows import Row, RowState, Trainable


def rows(units: Sequence[Trainable], known: Catalogue) -> tuple[Row, ...]:
    """The rows of a kit: the plan's families, then the other named ones, then what is left."""
    named = grouped(
        (next((n for n, row in enumerate(known.rows) if _belongs(unit, row)), -1), unit)
        for unit in units
    )
    made = []
    for number, family in enumerate(known.rows):
        plan, own = number < len(known.families), named.get(number, [])
        if own or plan:
            made.append(_row(family.name, family.en, plan, family.task, own, known))
    rest = grouped((_group(unit, known.group), unit) for unit in named.get(-1, []))
    made += [_row(name, "", False, "", rest[name], known) for name in sorted(rest, key=str.lower)]
    return _told_apart(made)


def _told_apart(made: list[Row]) -> tuple[Row, ...]:
    """The rows with ids that differ."""
    seen: Counter[str] = Counter()
    apart = []
    for row in made:
        seen[row.id] += 1
        again = seen[row.id] > 1
        apart.append(replace(row, id=f"{row.id}-{seen[row.id]}") if again else row)
    return tuple(apart)


def _belongs(unit: Trainable, family: Family) -> bool:
    by_path = any(fnmatchcase(unit.path, glob) for glob in family.configs)
    return by_path or any(fnmatchcase(unit.model, glob) for glob in family.models)


def _group(unit: Trainable, patterns: tuple[str, ...]) -> str:
    """The row of a config that no family names: its model, or the folder a pattern names."""
    parts = unit.path.split("/")[:-1]
    for pattern in patterns:
        if pattern == "model":
            return unit.model
        wanted = pattern.split("/")
        head = parts[: len(wanted)]
        if len(head) == len(wanted) and all(map(fnmatchcase, head, wanted)):
            # A folder named as the kit lays it out: what all rows have in common is left out.
            first = next((n for n, part in enumerate(wanted) if "*" in part), 0)
            kept = head[first:] if not unit.root else head
            return "/".join(kept)
    return unit.model


def _row(
    name: str, en: str, plan: bool, task: str, units: list[Trainable], known: Catalogue
) -> Row:
    state = RowState.TRAINS if units else RowState.ABSENT
    tasks = Counter(_task(unit, known) for unit in units)
    task = task or (tasks.most_common(1)[0][0] if tasks else known.task)
    return Row(_slug(en or name), name, en or name, plan, task, state, tuple(units))


def _task(unit: Trainable, known: Catalogue) -> str:
    fits = (rule for rule in known.tasks if any(fnmatchcase(unit.path, g) for g in rule.configs))
    return next((rule.task for rule in fits), known.task)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("+", "plus")).strip("-")
