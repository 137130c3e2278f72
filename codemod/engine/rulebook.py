"""The rules that ship with the tool: `rules/*.yaml`, one a kit or one for a kit and its forks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from codemod.data import data_path
from codemod.engine.rules import Rule, load
from codemod.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def folder() -> Path:
    """Where the rules lie: beside a source checkout, else inside the package."""
    return data_path("rules")


@lru_cache(maxsize=64)
def _load(path: Path) -> Rule:
    return load(path)


def rule_files() -> list[Path]:
    """The rule files, by name."""
    return sorted(path for path in folder().glob("*.yaml") if path.name.count(".") == 1)


def rule_for(kit: str, rule_ids: tuple[str, ...] = ()) -> Rule:
    """The rule of a kit.

    Raises:
        UsageError: no rule, a broken one, or no such trainer in it.
    """
    from codemod.kits import find_kit

    rule = _load(folder() / find_kit(kit).rule)
    known = [trainer.id for trainer in rule.trainers]
    for wanted in rule_ids:
        if wanted not in known:
            raise UsageError(
                f"The rule of {kit} has no trainer {wanted!r}.", f"Use one of: {', '.join(known)}."
            )
    return rule
