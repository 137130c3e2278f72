"""Every attack with seeds of its own, and the table of SECURITY.md made from what they print.

python -m bench.attack.report            # run all, print the table
python -m bench.attack.report --write    # and put it into SECURITY.md
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).parent.parent.parent
PAGE = TOP / "SECURITY.md"
_MARKED = re.compile(r"(<!-- attacks -->\n).*?(<!-- end -->)", re.DOTALL)
_ROW = re.compile(
    r"^\| (?P<name>.+), seed \d+ \| (?P<tries>\d+) \| (?P<failures>\d+) \|$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Attack:
    """A program of this folder, how often it is tried, and from which seed."""

    module: str
    tries: int
    seed: int

    @property
    def command(self) -> str:
        """How a user runs it."""
        return f"python -m bench.attack.{self.module} --seed {self.seed} --count {self.tries}"


ATTACKS = (
    Attack("texts", 3000, 74),
    Attack("foreign_state", 60, 66),
    Attack("archives", 100, 70),
    Attack("exports", 300, 63),
    Attack("shared_faults", 300, 64),
    Attack("faults", 400, 61),
    Attack("races", 1000, 75),
    Attack("writers", 20, 265),
    Attack("boxes", 30, 369),
    Attack("liars", 60, 76),
    Attack("rows", 300, 77),
    Attack("killed_env", 4, 78),
    Attack("refusals", 60, 71),
    Attack("variants", 100, 72),
    Attack("mutated_rules", 15, 73),
    Attack("current_folder", 8, 67),
    Attack("hostile", 20, 268),
)
NAMES = tuple(one.module for one in ATTACKS)


def row_of(one: Attack) -> tuple[str, bool]:
    """The table's row of an attack that is run now, and whether nothing of it came through."""
    done = subprocess.run(
        [sys.executable, *one.command.split()[1:]],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    found = _ROW.search(done.stdout)
    if found is None:
        return (
            f"| {one.module} | `{one.command}` | it did not end: {done.stderr[-200:]!r} | |",
            False,
        )
    print(done.stdout.partition(found.group())[2].strip(), file=sys.stderr, flush=True)
    name, tries, failures = found.group("name", "tries", "failures")
    return f"| {name} | `{one.command}` | {int(tries):,} | {failures} |", failures == "0"


def main() -> int:
    """Run them in turn; the exit code is 1 where one came through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into SECURITY.md")
    parser.add_argument("--only", nargs="*", default=NAMES, choices=NAMES, metavar="NAME")
    options = parser.parse_args()
    known = {row.split("bench.attack.")[1].split()[0]: row for row in _rows()}
    whole = True
    for one in ATTACKS:
        if one.module in options.only:
            known[one.module], held = row_of(one)
            whole &= held
            print(known[one.module], flush=True)
            if options.write:
                _write([known[name] for name in NAMES if name in known])
    return int(not whole)


def _rows() -> list[str]:
    found = _MARKED.search(PAGE.read_text(encoding="utf-8"))
    return [
        line for line in (found.group() if found else "").splitlines() if "bench.attack." in line
    ]


def _write(rows: list[str]) -> None:
    table = "\n".join(["| attack | command | tries | failures |", "|---|---|---:|---:|", *rows])
    text = PAGE.read_text(encoding="utf-8")
    made = _MARKED.sub(lambda match: f"{match.group(1)}{table}\n{match.group(2)}", text)
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
