"""Counts what the tool does with the labelled files: docs/measured/unknown.md."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from bench.unknown.counted import (
    LEFT,
    RIGHT,
    SILENT,
    UNJUDGED,
    UNTRUE,
    WRONG,
    repositories,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.unknown.counted import Repository, Row
    from codemod.base.changeset import TrainingFiles

TOP = Path(__file__).parents[2]
PAGE = TOP / "docs" / "measured" / "unknown.md"
OUTCOMES = (RIGHT, WRONG, LEFT, UNTRUE, UNJUDGED, SILENT)


def all_files(found: Sequence[Repository]) -> str:
    """What became of every file that trains, whether somebody read it or not."""
    lines = [
        "| repository | files that train | hooked, or covered | left alone | unplaced |",
        "|---|---:|---:|---:|---:|",
        *(_counts(one.name, [one.files]) for one in found),
        _counts("all", [one.files for one in found]),
    ]
    return "\n".join(lines) + "\n"


def _counts(name: str, files: Sequence[TrainingFiles]) -> str:
    total, left = sum(one.total for one in files), sum(one.left_alone for one in files)
    unplaced = sum(one.unplaced for one in files)
    return f"| {name} | {total} | {total - left - unplaced} | {left} | {unplaced} |"


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
        looked: list[Repository] = []
        for one in repositories(folder):
            looked.append(one)
            for row in one.rows:
                print(
                    f"{row.outcome:10} {row.repository} {row.file} [{row.label}] {row.did} "
                    f"{row.reason}",
                    flush=True,
                )
    found = [row for one in looked for row in one.rows]
    tables = {"unknown": table(found), "whole": all_files(looked)}
    print("", *tables.values(), sep="\n")
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        for name, made in tables.items():
            block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->\n)", re.S)
            text = block.sub(rf"\g<1>{made}\g<2>", text)
        PAGE.write_text(text, encoding="utf-8")
    bad = {WRONG, UNTRUE, SILENT}
    return int(any(row.outcome in bad for row in found))


if __name__ == "__main__":
    sys.exit(main())
