"""How often a config's verdict is that of another one which builds the same computation.

usage: python -m bench.sameness --kits DIR [--workspace DIR] [--draw N [--seed 7]]

Sameness leaves out sizes, what a net starts from, names of factories, and all that stands outside
of the model (data, schedules, losses): each of these is a rule that may be wrong, and a pair shows
those by which its two configs differ. Of every pair that was run on both sides, by the base or a
workspace, it is counted by rule, and by mode and Paddle, whether both pass or both do not; those
that disagree are listed. `--kits` is a folder with a checkout a kit, of the revision that the
results are of. `--draw` draws more pairs, of those with a run on one side, each rule in turn, and
prints what is to be run for them, for `codemod probe KIT -c CONFIG` and `codemod parity`.
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
from codemod.kits.paddles import rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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

    @property
    def where(self) -> str:
        """The mode, and the Paddle."""
        return f"{self.one.mode.value} {self.one.paddle}"


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


def table(found: list[Agreement]) -> str:
    """Markdown: a row a rule or a mode; a pair that differs by several rules counts for each."""
    lines = ["| | pairs | verdicts | both pass or both do not | same |", "|---|---|---|---|---|"]
    titles = (*RULES, *sorted({one.where for one in found}), "all")
    for title in titles:
        mine = [one for one in found if title in (*one.pair.rules, one.where, "all")]
        cells = (
            len({one.pair for one in mine}),
            len(mine),
            sum(one.agrees for one in mine),
            sum(one.one.verdict is one.other.verdict for one in mine),
        )
        lines.append(f"| {title} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def half_run(pairs: Iterable[Pair], known: Iterable[Truth]) -> dict[Pair, tuple[str, str]]:
    """The pairs of which one config was run: the newest Paddle that it ran on, and the other."""
    ran: dict[tuple[str, str], str] = {}
    for truth in known:
        known_on = ran.get((truth.kit, truth.config), truth.paddle)
        ran[truth.kit, truth.config] = max(known_on, truth.paddle, key=rank)
    found = {}
    for pair in pairs:
        one, other = (ran.get((pair.kit, config)) for config in (pair.one, pair.other))
        if bool(one) != bool(other):
            found[pair] = (str(one or other), pair.other if one else pair.one)
    return found


def main() -> None:
    """Print the table, and each pair that does not agree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kits", type=Path, required=True)
    parser.add_argument("--workspace", type=Path, help="results beside those of the base")
    parser.add_argument("--draw", type=int, default=0, help="so many more pairs")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    known = list(truths(asked.workspace))
    pairs = pairs_of(asked.kits)
    if asked.draw:
        left = half_run(pairs, known)
        for pair in drawn(left, asked.draw, asked.seed):
            print(pair.kit, *left[pair])
        return
    found = agreements(pairs, known)
    print(f"pairs of {len({one.pair.kit for one in found})} kits")
    print(table(found))
    for one in found:
        if not one.agrees:
            print(
                f"{one.pair.kit} {one.where}: {one.pair.one} {one.one.verdict.value}, "
                f"{one.pair.other} {one.other.verdict.value} ({', '.join(sorted(one.pair.rules))})"
            )


if __name__ == "__main__":
    main()
