"""A survey out of its JSON, to be written in another form without the kits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from codemod.base.changeset import TrainingFiles
from codemod.base.json_form import from_json
from codemod.base.reason import Reason
from codemod.judging.verdict import Verdict
from codemod.reports.survey.pages.document import Survey
from codemod.reports.survey.rows import (
    ConfigVerdict,
    FixedMode,
    KitSurvey,
    Outlook,
    Row,
    RowState,
    Trace,
    Trainable,
)

_PARTS = {one.name for one in fields(TrainingFiles)}


def survey_of(read: dict[str, Any]) -> Survey:
    """The survey that `changes.read_survey` read; it has no changes of its own.

    Raises:
        FormError: a value does not fit.
    """
    return Survey(tuple(_kit(kit) for kit in read["kits"]), read["date"])


def _kit(read: dict[str, Any]) -> KitSurvey:
    files = {name: number for name, number in read["training_files"].items() if name in _PARTS}
    return KitSurvey(
        read["kit"],
        read["git"],
        read["revision"],
        tuple(_row(row) for row in read["rows"]),
        read["unreadable"],
        read["stale_results"],
        files=TrainingFiles(**files),
    )


def _row(read: dict[str, Any]) -> Row:
    plain = {name: read[name] for name in ("id", "name", "en", "plan", "task")}
    verdicts = {
        one["path"]: tuple(map(_verdict, one["verdicts"]))
        for one in (*read["configs"], *read["code"])
        if one["verdicts"]
    }
    return Row(
        **plain,
        state=RowState(read["state"]),
        units=tuple(map(_unit, read["configs"])),
        verdicts=verdicts,
        trace=from_json(Trace, read["trace"]) if read["trace"] else None,
        code=tuple(one["path"] for one in read["code"]),
        fixed=tuple(one for config in read["configs"] for one in _fixed(config)),
    )


def _unit(read: dict[str, Any]) -> Trainable:
    reasons = {end: read.get(f"{end}_reason") for end in ("before", "after")}
    return from_json(Trainable, {"trainer": None, **read, **reasons})


def _fixed(config: dict[str, Any]) -> Iterator[FixedMode]:
    for one in config.get("after_fix", ()):
        before, after = Verdict(one["before"]), Verdict(one["after"])
        yield FixedMode(config["path"], one["mode"], one["paddle"], before, after)


def _verdict(read: dict[str, Any]) -> ConfigVerdict:
    said = read["verdict"]
    own = said in {one.value for one in Outlook}
    reasons = tuple(Reason.from_json(one) for one in read.get("said", ()))
    verdict = Outlook(said) if own else Verdict(said)
    speed = Reason.from_json(read["speed"]) if "speed" in read else None
    return ConfigVerdict(**(read | {"verdict": verdict, "said": reasons, "speed": speed}))
