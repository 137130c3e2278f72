"""The survey as a sheet: a line per config or file of code that was run, and per family without."""

from __future__ import annotations

import csv
import io

from codemod.reports.survey.cells import is_good
from codemod.reports.survey.pages.document import Survey
from codemod.reports.survey.rows import (
    MODES,
    PADDLES,
    SOURCES,
    ConfigVerdict,
    KitSurvey,
    Outlook,
    Row,
    Trainable,
)

_PLAIN = (
    "kit",
    "revision",
    "family",
    "family_en",
    "plan",
    "task",
    "state",
    "model",
    "config",
    "root",
    "script",
    "trainer",
    "data",
    "inputs",
    "inputs_recorded",
    "reaches_hook",
    "why_not",
    "reaches_hook_after_apply",
)
_JUDGED = ("verdict", "source", "reason", "evidence")
_BOM = "\ufeff"  # without it spreadsheets take the Chinese names for another encoding


def to_csv(survey: Survey) -> str:
    """The sheet as CSV with a byte order mark."""
    out = io.StringIO()
    judged = [f"{m}_{p}_{name}" for m in MODES for p in PADDLES for name in _JUDGED]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_PLAIN, *judged, "after_fix"])
    for kit in survey.kits:
        for row in kit.rows:
            for unit in row.units or (() if row.code else (None,)):
                writer.writerow([*_plain(kit, row, unit), *_judged(row, unit.path if unit else "")])
            for path in row.code:
                line = dict.fromkeys(_PLAIN, "") | dict(zip(_PLAIN, _head(kit, row), strict=False))
                writer.writerow([*(line | {"config": path}).values(), *_judged(row, path)])
    return _BOM + out.getvalue()


def _plain(kit: KitSurvey, row: Row, unit: Trainable | None) -> list[str]:
    head = _head(kit, row)
    if unit is None:
        return [
            *head,
            *[""] * (len(_PLAIN) - len(head) - 2),
            row.trace.where if row.trace else "",
            "",
        ]
    return [
        *head,
        unit.model,
        unit.path,
        unit.root,
        "yes" if unit.script else "no",
        unit.trainer or "",
        unit.data,
        unit.inputs,
        "yes" if unit.observed else "no",
        "yes" if unit.before is None else "no",
        str(unit.before or ""),
        "yes" if unit.after is None else "no",
    ]


def _head(kit: KitSurvey, row: Row) -> list[str]:
    """What is said of the row as a whole: the first columns."""
    plan = "yes" if row.plan else "no"
    return [kit.kit, kit.revision or "", row.name, row.en, plan, row.task, row.state.value]


def _judged(row: Row, path: str) -> list[str]:
    known = row.verdicts.get(path, ())
    best = {(v.mode, v.paddle): v for v in sorted(known, key=lambda v: -SOURCES.index(v.source))}
    found = [best.get((mode, paddle)) for mode in MODES for paddle in PADDLES]
    four = [text for v in found for text in (_four(v) if v else ("", "", "", ""))]
    fixed = [f"{f.mode} {f.paddle} {f.after.value}" for f in row.fixed if f.config == path]
    return [*four, "; ".join(fixed)]


def _four(verdict: ConfigVerdict) -> tuple[str, str, str, str]:
    """The reason, if there is an obstacle."""
    fine = is_good(verdict.verdict) or verdict.verdict is Outlook.CLEAR
    return verdict.verdict.value, verdict.source, "" if fine else verdict.reason, verdict.where
