"""How many of the kits' trainers that get a hook are rehearsed: docs/measured/check.md.

usage: python -m bench.rehearsed DIR [--kit NAME]... [--write]

DIR holds a checkout of each kit, named like the kit. A trainer is a scope that gets hooks; it
counts where it ran on the stand-in and its hook was reached, as a whole script or by itself.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from bench.check import PAGE
from bench.fixes import filled_block
from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.experiments.rehearse.rehearsal import RehearsalOutcome, rehearse
from codemod.kits.catalogue import load_kits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codemod.experiments.rehearse.rehearsal import Rehearsal

GOAL = 0.6
COLUMNS = ("script", "scope", RehearsalOutcome.NOT_RUN.value, RehearsalOutcome.REFUSED.value)


def outcome(one: Rehearsal) -> str:
    """The column that a rehearsal counts in: its level where it holds."""
    return one.level if one.outcome is RehearsalOutcome.HOLDS else one.outcome.value


def table(counts: Mapping[str, Counter[str]]) -> str:
    """One row a kit that gets hooks, and their sum with the share that is rehearsed."""
    whole: Counter[str] = sum(counts.values(), Counter())
    lines = ["| kit | trainers | script | scope | not run | refused |", f"|---|{'---:|' * 5}"]
    for kit, found in (*counts.items(), ("all", whole)):
        numbers = " | ".join(str(found[column]) for column in COLUMNS)
        lines.append(f"| {kit} | {found.total()} | {numbers} |")
    return "\n".join(lines) + "\n"


def share(counts: Mapping[str, Counter[str]]) -> float:
    """The share of the trainers whose change was run and held, or was refused."""
    whole: Counter[str] = sum(counts.values(), Counter())
    return 1 - whole[RehearsalOutcome.NOT_RUN.value] / max(whole.total(), 1)


def main() -> int:
    """Rehearse each kit; exit code 1 where one is refused or too few are rehearsed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kit", action="append", help="only this kit")
    parser.add_argument("--write", action="store_true", help="into docs/measured/check.md")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for kit in options.kit or load_kits():
        root = options.folder / kit
        if not root.is_dir():
            parser.error(f"{root} is no folder")
        found = rehearse(plan_change(Source(kit, root, None)).change_set())
        for one in found:
            print(f"{kit}: {one.line()}", flush=True)
        if found:
            counts[kit] = Counter(map(outcome, found))
    print(f"\n{table(counts)}\nrehearsed: {share(counts):.0%}")
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(filled_block(text, "rehearsed", table(counts)), encoding="utf-8")
    refused = any(found[RehearsalOutcome.REFUSED.value] for found in counts.values())
    return int(refused or share(counts) < GOAL)


if __name__ == "__main__":
    sys.exit(main())
