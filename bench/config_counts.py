"""Configs by what is known of them: a row a kit, from a survey's JSON.

usage: codemod survey --all -o survey.json
       python -m bench.config_counts survey.json [--write]

A config was run where a probe or parity trained it in dynamic mode on that Paddle, or it fails in
that mode, and is alike where one that builds the same computation was. Where no run could be made
(a package that is missing, no batch for it) nothing is known by it. `no switch` counts those of the
others that the change leaves without a switch that works, for a reason that the survey gives; what
is left is judged by its code alone. Of a config that several families name, one counts. `--write`
puts the table into `docs/measured/evidence.md`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from bench.families import PAGE
from bench.fixes import filled_block
from codemod.judging.evidence.result import RAN
from codemod.judging.verdict import Verdict
from codemod.reports.survey.rows import PADDLES, SAME
from codemod.training.runner import DYNAMIC

STATES = ("run", "alike", "no switch", "left")


def state_of(config: dict[str, Any], paddle: str) -> str:
    """What is known of a config on a Paddle, one of `STATES`."""
    told = {
        verdict["source"]
        for verdict in config["verdicts"]
        if verdict["paddle"] == paddle
        and verdict["mode"] == DYNAMIC
        and verdict["verdict"] != Verdict.NOT_RUN
    }
    if not told.isdisjoint(RAN):
        return "run"
    if SAME in told:
        return "alike"
    return "no switch" if config["after"] else "left"


def counted(kit: dict[str, Any]) -> Counter[tuple[str, str]]:
    """How many of a kit's configs are in each state, by Paddle."""
    configs = {config["path"]: config for row in kit["rows"] for config in row["configs"]}
    return Counter(
        (paddle, state_of(config, paddle)) for paddle in PADDLES for config in configs.values()
    )


def table(survey: dict[str, Any]) -> str:
    """Markdown: a row a kit, and one of all."""
    head = ("kit", "configs", *(f"{paddle} {state}" for paddle in PADDLES for state in STATES))
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    counts = {kit["kit"]: counted(kit) for kit in survey["kits"]}
    for name, found in {**counts, "all": sum(counts.values(), Counter())}.items():
        cells = [found[paddle, state] for paddle in PADDLES for state in STATES]
        lines.append(f"| {name} | {sum(cells) // len(PADDLES)} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table; `--write` keeps it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("survey", type=Path, help="the JSON of `codemod survey --all`")
    parser.add_argument("--write", action="store_true", help="update the table in the guide")
    asked = parser.parse_args()
    made = table(json.loads(asked.survey.read_text(encoding="utf-8")))
    print(made)
    if asked.write:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(filled_block(text, "configs", made + "\n"), encoding="utf-8")


if __name__ == "__main__":
    main()
