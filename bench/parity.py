"""What the base of evidence says of kits' own trainings: a line a config, a column a mode.

usage: python -m bench.parity [--write]

The table in `docs/measured/parity.md`; `--write` updates it. What a row is and when it counts is
told in `docs/evidence.md`: what was measured on another hook or recorder is not there.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from bench.failing import reason_of
from bench.fixes import filled_block
from codemod.judging.evidence.base import files, read_file
from codemod.judging.evidence.fix_proofs import PADDLES
from codemod.judging.verdict import Verdict
from codemod.training.runner import STATIC_MODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codemod.judging.evidence.rows import EvidenceRow

PAGE = Path(__file__).parents[1] / "docs" / "measured" / "parity.md"
COLUMNS = tuple((paddle, mode) for paddle in PADDLES for mode in STATIC_MODES)
# These say nothing of a static mode: what is known of the config's failures there is no reason.
_SILENT = (Verdict.NOT_RUN, Verdict.DYNAMIC_FAILS, Verdict.TIMEOUT)
_HEAD = ("kit", "config", "steps", *(f"{v} {mode.upper()}" for v, mode in COLUMNS), "behind it")

Rows = dict[tuple[str, str], "EvidenceRow"]
"""The rows of one config on one device, by Paddle and mode."""


def trainings() -> dict[tuple[str, str, str], Rows]:
    """By kit, config and device."""
    found: dict[tuple[str, str, str], Rows] = defaultdict(dict)
    for file in files():
        for row in read_file(file).rows:
            if row.kind == "parity":
                found[row.kit, row.config, row.device][row.paddle, row.mode] = row
    return dict(sorted(found.items()))


def table(found: dict[tuple[str, str, str], Rows]) -> str:
    """The table in Markdown, and how often each verdict was given."""
    lines = [_line(_HEAD), "|" + "---|" * len(_HEAD)]
    for (kit, config, device), rows in found.items():
        cells = [f"`{rows[c].told}`" if c in rows else "" for c in COLUMNS]
        where = "" if device == "cpu" else f" on {device}"
        steps = sorted({row.steps or 0 for row in rows.values()})
        count = " to ".join(str(n) for n in dict.fromkeys((steps[0], steps[-1])))
        lines.append(_line([kit, f"`{config}`{where}", count, *cells, _behind(rows)]))
    counts = Counter(row.told for rows in found.values() for row in rows.values())
    totals = ", ".join(f"{verdict} {count}" for verdict, count in counts.most_common())
    configs, kits = {key[:2] for key in found}, {key[0] for key in found}
    told = f"{len(configs)} configs of {len(kits)} kits, {counts.total()} verdicts: {totals}."
    return "\n".join((*lines, "", told, ""))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(text.replace('|', '/').replace(chr(10), ' ') for text in cells)} |"


def _behind(rows: Rows) -> str:
    """What stands behind the verdicts that are no pass; the same words are said once."""
    said: dict[str, list[str]] = {}
    for (paddle, mode), row in sorted(rows.items()):
        if not row.told.passed:
            said.setdefault(_why(row), []).append(f"{paddle} {mode.upper()}")
    return "; ".join(
        words if len(where) == len(rows) else f"{', '.join(where)}: {words}"
        for words, where in said.items()
    )


def _why(row: EvidenceRow) -> str:
    """What is known of the config, else the first difference and its hazard, else the reason."""
    known = "" if row.told in _SILENT else reason_of(row.kit, row.config, row.paddle)
    if known:
        return known
    if row.first is None:
        return str(row.said[0]) if row.said else row.reason
    hazard = f", {row.hazard.id}" if row.hazard else ""
    return f"step {row.first.step}, `{row.first.name}`, {row.first.kind}{hazard}"


def filled(text: str) -> str:
    """The page with its table as the base is."""
    return filled_block(text, "runs", table(trainings()))


def main() -> int:
    """Print the table, or write it into the page."""
    if "--write" in sys.argv[1:]:
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.stdout.write(table(trainings()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
