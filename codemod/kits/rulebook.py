"""The rules that ship with the tool: `rules/<Kit>/rule.yaml`, one a kit; a fork borrows."""

from __future__ import annotations

import ast
import re
from functools import cache, lru_cache
from pathlib import Path

from codemod.base.errors import UsageError, did_you_mean
from codemod.base.files.data_folder import data_path
from codemod.code.pattern import compile_block
from codemod.code.raised import raised
from codemod.kits.catalogue import find_kit, load_kits
from codemod.kits.folder import RULE, kit_file
from codemod.kits.rule import Rule, load


@lru_cache(maxsize=64)
def _load(path: Path) -> Rule:
    return load(path)


def rule_files() -> list[Path]:
    """The rule files of all kits, each once, sorted."""
    return sorted({file for kit in load_kits() if (file := kit_file(kit, RULE)) is not None})


def rule_for(kit: str, rule_ids: tuple[str, ...] = ()) -> Rule:
    """The rule of a kit.

    Raises:
        UsageError: no rule, a broken one, or no such trainer in it.
    """
    name = find_kit(kit).name
    file = kit_file(name, RULE)
    if file is None:
        raise UsageError(
            f"{name} has no rule.",
            f"Write {data_path(f'rules/{name}/{RULE}')}; `codemod rules scaffold DIR` drafts one.",
        )
    rule = _load(file)
    known = [trainer.id for trainer in rule.trainers]
    for wanted in rule_ids:
        if wanted not in known:
            raise UsageError(
                f"The rule of {name} has no trainer {wanted!r}.",
                did_you_mean(wanted, known, f"Use one of: {', '.join(known)}."),
            )
    return rule


@cache
def refusals(kit: str) -> tuple[re.Pattern[str], ...]:
    """The texts of the errors by which a kit's rule refuses the switch, their values left open.

    Raises:
        UsageError: the rule is broken.
    """
    file = kit_file(kit, RULE)
    if file is None:
        return ()
    rule = _load(file)
    extras = (*rule.mends, *(extra for one in rule.trainers for extra in one.extras))
    # What is appended to a list or read in an expression's place is no statement.
    codes = (*(one.hook for one in rule.trainers), *(e.code for e in extras if not e.append))
    blocks = (node for code in codes for node in compile_block(code))
    return tuple(text for block in blocks for text in raised(ast.walk(block)))
