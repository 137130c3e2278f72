"""Find the programs of docs/paddle-issues again, each from a kit's config alone.

Every row of `reducing_kits.yaml` is one run of `codemod reduce` in a process of its own, which is
ended after its time. What it gave is kept beside the reductions, so that rows that are done are
not run again.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemod.base.files.yaml_file import read_yaml
from codemod.base.json_form import from_json
from codemod.base.schema import read_record
from codemod.experiments.reduce.known import known_causes
from codemod.experiments.reduce.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

ROWS = Path(__file__).with_name("reducing_kits.yaml")
PAGE = Path(__file__).parents[1] / "docs" / "measured" / "reducing.md"
# The tables of the page: each program has a row in both, so each is written whole.
KITS, HIDDEN = "rows", "hidden"
# Beside the cutting: the probe of a net, and an environment that is not made yet.
_MORE_S = 1200.0


@dataclass(frozen=True, slots=True)
class KitRow:
    """One row: where a kit shows the cause of a program, or `why` none does."""

    program: str
    kit: str = ""
    config: str = ""
    mode: str = ""
    paddle: str = ""
    needs: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReducedCase:
    """What a run gave in words; `lines` are the program's, without what compares the modes.

    `tests` are programs that were tried, `minutes` the reduction's own, `all_minutes` of all.
    `afresh` says where the result shows the fault in fresh processes.
    """

    program: str
    outcome: str
    sought: str = ""
    lines: int = 0
    tests: int = 0
    minutes: float = 0.0
    all_minutes: float = 0.0
    verified: bool = False
    afresh: str = ""


def rows() -> tuple[KitRow, ...]:
    """All rows of the list, in its order."""
    return tuple(read_record(KitRow, row) for row in read_yaml(ROWS).entries())


def run(row: KitRow, kits: Path, workspace: Path, minutes: float) -> ReducedCase:
    """Reduce one row and match what comes out with the program on file."""
    began = time.monotonic()
    words = [sys.executable, "-m", "codemod", "reduce", row.kit, "-c", row.config, "--json"]
    words += ["--path", str(kits / row.kit), "--mode", row.mode, "--paddle", row.paddle]
    words += ["--minutes", str(minutes), "--workspace", str(workspace)]
    limit = 60 * minutes + _MORE_S
    # What is remembered of a run before would not be counted.
    made = f"{row.config.replace('/', '_')}-{row.paddle}-{row.mode}"
    shutil.rmtree(workspace / "reduced" / row.kit / made, ignore_errors=True)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as one:
        try:
            told, errors = one.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            one.terminate()
            told, errors = one.communicate()
            errors += "\nError: the time was over"
    took = round((time.monotonic() - began) / 60, 1)
    try:
        result = json.loads(told)
        text = Path(result["file"]).read_text(encoding="utf-8")
    except (ValueError, KeyError):
        said = [line for line in errors.splitlines() if line.startswith("Error: ")]
        return ReducedCase(
            row.program, "not found: " + (said or ["Error: ended"])[-1][7:], "", 0, 0, 0, took
        )
    return judged(row, result, text, took)


def judged(row: KitRow, result: dict[str, Any], text: str, took: float) -> ReducedCase:
    """A result in words; `took` are the minutes of all."""
    return ReducedCase(
        row.program,
        _outcome(row, result, text),
        result["sought"],
        result["code_lines"],
        result["tests"],
        result["minutes"],
        took,
        result["verified"],
        _afresh(result),
    )


def _afresh(result: dict[str, Any]) -> str:
    shown = result["shown"]
    return ", ".join(
        f"{paddle} {mode.upper()}"
        for paddle in sorted(shown)
        for mode, one in shown[paddle].items()
        if one == result["sought"]
    )


def _outcome(row: KitRow, result: dict[str, Any], text: str) -> str:
    """Whether a result has the cause of the program on file: what it shows, and what it needs."""
    if not result["verified"]:
        return "wrong: it does not show the fault afresh"
    found = from_json(Signature, result["signature"])
    if not all(one.shows(found) for one in known_causes() if one.program == row.program):
        return "another fault"
    if not all(re.search(mark, text) for mark in row.needs):
        return "another cause"
    return "found" if result["ended"] else "found, not cut to the end"


def table(found: Sequence[ReducedCase]) -> str:
    """All rows of the list as Markdown; one that was run elsewhere is as the page has it."""
    done = {one.program: one for one in found}
    page = PAGE.read_text(encoding="utf-8").partition(f"<!-- {KITS} -->\n")[2]
    written = page.partition("<!-- end -->")[0].splitlines()
    kept = {line.split("|")[1].strip(): line for line in written}
    columns = ["program", "kit, config", "Paddle, mode", "outcome", "shows it afresh"]
    columns += ["lines", "min", "of all", "tried"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for row in rows():
        if row.kit and row.program not in done and f"{row.program}.py" in kept:
            lines.append(kept[f"{row.program}.py"])
            continue
        if not row.kit:  # it may have been one that had a config
            done.pop(row.program, None)
        one = done.get(row.program, ReducedCase(row.program, row.why or "not run"))
        place = f"{row.kit} `{row.config}`" if row.kit else ""
        numbers = [one.lines, one.minutes, one.all_minutes, one.tests]
        cells = [f"{row.program}.py", place, f"{row.paddle} {row.mode.upper()}".strip()]
        cells += [one.outcome, one.afresh, *(str(number or "") for number in numbers)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write(made: str, marker: str, names: Sequence[str] = ()) -> None:
    """Put a table into the page in the place of the one behind its marker.

    Where programs are named, the others' rows stay as they are.
    """
    head, line, rest = PAGE.read_text(encoding="utf-8").partition(f"<!-- {marker} -->\n")
    table, end, rest = rest.partition("<!-- end -->")
    if names:
        made = renewed(table, made, {f"{name}.py" for name in names})
    PAGE.write_text(f"{head}{line}{made}{end}{rest}", "utf-8")


def renewed(table: str, made: str, named: Container[str]) -> str:
    """The rows of a table that is made anew, with those of a table before for what is not named."""
    before = {_first(row): row for row in table.splitlines()}
    rows = [
        row if _first(row) in named else before.get(_first(row), row) for row in made.splitlines()
    ]
    return "".join(f"{row}\n" for row in rows)


def _first(row: str) -> str:
    return row.split("|")[1].strip()


def reduce_all(
    names: Sequence[str], kits: Path, workspace: Path, minutes: float, again: bool = False
) -> str:
    """Run the rows that are asked for and not done yet, one at a time; the table of all."""
    kept = workspace / "reducing_kits.jsonl"
    workspace.mkdir(parents=True, exist_ok=True)
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.is_file() else []
    # The last line about a program counts.
    done = {one.program: one for one in (ReducedCase(**json.loads(line)) for line in lines)}
    for row in rows():
        wanted = row.kit and (row.program in names or not names)
        if wanted and (again or row.program not in done):
            done[row.program] = run(row, kits, workspace, minutes)
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(done[row.program])) + "\n")
            print(done[row.program], file=sys.stderr, flush=True)
    return table(list(done.values()))
