"""The survey as a sheet: a line per config or file of code that was run, and per family without."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from codemod.reports.survey.cells import is_good
from codemod.reports.survey.pages.document import Survey
from codemod.reports.survey.rows import (
    COLUMNS,
    SOURCES,
    ConfigVerdict,
    KitSurvey,
    Outlook,
    Row,
    Trainable,
)

_ROW = ("kit", "revision", "family", "family_en", "plan", "task", "state")
_UNIT = ("model", "config", "root", "script", "trainer", "data", "inputs", "inputs_recorded")
_REACH = ("reaches_hook", "why_not", "reaches_hook_after_apply")
_JUDGED = ("verdict", "source", "reason", "evidence")
_YES = {True: "yes", False: "no"}
_BOM = "\ufeff"  # without it spreadsheets take the Chinese names for another encoding


def to_csv(survey: Survey) -> str:
    """The sheet as CSV with a byte order mark."""
    out = io.StringIO()
    judged = [f"{mode}_{paddle}_{name}" for mode, paddle in COLUMNS for name in _JUDGED]
    names = [*_ROW, *_UNIT, *_REACH, *judged, "after_fix"]
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    for kit in survey.kits:
        for row in kit.rows:
            writer.writerows({**_head(kit, row), **line} for line in _lines(row))
    return _BOM + out.getvalue()


def _lines(row: Row) -> Iterator[dict[str, str]]:
    """What is said of each config and file of code; of a row without any, where its trace is."""
    yield from ({**_plain(unit), **_judged(row, unit.path)} for unit in row.units)
    yield from ({"config": path, **_judged(row, path)} for path in row.code)
    if not row.paths:
        yield {"why_not": row.trace.where if row.trace else ""}


def _plain(unit: Trainable) -> dict[str, str]:
    told = (
        *(unit.model, unit.path, unit.root, _YES[unit.script], unit.trainer or ""),
        *(unit.data, unit.inputs, _YES[unit.observed]),
        *(_YES[unit.before is None], str(unit.before or ""), _YES[unit.after is None]),
    )
    return dict(zip((*_UNIT, *_REACH), told, strict=True))


def _head(kit: KitSurvey, row: Row) -> dict[str, str]:
    """What is said of the row as a whole."""
    told = (row.name, row.en, _YES[row.plan], row.task, row.state.value)
    return dict(zip(_ROW, (kit.kit, kit.revision or "", *told), strict=True))


def _judged(row: Row, path: str) -> dict[str, str]:
    known = row.verdicts.get(path, ())
    best = {(v.mode, v.paddle): v for v in sorted(known, key=lambda v: -SOURCES.index(v.source))}
    fixed = [f"{f.mode} {f.paddle} {f.after.value}" for f in row.fixed if f.config == path]
    told = {
        f"{mode}_{paddle}_{name}": text
        for mode, paddle in COLUMNS
        if (verdict := best.get((mode, paddle)))
        for name, text in zip(_JUDGED, _four(verdict), strict=True)
    }
    return {**told, "after_fix": "; ".join(fixed)}


def _four(verdict: ConfigVerdict) -> tuple[str, str, str, str]:
    """The reason, if there is an obstacle."""
    fine = is_good(verdict.verdict) or verdict.verdict is Outlook.CLEAR
    return verdict.verdict.value, verdict.source, "" if fine else verdict.reason, verdict.where
