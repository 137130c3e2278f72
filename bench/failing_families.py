"""Families of the plan that pass in no static mode on a Paddle, before and after the fixes.

usage: codemod survey --all --json > survey.json
       python -m bench.failing_families survey.json [--write]

A family fails on a Paddle where a config of it trains in dynamic mode and passes in neither static
mode. `--write` updates the table in `docs/measured/fixes.md`; `failing.yaml` tells what is left.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.failing import MODES, UNKNOWN, offered, reason_of
from bench.fixes import PAGE, filled_block
from codemod.judging.evidence.fix_proofs import PADDLES
from codemod.judging.evidence.result import RAN
from codemod.judging.verdict import Verdict
from codemod.reports.survey.rows import Outlook
from codemod.training.runner import DYNAMIC

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class FamilyRun:
    """A config of a family that trains in dynamic mode on a Paddle; verdicts are by mode."""

    kit: str
    family: str
    config: str
    paddle: str
    before: dict[str, Verdict]
    after: dict[str, Verdict]

    @property
    def told(self) -> bool:
        """Whether a static run says something of it."""
        return any(not verdict.silent for verdict in self.before.values())

    @property
    def whole(self) -> bool:
        """Whether no mode fails or differs."""
        return all(verdict.passed or verdict.silent for verdict in self.before.values())


def passes(verdicts: dict[str, Verdict]) -> bool:
    """Whether a mode passes."""
    return any(verdict.passed for verdict in verdicts.values())


def family_runs(survey: dict[str, Any]) -> Iterator[FamilyRun]:
    """The runs of the families of the plan in a survey's JSON."""
    for kit in survey["kits"]:
        fixed = offered(kit["kit"])
        for row in kit["rows"]:
            for one in (*row["configs"], *row["code"]) if row["plan"] else ():
                for paddle in PADDLES:
                    before = _verdicts(one["verdicts"], paddle)
                    if before:
                        proof = fixed.get((one["path"], paddle))
                        after = {**before, **(proof.after if proof else {})}
                        place = (kit["kit"], row["name"], one["path"], paddle)
                        yield FamilyRun(*place, before, after)


def _verdicts(known: list[dict[str, Any]], paddle: str) -> dict[str, Verdict]:
    """The static verdicts of one config, parity's before a probe's; none without a dynamic run."""
    ran = [v for v in known if v["paddle"] == paddle and v["source"] in RAN]
    if not any(v["mode"] == DYNAMIC and v["verdict"] == Outlook.RUNS for v in ran):
        return {}
    ordered = sorted(ran, key=lambda v: RAN.index(v["source"]), reverse=True)
    return {v["mode"]: Verdict(v["verdict"]) for v in ordered if v["mode"] in MODES}


_SUMS = (
    "| Paddle | families with a static verdict | a mode fails or differs | no mode passes "
    "| and with the fixes |"
)
_HEAD = "| kit, family | config | Paddle | AST | SOT | what is left |"


def table(runs: list[FamilyRun]) -> str:
    """The sums, and a line for each config that passes in no mode without a fix."""
    told = [one for one in runs if one.told]
    lines = [_SUMS, "|---|---|---|---|---|"]
    for paddle in PADDLES:
        here = [one for one in told if one.paddle == paddle]
        groups = (
            here,
            [one for one in here if not one.whole],
            [one for one in here if not passes(one.before)],
            [one for one in here if not passes(one.after)],
        )
        counts = [str(len({(one.kit, one.family) for one in group})) for group in groups]
        lines.append(f"| {paddle} | {' | '.join(counts)} |")
    lines += ["", _HEAD, "|---|---|---|---|---|---|"]
    ordered = sorted(told, key=lambda one: (one.kit, one.family, one.config, one.paddle))
    lines += [_line(one) for one in ordered if not passes(one.before)]
    return "\n".join(lines) + "\n"


def _line(one: FamilyRun) -> str:
    cells = [f"{one.kit}, {one.family}", f"`{one.config}`", one.paddle]
    for mode in MODES:
        before, after = one.before.get(mode), one.after.get(mode)
        cells.append(str(before or "") if before is after else f"{before} → {after}")
    left = "" if passes(one.after) else reason_of(one.kit, one.config, one.paddle) or UNKNOWN
    return f"| {' | '.join([*cells, left])} |"


def main() -> int:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("survey", type=Path, help="what `codemod survey --all --json` printed")
    parser.add_argument("--write", action="store_true", help="write it into docs/measured/fixes.md")
    asked = parser.parse_args()
    found = table(list(family_runs(json.loads(asked.survey.read_text(encoding="utf-8")))))
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(filled_block(page, "families", found), encoding="utf-8")
    else:
        sys.stdout.write(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
