"""Families of the plan by what was run of them: a row a kit, from a survey's JSON.

usage: codemod survey --all -o survey.json
       python -m bench.families survey.json [--missing] [--write]

A family ran on a Paddle when a config of it, or its model code, was trained in dynamic mode there,
by a probe or by parity. What has no run on a Paddle is counted under "reason" where a run or the
kit's files say why; `--missing` lists these families, with the reason. `--write` puts the table
into `docs/measured/evidence.md`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.fixes import filled_block
from codemod.judging.evidence.result import RAN
from codemod.reports.survey.rows import PADDLES, Outlook, RowState
from codemod.training.runner import DYNAMIC

if TYPE_CHECKING:
    from collections.abc import Iterator

# The best of a family's runs: the kit's trainer, its own step, a net alone, one with another loss.
GRADES = {
    "parity": "kit's trainer",
    "step": "kit's step",
    "probe": "net, own loss",
    "placeholder": "net, placeholder loss",
}
COLUMNS = ("families", *PADDLES, "both", *GRADES.values(), "reason", "nothing")
_LONGEST = 160
PAGE = Path(__file__).resolve().parents[1] / "docs" / "measured" / "evidence.md"


@dataclass(frozen=True, slots=True)
class Family:
    """One family of the plan. `reasons` has the Paddles that it did not run on.

    `grade` is the source of the most telling run in dynamic mode, one of `RAN`; "" without one.
    """

    kit: str
    name: str
    ran: frozenset[str]
    grade: str
    reasons: dict[str, str]

    @property
    def explained(self) -> bool:
        """Whether each Paddle without a run has a reason that was seen."""
        return all(self.reasons.values())


def families(survey: dict[str, Any]) -> Iterator[Family]:
    """The families of the plan in a survey's JSON."""
    for kit in survey["kits"]:
        for row in kit["rows"]:
            if row["plan"]:
                yield _family(kit["kit"], row)


def _family(kit: str, row: dict[str, Any]) -> Family:
    told = [
        verdict
        for config in (*row["configs"], *row["code"])
        for verdict in config["verdicts"]
        if verdict["source"] in RAN and verdict["mode"] == DYNAMIC
    ]
    good = [verdict for verdict in told if verdict["verdict"] == Outlook.RUNS]
    # A release between the two is no column.
    ran = frozenset(verdict["paddle"] for verdict in good) & frozenset(PADDLES)
    grade = next((one for one in RAN if any(v["source"] == one for v in good)), "")
    reasons = {paddle: _reason(row, told, paddle) for paddle in PADDLES if paddle not in ran}
    return Family(kit, row["name"], ran, grade, reasons)


def _reason(row: dict[str, Any], told: list[dict[str, Any]], paddle: str) -> str:
    """Why there is no run on a Paddle: what a run said, else what the kit's files show."""
    said = [v.get("reason", "") for v in told if v["paddle"] == paddle]
    if said:
        return str(said[0]) or "a run failed without a word"
    if row["state"] == RowState.TRAINS.value:
        return ""
    trace = row["trace"] or {}
    return f"{row['state']} {trace.get('where', '')} {trace.get('link', '')}".strip()


def counted(found: list[Family]) -> Counter[str]:
    """The columns of some families."""
    counts = Counter(dict.fromkeys(COLUMNS, 0))
    for family in found:
        counts["families"] += 1
        counts.update(family.ran)
        counts["both"] += len(family.ran) == len(PADDLES)
        counts[GRADES.get(family.grade, "")] += 1
        if not family.ran:
            counts["reason" if family.explained else "nothing"] += 1
    return counts


def table(found: list[Family]) -> str:
    """Markdown: a row a kit, and one of all."""
    kits = list(dict.fromkeys(family.kit for family in found))
    lines = [f"| kit | {' | '.join(COLUMNS)} |", f"|---|{'---|' * len(COLUMNS)}"]
    for kit in (*kits, "all"):
        counts = counted([family for family in found if kit in (family.kit, "all")])
        lines.append(f"| {kit} | {' | '.join(str(counts[name]) for name in COLUMNS)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, and with `--missing` the families that lack a run; `--write` keeps it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("survey", type=Path, help="the JSON of `codemod survey --all`")
    parser.add_argument("--missing", action="store_true", help="list what has no run, with why")
    parser.add_argument("--write", action="store_true", help="update the table in the guide")
    asked = parser.parse_args()
    found = list(families(json.loads(asked.survey.read_text(encoding="utf-8"))))
    print(table(found))
    if asked.write:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(filled_block(text, "families", table(found) + "\n"), encoding="utf-8")
    for family in found if asked.missing else ():
        for paddle, reason in family.reasons.items():
            print(f"{family.kit} {family.name} {paddle}: {reason[:_LONGEST] or 'nothing is known'}")


if __name__ == "__main__":
    main()
