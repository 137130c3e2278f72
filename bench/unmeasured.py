"""What a Paddle of `paddles.yaml` still lacks before survey and proofs may have a column for it.

    python -m bench.unmeasured 3.4.0

Counts cells of the catalogue of hazards, programs of docs/paddle-issues without an output for that
Paddle, and those whose cause `reduce` takes to be what it is on another; models that the shipped
base has rows for on other Paddles and not on this one; and proved fixes without a proof on it.
Until they are measured, what the nearest Paddle shows counts.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path

from codemod.experiments.reduce.known import known_causes, known_releases
from codemod.hazards.catalog import CATALOG
from codemod.hazards.measured import VERSIONS
from codemod.judging.evidence.base import files, whole
from codemod.judging.evidence.fix_proofs import PROOFS, FixProof, judged
from codemod.kits.catalogue import load_kits
from codemod.kits.paddles import paddles

WAYS = (
    'codemod/hazards/catalog/hazards.yaml: an entry "{minor}" of `later`, with what differs',
    "python -m bench.paddle_issues --write, once {paddle} has its row in paddles.yaml",
    "codemod/experiments/reduce/known.yaml: {paddle} in `releases`, where its program shows it",
    "codemod probe KIT --paddle {paddle}, then codemod evidence add",
    "codemod fix KIT -c CONFIG --paddle {paddle}, then codemod evidence add",
)
"""How each is measured, in the order of what `main` counts."""
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


def causes(version: str) -> list[str]:
    """The programs of `known.yaml`, where no row of it names a Paddle."""
    return [] if version in known_releases() else sorted({one.program for one in known_causes()})


def models(version: str) -> list[tuple[str, str]]:
    """Kit and config of the rows that other Paddles have and this one has not."""
    rows = [row for file in files() for row in whole(file)]
    on = {(row.kit, row.config) for row in rows if row.paddle == version}
    return sorted({(row.kit, row.config) for row in rows} - on)


def proofs(version: str) -> list[tuple[str, str, str]]:
    """Kit, config and fixes that are proved, by proofs of other Paddles alone."""
    known: dict[tuple[str, str, str], dict[str, FixProof]] = defaultdict(dict)
    for kit in load_kits():
        for one in PROOFS.read(kit):
            if one.stands:
                known[kit, one.config, one.ground][one.paddle] = one
    return sorted(
        (kit, config, ", ".join(next(iter(on.values())).fixes))
        for (kit, config, _), on in known.items()
        if version not in on and judged(on) is None
    )


def main() -> None:
    """Print the counts, and with --list every cell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paddle", nargs="?", default=paddles().releases[-1].version)
    parser.add_argument("--list", action="store_true", help="every cell, program, model and proof")
    args = parser.parse_args()
    if not re.fullmatch(r"\d+\.\d+\.\d+", args.paddle):
        newest = paddles().releases[-1].version
        parser.error(f"{args.paddle} is no release: a Paddle has three numbers, as {newest}")
    if args.paddle not in {one.version for one in paddles().releases}:
        print(f"{args.paddle} has no row in paddles.yaml yet")
    found = {
        "hazards of the catalogue": cells(args.paddle),
        "programs of docs/paddle-issues": programs(args.paddle),
        "causes that reduce knows": causes(args.paddle),
        "configs of the base": [" ".join(one) for one in models(args.paddle)],
        "proved fixes": [" ".join(one) for one in proofs(args.paddle)],
    }
    minor = args.paddle.rpartition(".")[0]
    for (what, missing), way in zip(found.items(), WAYS, strict=True):
        print(f"{len(missing):5} {what} not measured on {args.paddle}")
        print(f"      {way.format(paddle=args.paddle, minor=minor)}")
        for one in missing if args.list else ():
            print(f"      {one}")


if __name__ == "__main__":
    main()
