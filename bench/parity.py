"""Parity of many real configs: run what is not yet known, and print the table.

usage: KITS=DIR python -m bench.parity [--paddle V]... [--kit NAME]... [--workspace DIR] [--table]

DIR holds a checkout of each kit, named as the kit, with the hook of `codemod apply` in it. The
configs are those of `bench/parity.yaml`. Results are kept in the workspace, so that a stopped run
is continued where it stopped; `--table` only prints what is known.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from codemod.judging.evidence.result_files import PARITY_FOLDER, read_results
from codemod.judging.verdict import Verdict
from codemod.training.runner import STATIC_MODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codemod.judging.evidence.result import ModeResult, Result

LIST = Path(__file__).resolve().parent / "parity.yaml"
VERSIONS = ("2.6.2", "3.3.1")
FAILED = (Verdict.FAILS, Verdict.DYNAMIC_FAILS)
FEWEST_STEPS = 50
# Characters of an error message in the table.
LONGEST = 90


@dataclass(frozen=True, slots=True)
class Item:
    """One config of a kit, and what is said of it in the list."""

    kit: str
    config: str
    notes: str = ""


def main() -> int:
    """Run and print; the exit code is 1 if a run could not be started at all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paddle", action="append", help="only this version")
    parser.add_argument("--kit", action="append", help="only this kit")
    parser.add_argument("--workspace", default=".codemod", help="where results are kept")
    parser.add_argument("--table", action="store_true", help="run nothing")
    args = parser.parse_args()
    items = [item for item in read(LIST) if not args.kit or item.kit in args.kit]
    versions = args.paddle or list(VERSIONS)
    broken = 0
    if not args.table:
        kits = Path(os.environ.get("KITS", ""))
        if not os.environ.get("KITS") or not kits.is_dir():
            parser.error("KITS must name a folder of checkouts")
        for item in items:
            for version in versions:
                broken += _run(item, version, kits, args.workspace)
    results = known(Path(args.workspace), items, versions)
    print(table(results, versions))
    return int(broken > 0)


def read(file: Path) -> list[Item]:
    """The list's items, in its order."""
    whole = yaml.safe_load(file.read_text(encoding="utf-8"))
    return [
        Item(kit, str(entry["config"]), str(entry.get("notes", "")))
        for kit, entries in whole.items()
        for entry in entries
    ]


def _run(item: Item, version: str, kits: Path, workspace: str) -> int:
    """One `codemod parity`; 1 if it said nothing of the config."""
    command = [sys.executable, "-m", "codemod", "parity", item.kit, "-c", item.config]
    command += ["--path", str(kits / item.kit), "--paddle", version, "--workspace", workspace]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    print(done.stdout, file=sys.stderr, flush=True)
    return int(done.returncode not in (0, 1))


def known(workspace: Path, items: Iterable[Item], versions: list[str]) -> list[Result]:
    """The newest kept result of each item and version."""
    found = []
    for item in items:
        kept = read_results(workspace / PARITY_FOLDER / item.kit).results
        ordered = [one.result for one in sorted(kept, key=lambda one: one.measured)]
        for version in versions:
            mine = [
                r
                for r in ordered
                if r.config == item.config
                and r.paddle == version
                and r.parity is not None
                and r.parity.steps >= FEWEST_STEPS
            ]
            found += mine[-1:]
    return found


def table(results: list[Result], versions: list[str]) -> str:
    """A Markdown table with one row a config, and how often each verdict was given."""
    columns = [(version, mode) for version in versions for mode in STATIC_MODES]
    heads = [
        "kit",
        "config",
        *(f"{v} {mode.upper()}" for v, mode in columns),
        "what stands behind it",
    ]
    configs: dict[tuple[str, str], dict[tuple[str, str], ModeResult]] = {}
    for result in results:
        found = configs.setdefault((result.kit, result.config), {})
        found |= {(result.paddle, mode): one for mode, one in result.modes.items()}
    lines = [_line(heads), "|" + "---|" * len(heads)]
    for (kit, config), found in configs.items():
        cells = [f"`{found[c].verdict}`" if c in found else "" for c in columns]
        lines.append(_line([kit, f"`{config}`", *cells, _behind(found)]))
    counts = Counter(one.verdict for found in configs.values() for one in found.values())
    totals = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    kits = len({kit for kit, _ in configs})
    whole = sum(all(c in found for c in columns) for found in configs.values())
    lines += ["", f"{len(configs)} configs of {kits} kits ({whole} in all columns), "]
    lines[-1] += f"{counts.total()} verdicts: {totals}."
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(text.replace('|', '/').replace(chr(10), ' ') for text in cells)} |"


def _behind(found: dict[tuple[str, str], ModeResult]) -> str:
    """What explains the verdicts that are not `pass`; the same words are said once."""
    said: dict[str, list[str]] = {}
    for (version, mode), one in found.items():
        words = _why(one)
        if words:
            said.setdefault(words, []).append(f"{version} {mode.upper()}")
    every = len(found)
    return "; ".join(
        words if len(where) == every else f"{', '.join(where)}: {words}"
        for words, where in said.items()
    )


def _why(one: ModeResult) -> str:
    """The first difference or the error, and the hazard, in a few words."""
    words = []
    first, hazard = one.first, one.hazard
    if first:
        words.append(f"step {first.step}, `{first.name}`, {first.kind}")
    elif not one.verdict.passed:
        words.append(_short(one.reason))
    if hazard:
        place = f" at `{hazard.file}:{hazard.line}`" if hazard.file else ""
        words.append(f"{hazard.id} {hazard.name}{place}")
    elif one.verdict in FAILED and one.hint:
        words.append(one.hint.removeprefix("The deepest line of the kit is ").rstrip("."))
    return ", ".join(words)


def _short(reason: str) -> str:
    """The end of a message without the names of errors before it."""
    said = reason.partition(": ")[2] or reason
    words = said.split(": ")
    while len(words) > 1 and words[0].endswith(("Error", "Exception")):
        words = words[1:]
    text = ": ".join(words).split(". ")[0]
    return text if len(text) <= LONGEST else text[: text.rfind(" ", 0, LONGEST)] + " ..."


if __name__ == "__main__":
    sys.exit(main())
