"""Pairs of configs that count as the same, drawn by a seed and spread over what they differ in.

usage: python -m bench.sameness_drawn --kits DIR [--pairs 200] [--seed 7] [--workspace DIR] [--left]

Sameness leaves out sizes, what a net starts from, names of factories, and all that stands outside
of the model (data, schedules, losses): each of these is a rule that may be wrong. A pair shows the
rules by which its two configs differ. Pairs are drawn in turn for each rule. Of those whose two
configs were both run, by the base or a workspace, it is counted by rule whether both pass or both
do not; those that disagree are listed. `--left` prints the configs of the drawn pairs that have no
run, with their kit, for `codemod probe KIT -c CONFIG` and `codemod parity`.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.hazards import truths
from codemod.audit.reach import trainable
from codemod.code.tree import Tree
from codemod.hazards import scan_kit
from codemod.hazards.sameness import starts_from
from codemod.kits.catalogue import load_kits
from codemod.kits.config_rule import Configs, config_rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bench.hazards import Truth

RULES = ("size", "start", "name", "outside", "nothing")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two configs of one computation, and the rules by which they differ."""

    kit: str
    one: str
    other: str
    rules: frozenset[str]


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The values of a loaded config that hold no others, by their path."""
    if not isinstance(value, (dict, list, tuple)):
        yield path, value
        return
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(one, (*path, str(key)))


def differing(one: Any, other: Any, nets: Iterable[str]) -> frozenset[str]:
    """The rules by which two configs of one computation differ; `nets` are the model's keys."""
    mine, theirs = dict(leaves(one)), dict(leaves(other))
    tops = {net.split(".")[0] for net in nets}
    missing = object()
    found = {
        _rule(path, mine.get(path, missing), theirs.get(path, missing), tops)
        for path in {*mine, *theirs}
        if mine.get(path, missing) != theirs.get(path, missing)
    }
    return frozenset(found or {"nothing"})


def _rule(path: tuple[str, ...], one: Any, other: Any, tops: set[str]) -> str:
    if any(starts_from(part) for part in path):
        return "start"
    if tops and path[0] not in tops:
        return "outside"
    return "name" if isinstance(one, str) or isinstance(other, str) else "size"


def pairs_of(kits: Path) -> list[Pair]:
    """All pairs of the kits in a folder, by kit and path."""
    found: list[Pair] = []
    for kit in load_kits().values():
        rule = config_rule(kit)
        tree = Tree(kits / kit.name)
        if rule is None or not tree.root.is_dir():
            continue
        loaded = dict(trainable(kit, rule, tree, Configs(tree, rule.base)))
        groups: dict[str, list[str]] = defaultdict(list)
        for model in scan_kit(tree, rule, loaded):
            if model.computation is not None:
                groups[model.computation].append(model.config)
        found += [
            Pair(kit.name, one, other, differing(loaded[one], loaded[other], rule.nets))
            for configs in groups.values()
            for one, other in combinations(sorted(configs), 2)
        ]
    return sorted(found, key=lambda pair: (pair.kit, pair.one, pair.other))


def drawn(found: Iterable[Pair], number: int, seed: int) -> list[Pair]:
    """So many pairs, or all there are: each rule in turn gives one that it takes part in."""
    chance = random.Random(seed)
    waiting = {rule: [pair for pair in found if rule in pair.rules] for rule in RULES}
    for pairs in waiting.values():
        chance.shuffle(pairs)
    taken: dict[Pair, None] = {}
    while len(taken) < number and any(waiting.values()):
        for rule in RULES:
            while waiting[rule]:
                pair = waiting[rule].pop()
                if pair not in taken and len(taken) < number:
                    taken[pair] = None
                    break
    return list(taken)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Verdicts of both configs in one mode on one Paddle."""

    pair: Pair
    one: Truth
    other: Truth

    @property
    def agrees(self) -> bool:
        """Whether both pass or both do not."""
        return self.one.verdict.passed == self.other.verdict.passed


def agreements(pairs: Iterable[Pair], known: Iterable[Truth]) -> list[Agreement]:
    """What the runs say of the pairs whose two configs were both run."""
    runs: dict[tuple[str, str], dict[tuple[str, str], Truth]] = defaultdict(dict)
    for truth in known:
        runs[truth.kit, truth.config][truth.mode.value, truth.paddle] = truth
    return [
        Agreement(pair, runs[pair.kit, pair.one][key], runs[pair.kit, pair.other][key])
        for pair in pairs
        for key in sorted(runs[pair.kit, pair.one].keys() & runs[pair.kit, pair.other].keys())
    ]


def table(pairs: list[Pair], found: list[Agreement]) -> str:
    """Markdown: a row a rule; a pair that differs by several counts for each."""
    lines = [
        "| they differ in | pairs drawn | both run | verdicts | agree |",
        "|---|---|---|---|---|",
    ]
    for rule in (*RULES, "all"):
        mine = [one for one in found if rule in (*one.pair.rules, "all")]
        cells = (
            sum(rule in (*pair.rules, "all") for pair in pairs),
            len({one.pair for one in mine}),
            len(mine),
            sum(one.agrees for one in mine),
        )
        lines.append(f"| {rule} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def without_run(pairs: Iterable[Pair], known: Mapping[tuple[str, str], object]) -> list[str]:
    """The configs of the pairs that have no run, a line each."""
    wanted = {(pair.kit, config) for pair in pairs for config in (pair.one, pair.other)}
    return [f"{kit} {config}" for kit, config in sorted(wanted) if (kit, config) not in known]


def main() -> None:
    """Print the table, and each pair that does not agree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kits", type=Path, required=True)
    parser.add_argument("--workspace", type=Path, help="results beside those of the base")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--left", action="store_true", help="list what has no run")
    asked = parser.parse_args()
    known = list(truths(asked.workspace))
    chosen = drawn(pairs_of(asked.kits), asked.pairs, asked.seed)
    if asked.left:
        print("\n".join(without_run(chosen, {(t.kit, t.config): t for t in known})))
        return
    found = agreements(chosen, known)
    print(table(chosen, found))
    for one in found:
        if not one.agrees:
            print(
                f"{one.pair.kit} {one.one.mode.value} {one.one.paddle}: {one.pair.one} "
                f"{one.one.verdict.value}, {one.pair.other} {one.other.verdict.value} "
                f"({', '.join(sorted(one.pair.rules))})"
            )


if __name__ == "__main__":
    main()
