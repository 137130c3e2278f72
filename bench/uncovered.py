"""Computations of the kits that no run speaks for, those of the most configs first.

usage: codemod survey --all -o survey.json
       python -m bench.uncovered survey.json --kits DIR [--paddle V] [--count N] [--commands]

Configs that build the same computation (`codemod.hazards.sameness`) share a verdict, so one probe
tells of all of them. A line is a computation: its configs, and the one with the least of its
kind, by the size words of its name. `--commands` prints the probes to make instead, a command a
kit. `--kits` is a folder with a checkout a kit, of the revision that the survey is of.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemod.audit.reach import trainable
from codemod.code.tree import Tree
from codemod.hazards import scan_kit
from codemod.judging.evidence.result import RAN
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import Configs, config_rule
from codemod.reports.survey.rows import PADDLES, SAME

if TYPE_CHECKING:
    from collections.abc import Iterator

# Words that kits give to small nets, the smallest first; a name with none of them comes last.
SMALL = (
    "nano|atto|pico",
    "tiny",
    "mobilenet|mbv|lcnet|_n_|_xs",
    "small|_s_|_t_|stdc1|_b0",
    "r18|resnet18|dla34|vgg11",
    "r34|resnet34",
    "r50|resnet50|base",
)


@dataclass(frozen=True, slots=True)
class Computation:
    """Configs of a kit that build the same; `config` is the one to run."""

    kit: str
    config: str
    configs: tuple[str, ...]


def size(config: str) -> tuple[int, int]:
    """A rank of a config by its name: the size word, then how much is said beside it."""
    name = config.lower()
    word = next((at for at, one in enumerate(SMALL) if re.search(one, name)), len(SMALL))
    return word, len(config)


def spoken_for(survey: dict[str, Any], paddle: str) -> set[tuple[str, str]]:
    """Kit and config of all verdicts on a Paddle that a run made, or one of an alike config."""
    return {
        (kit["kit"], config["path"])
        for kit in survey["kits"]
        for row in kit["rows"]
        for config in row["configs"]
        for one in config["verdicts"]
        if one["paddle"] == paddle and one["source"] in {*RAN, SAME}
    }


def computations(kits: Path, name: str) -> Iterator[Computation]:
    """Those of all configs of a kit; none of one that has no configs."""
    kit = find_kit(name)
    rule = config_rule(kit) if kit else None
    if kit is None or rule is None:
        return
    tree = Tree(kits / name)
    groups: dict[str, list[str]] = defaultdict(list)
    for model in scan_kit(tree, rule, dict(trainable(kit, rule, tree, Configs(tree, rule.base)))):
        if model.computation is not None:
            groups[model.computation].append(model.config)
    for configs in groups.values():
        yield Computation(name, min(configs, key=size), tuple(sorted(configs)))


def uncovered(survey: dict[str, Any], kits: Path, paddle: str) -> list[Computation]:
    """Those without a config that is spoken for, the largest first."""
    known = spoken_for(survey, paddle)
    found = [
        one
        for kit in survey["kits"]
        for one in computations(kits, kit["kit"])
        if not any((one.kit, config) in known for config in one.configs)
    ]
    return sorted(found, key=lambda one: (-len(one.configs), size(one.config)))


def main() -> None:
    """List them, or print the commands of their probes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("survey", type=Path)
    parser.add_argument("--kits", type=Path, required=True)
    parser.add_argument("--paddle", choices=PADDLES, default=PADDLES[-1])
    parser.add_argument("--count", type=int, help="only the first N")
    parser.add_argument("--commands", action="store_true")
    asked = parser.parse_args()
    survey = json.loads(asked.survey.read_text(encoding="utf-8"))
    found = uncovered(survey, asked.kits, asked.paddle)
    chosen = found[: asked.count]
    if asked.commands:
        for kit in dict.fromkeys(one.kit for one in chosen):
            configs = [one.config for one in chosen if one.kit == kit]
            words = ["codemod", "probe", kit, "--paddle", asked.paddle]
            print(shlex.join([*words, *(word for one in configs for word in ("-c", one))]))
        return
    for one in chosen:
        print(f"{len(one.configs):4} {one.kit} {one.config}")
    told, left = (sum(len(one.configs) for one in group) for group in (chosen, found))
    print(f"{len(chosen)} of {len(found)} computations, {told} of {left} configs")


if __name__ == "__main__":
    main()
