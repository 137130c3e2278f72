"""What `codemod check` finds in each kit, by kind: the tables of docs/measured/check.md.

usage: python -m bench.check DIR [--write]

DIR holds a git checkout of each kit, named like the kit. Each is checked as it is, and as a copy
with the hooks of `apply`. What a person made of the findings stands in `bench/check.yaml`: of a
kind that is not there, or of which more is found than when it was read, the table says so.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench.fixes import filled_block
from bench.kit_copies import copies
from codemod.audit.kinds import kinds
from codemod.kits.catalogue import load_kits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PAGE = Path(__file__).parents[1] / "docs" / "measured" / "check.md"
READ = Path(__file__).with_suffix(".yaml")
NOT_READ = "not read"
_HEAD = ("kit", "as it is", "with our hooks")
_FILES = {
    "total": "files that train",
    "hooked": "with a hook",
    "planned": "to get one",
    "covered": "covered",
    "unplaced": "unplaced",
    "left_alone": "left alone",
}
_KINDS = ("kind", *_HEAD[1:], "read", "true", "for example")
_COUNT = re.compile(r"([\w-]+) (\d+)")
# Hazards, most of which no kit has at a severe place, and what only `check --exec` finds.
_ELSEWHERE = re.compile(r"D-|exec-|switch-|rehearsal-")


def checked(kit: str, path: Path) -> dict[str, Any]:
    """The object that the command prints for a checkout; its exit code 1 means findings."""
    words = [sys.executable, "-m", "codemod", "check", kit, "--path", str(path), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def both(kit: str, checkout: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is found in a checkout as it is and with our hooks, at the same revision."""
    with copies(kit, checkout) as (_, hooked):
        shutil.copytree(checkout / ".git", hooked / ".git", symlinks=True)
        return checked(kit, checkout), checked(kit, hooked)


def kits_table(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """A line for each kit: configs that reach a hook, and how many findings of each kind."""
    lines = [_line(_HEAD), _rule(_HEAD)]
    return "".join((*lines, *(_line((kit, *map(_cell, row))) for kit, row in rows.items())))


def files_table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """A line for each kit as it is: its files that train, in five parts."""
    head = ("kit", *_FILES.values())
    lines = [
        _line((kit, *(str(row["training_files"][one]) for one in _FILES)))
        for kit, row in rows.items()
    ]
    return "".join((_line(head), _rule(head), *lines))


def kinds_table(kits: str, read: Mapping[str, Mapping[str, Any]]) -> str:
    """A line for each kind that the kits' table has, with what was made of it; then the others."""
    totals = _totals(kits)
    found = sorted(totals[0] | totals[1])
    lines = [_line(_KINDS), _rule(_KINDS)]
    for kind in found:
        counts = [total[kind] for total in totals]
        lines.append(_line((f"`{kind}`", *map(str, counts), *_made_of(read.get(kind), counts))))
    own = (kind for kind in kinds() if not _ELSEWHERE.match(kind) and kind not in found)
    absent = ", ".join(f"`{kind}`" for kind in own)
    return f"{''.join(lines)}\nNot found in these kits: {absent}; the tests cover them.\n"


def _made_of(entry: Mapping[str, Any] | None, counts: Sequence[int]) -> tuple[str, str, str]:
    if entry is None:
        return NOT_READ, "", ""
    more = any(now > then for now, then in zip(counts, entry["found"], strict=True))
    read, holds = (NOT_READ, "") if more else (str(entry["read"]), str(entry["holds"]))
    return read, holds, str(entry["example"])


def _totals(kits: str) -> tuple[Counter[str], Counter[str]]:
    """By kind, what the kits' table counts as they are and with our hooks."""
    totals: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for line in kits.splitlines()[2:]:
        for total, cell in zip(totals, line.split("|")[2:4], strict=True):
            found = _COUNT.findall(cell.partition(";")[2])
            total.update({kind: int(count) for kind, count in found})
    return totals


def _cell(found: Mapping[str, Any]) -> str:
    configs = found["configs"]
    reach = sum(row["blocked"] is None for row in configs)
    counts = Counter(one["id"].split()[0] for one in found["findings"])
    text = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    return f"{reach} of {len(configs)}; {text or 'nothing'}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _rule(head: Sequence[str]) -> str:
    return f"|{'---|' * len(head)}\n"


def filled(text: str, **tables: str) -> str:
    """The page with these tables, by default its own, and the table of kinds from that of kits."""
    for name, made in tables.items():
        text = filled_block(text, name, made)
    stands = re.search(r"<!-- found -->\n(.*?)<!-- end -->", text, re.DOTALL)
    return filled_block(text, "kinds", kinds_table(stands[1] if stands else "", opinions()))


def opinions() -> dict[str, dict[str, Any]]:
    """By kind, how much was found when it was read, how much of that was read, and was true."""
    stated: dict[str, dict[str, Any]] = yaml.safe_load(READ.read_text(encoding="utf-8"))
    return stated


def main() -> int:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help="into docs/measured/check.md")
    asked = parser.parse_args()
    audits = {kit: both(kit, asked.folder / kit) for kit in load_kits()}
    kits, files = kits_table(audits), files_table({kit: one for kit, (one, _) in audits.items()})
    if asked.write:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(filled(text, found=kits, files=files), encoding="utf-8")
    else:
        sys.stdout.write(f"{files}\n{kits}\n{kinds_table(kits, opinions())}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
