"""Recall and precision of the hazards on kits that had no say in them, written into the guide.

usage: python -m bench.hazards_left_out --kits DIR [--workspace DIR] [--write]

For each kit in turn the runs of the other kits decide which hazards are warnings: one that was
wrong in more than two of five of its runs (five or more, by mode and Paddle) is none. What is left
is held against the runs of the kit that was left out, and the counts of all kits are added up.
Truth is that of `bench.hazards`. Hazards that all kits together show to be no warnings, and that
the catalogue still warns of, are listed, and the exit code is 1. `--write` fills the table in
`docs/hazards.md` and in its Chinese version, and makes `docs/measured/hazards.md`, which names each
run that no hazard foretold and each false alarm.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench.failing import reason_of
from bench.fixes import filled_block
from bench.hazards import Truth, flags, is_failure, paired, scanned, truths, warnings
from codemod.base.terminal.text import shortened
from codemod.hazards.hazard import SEVERE
from codemod.judging.evidence.fix_proofs import PADDLES
from codemod.reports.survey.causes import causes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codemod.hazards import ModelHazards

_DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, CHINESE_PAGE = _DOCS / "hazards.md", _DOCS / "hazards.zh-CN.md"
EACH_PAGE = _DOCS / "measured" / "hazards.md"
FEWEST = 5
MOST_WRONG = 0.4
_HEAD = (
    "| mode and Paddle | runs | fail | flagged: recall | precision | warned: recall | precision |\n"
    "|---|---|---|---|---|---|---|\n"
)
_CHINESE_HEAD = (
    "| 模式与 Paddle | 运行 | 失败 | 标出：召回率 | 准确率 | 警告：召回率 | 准确率 |\n"
    "|---|---|---|---|---|---|---|\n"
)
_EACH_HEAD = """\
# Hazards: what they missed, and false alarms

[Hazards](../hazards.md) says what is counted. `python -m bench.hazards_left_out --kits DIR --write`
makes this page of the base's rows, which are of today's code alone.

"""
_LONGEST = 160
_REFUSED = "refused"

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
    refused = (sign.error for sign in causes().signs if sign.cause == _REFUSED)
    return truth.paddle in PADDLES and not any(re.search(one, truth.reason) for one in refused)


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


def in_chinese(made: str) -> str:
    """The same table in Chinese."""
    rows = re.sub(r"(\d+) of (\d+)", r"\1/\2", made.removeprefix(_HEAD))
    return _CHINESE_HEAD + rows.replace("| all |", "| 全部 |")


def write(made: str) -> None:
    """Put the table into the page of each language."""
    for file, text in ((PAGE, made), (CHINESE_PAGE, in_chinese(made))):
        page = file.read_text(encoding="utf-8")
        file.write_text(filled_block(page, "left-out", text), encoding="utf-8")


def each(pairs: Iterable[Pair]) -> str:
    """The page of runs that fail without a flag, and of flags on runs that pass."""
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
        f"{_EACH_HEAD}## Missed: {len(missed)} runs\n\n"
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
        f"{hazard} {mode} {paddle}: wrong in {wrong[hazard, mode, paddle][0]} of "
        f"{wrong[hazard, mode, paddle][1]} runs, and still a warning"
        for hazard, mode, paddle in sorted(warned & set(wrong))
    ]


def main() -> int:
    """Print the table, or write it; the exit code is 1 where a hazard should be no warning."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kits", type=Path, required=True)
    parser.add_argument("--workspace", type=Path, help="results beside those of the base")
    parser.add_argument("--write", action="store_true", help="fill the table in both pages")
    asked = parser.parse_args()
    known = [truth for truth in truths(asked.workspace) if counts(truth)]
    models = scanned(asked.kits, known)
    pairs = paired(known, models)
    text = table(left_out(pairs))
    if asked.write:
        write(text)
        EACH_PAGE.write_text(each(pairs), encoding="utf-8")
    else:
        print(text)
    found = still_warned(pairs)
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
