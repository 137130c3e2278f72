"""Verdicts of the base of evidence beside each other, and beside what the kits claim.

usage: python -m bench.agreement --kits DIR [--write]

First, where a config was both probed and trained by the kit's own trainer: whether both kinds of
run come to one verdict. Then, what the kits say of themselves, in lists of supported models and in
TIPC chains that name static training, beside the verdicts of the same configs, or of configs in
the same folder where that one has no run. `--kits` is a folder with a checkout a kit. `--write`
puts the tables into `docs/measured/evidence.md`.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.failing import UNKNOWN, failing
from bench.fixes import filled_block
from codemod.audit.tipc_claims import claims, script_and_config
from codemod.code.tree import Tree
from codemod.judging.evidence.base import files, read_file
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.judging.evidence.rows import EvidenceRow

PAGE = Path(__file__).resolve().parents[1] / "docs" / "measured" / "evidence.md"
# Lists of supported models: a table with a name, a mark, and the commands that train it.
LISTS = {
    "PaddleDetection": "docs/PaddleDetection动转静支持列表.md",
    "PaddleSeg": "docs/models/PaddleSeg动转静支持列表.md",
}
_LISTED = re.compile(
    r"^\|\s*[\w-]+\s*\|\s*([^|]*?)\s*\|.*?(?:-c|--config)\s+(configs/\S+\.ya?ml)", re.M
)
_YES = "✅"
# Verdicts that say nothing of a static mode.
_SILENT = (Verdict.NOT_RUN, Verdict.DYNAMIC_FAILS, Verdict.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Said:
    """A kit's claim that a config trains statically, or does not."""

    kit: str
    where: str
    config: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim beside the runs on one Paddle: the verdict of each mode, and whose they are."""

    said: Said
    paddle: str
    verdicts: dict[str, Verdict]
    config: str

    @property
    def passing(self) -> int:
        """How many modes pass."""
        return sum(verdict.passed for verdict in self.verdicts.values())

    @property
    def contradicts(self) -> bool:
        """Whether no mode does what the kit says, or all do what it says they do not."""
        return self.passing == (0 if self.said.supported else len(self.verdicts))


def spoken(rows: list[EvidenceRow]) -> list[EvidenceRow]:
    """The rows that say something of a static mode."""
    return [row for row in rows if row.verdict not in _SILENT]


def both_ways(rows: list[EvidenceRow]) -> Iterator[tuple[EvidenceRow, EvidenceRow]]:
    """Pairs of a probe and a parity run of one config in one mode on one Paddle."""
    probed = {
        (row.kit, config, row.paddle, row.mode): row
        for row in rows
        if row.kind == "probe"
        for config in (*row.also, row.config)
    }
    for row in rows:
        key = row.kit, row.config, row.paddle, row.mode
        if row.kind == "parity" and key in probed:
            yield probed[key], row


def said(kits: Path) -> Iterator[Said]:
    """What the kits claim of configs that they hold."""
    for folder in sorted(path for path in kits.iterdir() if path.is_dir()):
        tree = Tree(folder)
        listed = folder / LISTS.get(folder.name, "")
        if listed.is_file():
            for mark, config in _LISTED.findall(listed.read_text(encoding="utf-8")):
                yield Said(folder.name, "list", config, mark == _YES)
        for claim in claims(tree):
            config = script_and_config(tree, claim)[1]
            if config is not None:
                yield Said(folder.name, "TIPC", config, supported=True)


def judged(said: Said, rows: list[EvidenceRow]) -> Iterator[Judged]:
    """The claim beside the runs of its config, else of one in the same folder, on each Paddle.

    A parity run counts before a probe.
    """
    folder = posixpath.dirname(said.config)
    near = [row for row in rows if row.kit == said.kit and posixpath.dirname(row.config) == folder]
    for paddle in sorted({row.paddle for row in near}):
        by_config: dict[str, dict[str, Verdict]] = defaultdict(dict)
        for row in sorted(near, key=lambda row: row.kind, reverse=True):
            if row.paddle == paddle:
                for config in (row.config, *row.also):
                    by_config[config][row.mode] = row.verdict
        own = said.config if said.config in by_config else min(by_config)
        yield Judged(said, paddle, by_config[own], own)


def kinds_table(rows: list[EvidenceRow]) -> str:
    """Probe beside parity: counts by kit, then each pair that does not agree."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    apart = []
    for probe, parity in both_ways(rows):
        agree = probe.verdict.passed == parity.verdict.passed
        for kit in (parity.kit, "all"):
            counts[kit]["pairs"] += 1
            counts[kit]["agree"] += agree
            counts[kit]["equal"] += probe.verdict is parity.verdict
        if not agree:
            what = f"{parity.kit}, `{parity.config}`, {parity.mode}, {parity.paddle}"
            apart.append(f"- {what}: probe `{probe.verdict}`, parity `{parity.verdict}`")
    head = "| kit | pairs | both pass or both do not | same verdict |\n|---|---|---|---|\n"
    lines = [
        f"| {kit} | {count['pairs']} | {count['agree']} | {count['equal']} |\n"
        for kit, count in sorted(counts.items(), key=lambda item: (item[0] == "all", item[0]))
    ]
    return head + "".join(lines) + "".join(f"\n{line}" for line in apart) + "\n" * bool(apart)


def claims_table(found: list[Judged], claimed: Counter[str]) -> str:
    """The kits' claims: counts by kit, then each that a run contradicts, with the reason."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        for kit in (one.said.kit, "all"):
            whole = one.passing == len(one.verdicts)
            kept = "none" if not one.passing else "every" if whole else "some"
            counts[kit][kept] += 1
    head = (
        "| kit | claims | claim and Paddle with a run | every mode passes | one of two | none |\n"
        "|---|---|---|---|---|---|\n"
    )
    lines = [
        f"| {kit} | {claimed[kit]} | {count.total()} | {count['every']} | {count['some']} "
        f"| {count['none']} |\n"
        for kit, count in sorted(counts.items(), key=lambda item: (item[0] == "all", item[0]))
    ]
    why = {(one.kit, one.config, one.paddle): one.why for one in failing()}
    apart = sorted({_contradiction(one, why) for one in found if one.contradicts})
    return head + "".join(lines) + "".join(f"\n{line}" for line in apart) + "\n" * bool(apart)


def _contradiction(one: Judged, why: dict[tuple[str, str, str], str]) -> str:
    said = one.said
    claim = "static training is supported" if said.supported else "static training is not supported"
    near = "" if one.config == said.config else f" (`{one.config}`)"
    modes = ", ".join(f"{mode} `{verdict}`" for mode, verdict in sorted(one.verdicts.items()))
    reason = why.get((said.kit, one.config, one.paddle)) or UNKNOWN
    reason = f": {reason}" if said.supported else ""
    return (
        f"- {said.kit}, `{said.config}`{near}: the {said.where} says that {claim}; "
        f"on {one.paddle} {modes}{reason}"
    )


def main() -> int:
    """Print both tables, or write them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kits", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    rows = spoken([row for file in files() for row in read_file(file).rows])
    told = sorted(set(said(asked.kits)), key=lambda one: (one.kit, one.config, one.where))
    claimed = Counter([one.kit for one in told] + ["all"] * len(told))
    found = [one for claim in told for one in judged(claim, rows)]
    tables = {"kinds": kinds_table(rows), "claims": claims_table(found, claimed)}
    if not asked.write:
        print("\n".join(tables.values()))
        return 0
    text = PAGE.read_text(encoding="utf-8")
    for name, table in tables.items():
        text = filled_block(text, name, table)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
