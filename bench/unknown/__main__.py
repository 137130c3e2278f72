"""Counts what the tool does with the labelled files, and writes the page's tables."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from bench.unknown.counted import LEFT, RIGHT, SILENT, UNJUDGED, UNTRUE, WRONG, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.unknown.counted import Row

TOP = Path(__file__).parents[2]
PAGES = (TOP / "docs" / "unknown-repositories.md", TOP / "docs" / "unknown-repositories.zh-CN.md")
_BLOCK = re.compile(r"(<!-- unknown -->\n).*?(<!-- end -->\n)", re.S)
OUTCOMES = (RIGHT, WRONG, LEFT, UNTRUE, UNJUDGED, SILENT)


def table(found: Sequence[Row]) -> str:
    """The counts of each repository, and of all."""
    lines = [
        f"| repository | files | {' | '.join(OUTCOMES)} | to hook | hooked |",
        f"|---|{'---:|' * (len(OUTCOMES) + 3)}",
    ]
    names = list(dict.fromkeys(row.repository for row in found))
    lines += [_line(name, [row for row in found if row.repository == name]) for name in names]
    return "\n".join([*lines, _line("all", found)]) + "\n"


def _line(name: str, found: Sequence[Row]) -> str:
    counts = Counter(row.outcome for row in found)
    wanted = [row for row in found if row.label.startswith("hook")]
    hooked = sum(row.outcome == RIGHT for row in wanted)
    numbers = " | ".join(str(counts[one]) for one in OUTCOMES)
    return f"| {name} | {len(found)} | {numbers} | {len(wanted)} | {hooked} |"


def main() -> int:
    """Print every file and the table; exit code 1 where one is wrong, untrue or silent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where the repositories are kept")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        found = list(rows(folder))
    for row in found:
        print(f"{row.outcome:10} {row.repository} {row.file} [{row.label}] {row.did} {row.reason}")
    print(f"\n{table(found)}")
    for page in PAGES if options.write else ():
        if page.exists():
            text = page.read_text(encoding="utf-8")
            filled = _BLOCK.sub(lambda hit: f"{hit[1]}{table(found)}{hit[2]}", text)
            page.write_text(filled, encoding="utf-8")
    bad = {WRONG, UNTRUE, SILENT}
    return int(any(row.outcome in bad for row in found))


if __name__ == "__main__":
    sys.exit(main())
