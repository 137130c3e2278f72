"""What a Paddle of `paddles.yaml` still lacks before survey and proofs may have a column for it.

    python -m bench.unmeasured 3.4.0

Counts cells of the catalogue of hazards, programs of docs/paddle-issues without an output for that
Paddle, and models that the shipped base has rows for on other Paddles and not on this one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codemod.hazards.catalog import CATALOG
from codemod.hazards.measured import VERSIONS
from codemod.judging.evidence.base import files, whole
from codemod.kits.paddles import paddles

ISSUES = Path(__file__).parent.parent / "docs" / "paddle-issues"


def cells(version: str) -> list[str]:
    """The hazards of models without an effect measured on a Paddle of that minor version."""
    known = version.rpartition(".")[0] in VERSIONS
    return [] if known else [one.id for one in CATALOG if one.find]


def programs(version: str) -> list[str]:
    """The programs whose page has no column for a Paddle."""
    page = (ISSUES / "README.md").read_text(encoding="utf-8")
    known = any(version in line for line in page.splitlines() if line.startswith("| program |"))
    return [] if known else sorted(file.name for file in ISSUES.glob("*.py"))


def models(version: str) -> list[tuple[str, str]]:
    """Kit and config of the rows that other Paddles have and this one has not."""
    rows = [row for file in files() for row in whole(file)]
    on = {(row.kit, row.config) for row in rows if row.paddle == version}
    return sorted({(row.kit, row.config) for row in rows} - on)


def main() -> None:
    """Print the counts, and with --list every cell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paddle", nargs="?", default=paddles().releases[-1].version)
    parser.add_argument("--list", action="store_true", help="every cell, program and model")
    args = parser.parse_args()
    found = {
        "hazards of the catalogue": cells(args.paddle),
        "programs of docs/paddle-issues": programs(args.paddle),
        "configs of the base": [" ".join(one) for one in models(args.paddle)],
    }
    for what, missing in found.items():
        print(f"{len(missing):5} {what} not measured on {args.paddle}")
        for one in missing if args.list else ():
            print(f"      {one}")


if __name__ == "__main__":
    main()
