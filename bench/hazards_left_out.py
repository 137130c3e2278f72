"""Recall and precision of the hazards on kits that had no say in them: docs/measured/hazards.md.

usage: python -m bench.hazards_left_out --kits DIR [--workspace DIR] [--write]

For each kit in turn the runs of the other kits decide which hazards are warnings: one that was
wrong in more than two of five of its runs (five or more, by mode and Paddle) is none. What is left
is held against the runs of the kit that was left out, and the counts of all kits are added up.
Truth is that of `bench.hazards`. Hazards that all kits together show to be no warnings, and that
the catalogue still warns of, are listed, and the exit code is 1. `--write` makes
`docs/measured/hazards.md`: the table, these, each run that no hazard foretold, each false alarm.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench.failing import reason_of
from bench.hazards import Truth, flags, is_failure, paired, scanned, truths, warnings
from codemod.base.terminal.text import shortened
from codemod.hazards.hazard import SEVERE
from codemod.judging.evidence.fix_proofs import PADDLES
from codemod.kits.rulebook import refusals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codemod.hazards import ModelHazards

PAGE = Path(__file__).resolve().parents[1] / "docs" / "measured" / "hazards.md"
FEWEST = 5
MOST_WRONG = 0.4
_HEAD = (
    "| mode and Paddle | runs | fail | flagged: recall | precision | warned: recall | precision |\n"
    "|---|---|---|---|---|---|---|\n"
)
_PAGE_HEAD = """\
# Hazards: recall and precision, what they missed, and false alarms

[Hazards](../hazards.md) says what is counted.
`python -m bench.hazards_left_out --kits DIR --write` makes this page of the base's rows, which are
of today's code alone.

"""
_LONGEST = 160

Pair = tuple[Truth, "ModelHazards"]


@dataclass
class Tally:
    """Runs by (flagged, failed) and by (warned, failed)."""

    flagged: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    warned: Counter[tuple[bool, bool]] = field(default_factory=Counter)

    def cells(self) -> list[str]:
        """The figures of a row."""
        failing = sum(n for (_, failed), n in self.flagged.items() if failed)
        cells = [str(self.flagged.total()), str(failing)]
        for counts in (self.flagged, self.warned):
            hit = counts[True, True]
            cells += [f"{hit} of {failing}", f"{hit} of {hit + counts[True, False]}"]
        return cells


def counts(truth: Truth) -> bool:
    """Whether a run says something of the hazards: on a Paddle that they are measured on.

    What the change itself refuses is no hazard of the code.
    """
    refused = any(text.search(truth.reason) for text in refusals(truth.kit))
    return truth.paddle in PADDLES and not refused


def wrong_ones(pairs: Iterable[Pair]) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Hazards that are no warnings by these runs: (id, mode, Paddle) to wrong runs and all."""
    runs: Counter[tuple[str, str, str]] = Counter()
    wrong: Counter[tuple[str, str, str]] = Counter()
    for truth, model in pairs:
        for hazard in flags(model, truth, SEVERE):
            key = (hazard, truth.mode.value, truth.paddle)
            runs[key] += 1
            wrong[key] += not is_failure(truth.verdict)
    return {
        key: (wrong[key], number)
        for key, number in runs.items()
        if number >= FEWEST and wrong[key] > MOST_WRONG * number
    }


def left_out(pairs: list[Pair]) -> dict[str, Tally]:
    """A tally by mode and Paddle, and one of all; each kit is judged by what the others say."""
    found: dict[str, Tally] = {}
    for kit in sorted({truth.kit for truth, _ in pairs}):
        others = wrong_ones((t, m) for t, m in pairs if t.kit != kit)
        for truth, model in pairs:
            if truth.kit != kit:
                continue
            failed = is_failure(truth.verdict)
            ids = flags(model, truth, SEVERE)
            sure = [one for one in ids if (one, truth.mode.value, truth.paddle) not in others]
            for title in (f"{truth.mode.value.upper()} {truth.paddle}", "all"):
                tally = found.setdefault(title, Tally())
                tally.flagged[bool(ids), failed] += 1
                tally.warned[bool(sure), failed] += 1
    return found


def table(found: dict[str, Tally]) -> str:
    """Markdown: a row by mode and Paddle, all of them last."""
    titles = sorted(found, key=lambda title: (title == "all", title))
    lines = [f"| {' | '.join([title, *found[title].cells()])} |\n" for title in titles]
    return _HEAD + "".join(lines)


def page(pairs: list[Pair]) -> str:
    """The table, what is warned of against what the runs say, and the runs by name."""
    warned = "".join(f"- {one}\n" for one in still_warned(pairs)) or "None.\n"
    return (
        f"{_PAGE_HEAD}{table(left_out(pairs))}\n"
        f"## Wrong in more than two of five runs of all kits, and still warned of\n\n{warned}\n"
        f"{each(pairs)}"
    )


def each(pairs: Iterable[Pair]) -> str:
    """The lists of runs that fail without a flag, and of flags on runs that pass."""
    missed, alarms = [], []
    for truth, model in sorted(pairs, key=lambda pair: _place(pair[0])):
        ids = flags(model, truth, SEVERE)
        place = " | ".join((truth.kit, f"`{truth.config}`", *_place(truth)[2:]))
        if is_failure(truth.verdict) and not ids:
            why = reason_of(truth.kit, truth.config, truth.paddle) or truth.reason
            cell = shortened(why, _LONGEST).replace("|", "/")
            missed.append(f"| {place} | `{truth.verdict}` | {cell} |\n")
        elif ids and not is_failure(truth.verdict):
            alarms.append(f"| {place} | `{truth.verdict}` | {', '.join(sorted(ids))} |\n")
    return (
        f"## Missed: {len(missed)} runs\n\n"
        "| kit | config | Paddle | mode | verdict | what stands behind it |\n"
        f"|---|---|---|---|---|---|\n{''.join(missed)}\n"
        f"## False alarms: {len(alarms)} runs\n\n"
        "| kit | config | Paddle | mode | verdict | flagged |\n"
        f"|---|---|---|---|---|---|\n{''.join(alarms)}"
    )


def _place(truth: Truth) -> tuple[str, str, str, str]:
    return truth.kit, truth.config, truth.paddle, truth.mode.value.upper()


def still_warned(pairs: list[Pair]) -> list[str]:
    """Hazards that are wrong in more than two of five, and that the survey warns of."""
    wrong = wrong_ones(pairs)
    warned = {
        (hazard, truth.mode.value, truth.paddle)
        for truth, model in pairs
        for hazard in warnings(model, truth)
    }
    return [
        f"{hazard} {mode.upper()} {paddle}: {wrong[hazard, mode, paddle][0]} of "
        f"{wrong[hazard, mode, paddle][1]} runs pass"
        for hazard, mode, paddle in sorted(warned & set(wrong))
    ]


def main() -> int:
    """Print the table, or write it; the exit code is 1 where a hazard should be no warning."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kits", type=Path, required=True)
    parser.add_argument("--workspace", type=Path, help="results beside those of the base")
    parser.add_argument("--write", action="store_true", help="make docs/measured/hazards.md")
    asked = parser.parse_args()
    known = [truth for truth in truths(asked.workspace) if counts(truth)]
    models = scanned(asked.kits, known)
    pairs = paired(known, models)
    if asked.write:
        PAGE.write_text(page(pairs), encoding="utf-8")
    else:
        print(table(left_out(pairs)))
    found = still_warned(pairs)
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
