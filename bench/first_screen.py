"""The table of the ten kits on the first screen of both READMEs, from the survey and the base.

usage: python -m bench.first_screen [--write]

How many configs reach a hook comes from the survey of docs/survey, the rest from the base of
evidence: what the kits' own trainers made in fifty steps or more, and what any run said of each
config, by the Paddle it ran on. A sentence says how many of these rows were
made with an earlier recorder. `--write` puts both into README.md and README.zh-CN.md.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.fixes import filled_block
from codemod.judging.evidence.base import read_base
from codemod.judging.thresholds import USUAL_STEPS
from codemod.kits.catalogue import load_kits
from codemod.reports.survey.rows import PADDLES
from codemod.training.runner import STATIC_MODES, recorder_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codemod.judging.evidence.rows import EvidenceRow

TOP = Path(__file__).resolve().parents[1]
SURVEY = TOP / "docs" / "survey" / "survey.en.md"
PAGES = {"en": TOP / "README.md", "zh": TOP / "README.zh-CN.md"}
_HEADINGS = {
    "en": (
        "kit",
        "configs and scripts with a hook, before → after",
        f"trained {USUAL_STEPS} steps by its own trainer, equal",
        *(f"equal of those run on Paddle {paddle}" for paddle in PADDLES),
    ),
    "zh": (
        "套件",
        "能转静的配置与脚本，之前 → 之后",
        f"用自己的训练器训练 {USUAL_STEPS} 步，且一致",
        *(f"在 Paddle {paddle} 上运行过的配置中一致的" for paddle in PADDLES),
    ),
}
_OLD = {
    "en": "It rests on {rows:,} rows; {old:,} of an earlier recorder are to be measured again.",
    "zh": "此表依据 {rows:,} 条结果，其中 {old:,} 条由旧版记录器测得，有待重新测量。",
}
_TOTALS = re.compile(r"^\| (\w+) \|[^|]*\|[^|]*\|[^|]*\| (\d+ → \d+) \|", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class KitLine:
    """One kit in figures: `hooked` as the survey has it, `equal` as "n of m" by Paddle.

    `rows` stand behind it, `old` of which were made with an earlier recorder.
    """

    kit: str
    hooked: str
    trained: str
    equal: tuple[str, ...]
    rows: int
    old: int


def lines() -> list[KitLine]:
    """A line a kit, in the order of `kits.yaml`; "–" where the survey does not have it yet."""
    hooked = dict(_TOTALS.findall(SURVEY.read_text(encoding="utf-8")))
    return [_line(kit, hooked.get(kit, "–"), read_base(kit).rows) for kit in load_kits()]


def _line(kit: str, hooked: str, rows: Iterable[EvidenceRow]) -> KitLine:
    static = [row for row in rows if row.mode in STATIC_MODES and not row.verdict.silent]
    long = [row for row in static if row.kind == "parity" and (row.steps or 0) >= USUAL_STEPS]
    return KitLine(
        kit,
        hooked,
        _share(long),
        tuple(_share([row for row in static if row.paddle == paddle]) for paddle in PADDLES),
        len(static),
        sum(row.recorder != recorder_version() for row in static),
    )


def _share(rows: list[EvidenceRow]) -> str:
    """Of so many configs, how many a static mode trains as dynamic training does."""
    equal = {row.config for row in rows if row.verdict.passed}
    return f"{len(equal)}/{len({row.config for row in rows})}" if rows else "–"


def table(found: Sequence[KitLine], language: str) -> str:
    """The table as Markdown, and what stands behind it."""
    headings = _HEADINGS[language]
    rows = (headings, *((one.kit, one.hooked, one.trained, *one.equal) for one in found))
    first, *rest = (f"| {' | '.join(row)} |" for row in rows)
    behind = _OLD[language].format(
        rows=sum(one.rows for one in found), old=sum(one.old for one in found)
    )
    return "\n".join((first, "|---" * len(headings) + "|", *rest, "", behind)) + "\n"


def main() -> None:
    """Print the tables, or write them into the pages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="update both pages")
    asked = parser.parse_args()
    found = lines()
    for language, page in PAGES.items():
        made = table(found, language)
        if asked.write:
            text = page.read_text(encoding="utf-8")
            page.write_text(filled_block(text, "kits", made), encoding="utf-8")
        else:
            print(made)


if __name__ == "__main__":
    main()
