"""Since when each program of `docs/paddle-issues/` fails: run on every release that is known.

    python -m bench.paddle_issues [PROGRAM...] [--paddle 3.2.2]... [--write]

`--write` puts the table into the page. Environments are made where they are missing. A program
ends with 1 where its fault shows, 0 where it does not.
"""

from __future__ import annotations

import argparse
import itertools
import re
import subprocess
import sys
from pathlib import Path

from codemod.training.environments import EnvSpec, ensure
from codemod.training.paddles import paddles

FOLDER = Path(__file__).parents[1] / "docs" / "paddle-issues"
PAGE = FOLDER / "README.md"
BLOCK = re.compile(r"(<!-- releases -->\n).*?(<!-- end -->\n)", re.S)
# The longest waits 20 s for a lock that never comes.
LIMIT_S = 180
SHOWS = {0: "equal", 1: "differs"}


def outcome(python: Path, program: Path) -> str:
    """Whether a program's fault shows there, or how else it ended."""
    try:
        done = subprocess.run(
            [str(python), str(program)],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "no end"
    line = (done.stdout.strip().splitlines() or [""])[-1]
    print(f"{program.name}: {line}", file=sys.stderr)
    said = line.startswith("Paddle ")
    return SHOWS.get(done.returncode, f"ends with {done.returncode}") if said else "says nothing"


def since(shown: dict[str, str]) -> str:
    """The releases between which something changed, in words; `shown` is in order of release."""
    found = list(shown.items())
    changes = [
        f"{'from' if now == 'differs' else 'until'} {release if now == 'differs' else before}"
        for (before, was), (release, now) in itertools.pairwise(found)
        if was != now
    ]
    return ", ".join(changes) or ("all" if found[0][1] == "differs" else "none")


def table(rows: dict[str, dict[str, str]]) -> str:
    """Markdown: a row a program, a column a release, and the releases in words."""
    names = list(next(iter(rows.values())))
    lines = [f"| program | {' | '.join(names)} | fails |", "|---" * (len(names) + 2) + "|"]
    for program, shown in rows.items():
        cells = " | ".join(shown.values())
        lines.append(f"| {program} | {cells} | {since(shown)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is asked for, print the table, write it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--paddle", action="append")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    names = asked.programs or sorted(file.name for file in FOLDER.glob("*.py"))
    pythons = {
        v: ensure(EnvSpec(v)) for v in asked.paddle or [r.version for r in paddles().releases]
    }
    rows = {
        name: {v: outcome(python, FOLDER / name) for v, python in pythons.items()} for name in names
    }
    text = table(rows)
    print(text, end="")
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(BLOCK.sub(lambda m: m[1] + text + m[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
