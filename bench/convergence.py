"""The page of what was trained for many epochs, made of the base's rows.

usage: python -m bench.convergence --write    # docs/measured/convergence.md

Rows come from `codemod parity KIT -c CONFIG --epochs N`, then `codemod evidence add --to .`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.judging.evidence.convergence_rows import CONVERGENCE

if TYPE_CHECKING:
    from codemod.judging.evidence.convergence_rows import ConvergenceRow

PAGE = Path(__file__).parents[1] / "docs" / "measured" / "convergence.md"
HEAD = """# Where many epochs end

[Convergence](../convergence.md) says how. `python -m bench.convergence --write` makes this
page of the base's rows.

"""


def section(row: ConvergenceRow) -> str:
    """One verdict with its reasons, and the mean loss of a few epochs."""
    reasons = "".join(f"- {reason}\n" for reason in row.said)
    shown = sorted({0, 1, 4, 9, 24, row.epochs - 1} & set(range(row.epochs)))
    lines = ["| epoch | dynamic | static |\n", "|---|---|---|\n"]
    for epoch in shown if row.measures else ():
        pairs = ((one[epoch], other[epoch]) for one, other in row.losses)
        sides = zip(*pairs, strict=True)
        dynamic, static = (f"{min(side):.5g} to {max(side):.5g}" for side in sides)
        lines.append(f"| {epoch + 1} | {dynamic} | {static} |\n")
    table = "".join(lines) if len(lines) > 2 else ""
    return (
        f"## {row.kit} `{row.config}`, {row.paddle}, {row.mode}: `{row.verdict.value}`\n\n"
        f"{row.epochs} epochs, {row.steps} steps, {len(row.seeds)} seeds, {row.device}, "
        f"{row.date[:10]}. Data: {row.data}. Metric: {row.metric}.\n\n"
        f"{reasons}"
        + (f"\nMean loss by epoch, least and most of the seeds:\n\n{table}" if table else "")
    )


def page() -> str:
    """The page as the base is."""
    rows = [row for file in CONVERGENCE.files() for row in CONVERGENCE.read(file.stem)]
    rows.sort(key=lambda row: (row.kit, *row.place))
    return HEAD + "\n".join(map(section, rows)).rstrip() + "\n"


def main() -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", required=True, help="write the page")
    parser.parse_args()
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
