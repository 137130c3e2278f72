"""What each kit's change costs in lines, and which of its statements runs have executed.

usage: python -m bench.executed KITS [--write]

KITS holds a checkout of each kit at the revision that `kits.yaml` pins. Lines are counted for each
hook and held under a ceiling by a test. Statements are those of functions that the change adds or
rewrites; a run counts by the lines that it noted of these very files, in the base of evidence,
whatever it came to, as in the text of a pull request.
What no run executed is listed with the reason, where executed.yaml has one, and for a kit of many
training scripts the groups of these of which no run executed any: a group is a folder of a
collection (`slm/model_zoo/bigbird`), or a folder at the top.
`--write` makes docs/measured/executed.md.
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench.origins import KITS
from codemod.base.changeset import Source, Status
from codemod.engine import plan_change
from codemod.engine.rewrite.rewritten import unexecuted
from codemod.kits.catalogue import load_kits
from codemod.kits.paddles import measured
from codemod.reports.pullrequest.claims.cited_evidence import base_runs
from codemod.reports.pullrequest.claims.executed_lines import Coverage, coverage

if TYPE_CHECKING:
    from codemod.base.changeset import ChangeSet
    from codemod.reports.pullrequest.claims.cited_evidence import CitedRun

MANY_GROUPS = 20
REASONS = Path(__file__).with_suffix(".yaml")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "measured" / "executed.md"
# Added lines for each hook. PaddleRec splits 27 nets, PaddleGAN's one hook serves 34 models.
CEILINGS = {
    "PaddleClas": 8,
    "PaddleNLP": 4,
    "PaddleSeg": 9,
    "PaddleDetection": 17,
    "Paddle3D": 20,
    "PaddleOCR": 6,
    "PaddleRec": 45,
    "PaddleGAN": 35,
    "PaddleVideo": 4,
    "PaddleYOLO": 16,
}
RUNS = [(mode, paddle) for paddle in measured() for mode in ("ast", "sot")]
HEAD = """# What the changes cost, and what runs have executed of them

Made by `python -m bench.executed KITS --write` from the plans for the pinned kits and the base of
evidence. A statement counts as executed where a run on these very files noted its line; what SOT
translates is not seen, and runs of an older recorder noted no lines. The last column counts what
any run executed, with the switch off or on. Below are the statements that no run executed.

"""


def per_hook(change_set: ChangeSet) -> float:
    """The added lines of a change for each hook that it inserts."""
    hooks = sum(hook.status is Status.INSERTED for hook in change_set.hooks)
    return sum(edit.lines_added for edit in change_set.edits) / max(hooks, 1)


def reasons() -> dict[str, dict[str, str]]:
    """Of each kit, why files of its change stay unexecuted, by globs."""
    read: dict[str, dict[str, str]] = yaml.safe_load(REASONS.read_text(encoding="utf-8"))
    return read


def row(kit: str, change_set: ChangeSet) -> tuple[list[str], tuple[str, ...]]:
    """The cells of a kit, and the places (`FILE:LINE`) that no run executed."""
    rows = base_runs(kit)
    hooks = sum(hook.status is Status.INSERTED for hook in change_set.hooks)
    added = sum(edit.lines_added for edit in change_set.edits)
    removed = sum(edit.lines_removed for edit in change_set.edits)
    everything = unexecuted(change_set, ())
    whole = coverage(change_set, rows) or Coverage(len(everything), 0, 0, everything)
    on = [_on(change_set, [one for one in rows if (one.mode, one.paddle) == run]) for run in RUNS]
    any_run = whole.total - len(whole.never)
    share = f"{any_run} ({100 * any_run // max(whole.total, 1)} %)"
    cells = [kit, str(hooks), f"+{added} -{removed}", f"{per_hook(change_set):.1f}"]
    return [*cells, str(whole.total), str(whole.off), *on, share], whole.never


def _on(change_set: ChangeSet, rows: list[CitedRun]) -> str:
    found = coverage(change_set, rows)
    return str(found.on) if found else "–"


def left(kit: str, never: tuple[str, ...]) -> str:
    """A kit's unexecuted statements: a row for each file, with its lines and the reason."""
    why = reasons().get(kit, {})
    lines = [f"## {kit}", "", "| file | lines | why |", "|---|---|---|"]
    for file, places in groupby(sorted(never, key=_place), key=lambda one: _place(one)[0]):
        numbers = ", ".join(place.rpartition(":")[2] for place in places)
        reason = next((text for glob, text in why.items() if fnmatchcase(file, glob)), "–")
        lines.append(f"| `{file}` | {numbers} | {reason} |")
    return "\n".join(lines) + "\n"


def groups(kit: str, change_set: ChangeSet, never: tuple[str, ...]) -> str:
    """Of how many groups of scripts with a hook a run executed one; nothing for a few groups."""
    open_files = {_place(told)[0] for told in never}
    hooked = {hook.file for hook in change_set.hooks if hook.status is Status.INSERTED}
    every = {_group(file) for file in hooked}
    ran = {_group(file) for file in hooked - open_files}
    if len(every) < MANY_GROUPS:
        return ""
    left_out = ", ".join(f"`{group}`" for group in sorted(every - ran))
    told = f"{kit}: of {len(every)} groups of scripts {len(ran)} have one that a run executed"
    return f"{told}; none of {left_out}.\n" if left_out else f"{told}.\n"


def _group(file: str) -> str:
    folders = file.split("/")[:-1]
    return "/".join(folders[:3] if folders[0] == "slm" else folders[:1])


def _place(told: str) -> tuple[str, int]:
    file, _, line = told.rpartition(":")
    return file, int(line)


def page(kits: Path) -> str:
    """Every kit's row, then what is left of each."""
    names = ["kit", "hooks", "lines", "added a hook", "statements", "switch off"]
    names += [f"{mode.upper()} {paddle}" for mode, paddle in RUNS] + ["any run"]
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    missing, grouped = [], []
    for kit in KITS:
        source = Source(kit, kits / kit, load_kits()[kit].revision)
        change_set = plan_change(source).change_set()
        cells, never = row(kit, change_set)
        lines.append("| " + " | ".join(cells) + " |")
        grouped.append(groups(kit, change_set, never))
        if never:
            missing.append(left(kit, never))
    return "\n".join(["\n".join(lines) + "\n", *filter(None, grouped), *missing])


def main() -> None:
    """Print the table, or write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("kits", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    made = page(options.kits)
    if options.write:
        PAGE.write_text(HEAD + made, encoding="utf-8")
    else:
        print(made, end="")


if __name__ == "__main__":
    main()
