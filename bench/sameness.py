"""How often a config's verdict is that of another one which builds the same computation.

usage: python -m bench.sameness --kits DIR [--workspace DIR]

Every pair of configs that `codemod.hazards.sameness` takes for the same and that were both run, in
the base of evidence or in a workspace, is compared by mode and Paddle: whether both pass or both
do not, and whether their verdicts are equal. `--kits` is a folder with a checkout a kit, of the
revision that the results are of.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from bench.hazards import scanned, truths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bench.hazards import Truth
    from codemod.hazards import ModelHazards


def pairs(
    known: Iterable[Truth], models: dict[tuple[str, str], ModelHazards]
) -> Iterator[tuple[Truth, Truth]]:
    """The pairs of verdicts of one mode on one Paddle whose configs build the same."""
    groups: dict[tuple[object, ...], list[Truth]] = defaultdict(list)
    for truth in known:
        model = models.get((truth.kit, truth.config))
        if model is not None and model.computation is not None:
            groups[truth.kit, model.computation, truth.mode, truth.paddle].append(truth)
    for group in groups.values():
        yield from combinations(sorted(group, key=lambda truth: truth.config), 2)


def main() -> None:
    """Print the counts by mode and Paddle, and each pair that does not agree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kits", type=Path, required=True)
    parser.add_argument("--workspace", type=Path, help="results beside those of the base")
    asked = parser.parse_args()
    known = list(truths(asked.workspace))
    found = list(pairs(known, scanned(asked.kits, known)))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one, other in found:
        for title in (f"{one.mode.value} {one.paddle}", "all"):
            counts[title]["pairs"] += 1
            counts[title]["agree"] += one.verdict.passed == other.verdict.passed
            counts[title]["equal"] += one.verdict is other.verdict
    whole = {(one.kit, one.config, other.config) for one, other in found}
    print(f"{len(whole)} pairs of configs of {len({kit for kit, _, _ in whole})} kits")
    print(
        "| mode and Paddle | pairs | both pass or both do not | same verdict |\n|---|---|---|---|"
    )
    for title, count in sorted(counts.items(), key=lambda item: (item[0] == "all", item[0])):
        print(f"| {title} | {count['pairs']} | {count['agree']} | {count['equal']} |")
    for one, other in found:
        if one.verdict.passed != other.verdict.passed:
            print(
                f"{one.kit} {one.mode.value} {one.paddle}: {one.config} {one.verdict}, "
                f"{other.config} {other.verdict}"
            )


if __name__ == "__main__":
    main()
