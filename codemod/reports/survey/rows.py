"""What a survey holds: kits, their rows, the configs of a row, and verdicts with evidence."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from enum import Enum
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from codemod.base.changeset import TrainingFiles
from codemod.base.json_form import named
from codemod.base.reason import Reason
from codemod.judging.evidence.result import RAN
from codemod.judging.verdict import Verdict
from codemod.kits.paddles import measured

MODES = ("dynamic", "ast", "sot")
PADDLES = measured()
COLUMNS = tuple(product(MODES, PADDLES))
"""The columns of the document: each mode on each Paddle."""
# Another config was run that builds the same computation.
SAME = "same"
# The sources of a verdict, that first which counts first.
SOURCES = (*RAN, SAME, "hazards")


class Outlook(str, Enum):
    """What is known of a config in a mode beside the verdicts of static runs.

    `RUNS` is said of dynamic mode; the other two come from the code alone: something breaks or
    changes the numbers, or nothing that does was found.
    """

    RUNS = "runs"
    AT_RISK = "at-risk"
    CLEAR = "clear"

    def __str__(self) -> str:
        """The value, as texts and templates show it."""
        return str(self.value)


class RowState(str, Enum):
    """What the kit has of a family at this revision."""

    TRAINS = "trains"
    CODE_ONLY = "code-only"
    MOVED = "moved"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Trainable:
    """One thing that can be trained: a config, or a script that takes none.

    `before` says why its training reaches no hook as the kit stands, `after` why it would reach
    none after `codemod apply`; None means that it does. `inputs` is what a run recorded, where
    `observed`, else what the kit's code says.
    """

    path: str
    model: str
    before: Reason | None
    after: Reason | None
    trainer: str | None
    root: str = ""
    data: str = ""
    inputs: str = ""
    observed: bool = False
    script: bool = False


@dataclass(frozen=True, slots=True)
class ConfigVerdict:
    """What is known of one config in one mode on one Paddle, and where that is from.

    `source` is parity, step, probe, placeholder, same or hazards. `where` is the evidence: a file
    of the workspace, or FILE:LINE in the kit. `same_as` is the config that was run where this one
    builds the same, `hazard` the first that the code shows. `losses` are by side and step, of a
    parity run whose losses were kept. `speed` is the verdict of its timing, where it was timed.
    """

    mode: str
    paddle: str
    verdict: Verdict | Outlook
    source: str
    reason: str = ""
    where: str = ""
    figures: dict[str, Any] = field(default_factory=dict)
    same_as: str = ""
    hazard: str = ""
    said: tuple[Reason, ...] = ()
    losses: dict[str, tuple[float | None, ...]] = field(default_factory=dict)
    speed: Reason | None = None

    @property
    def sentences(self) -> tuple[Reason, ...]:
        """The reason as codes, or as its words where it has none."""
        return self.said or ((Reason.said(self.reason),) if self.reason else ())


@dataclass(frozen=True, slots=True)
class FixedMode:
    """What a proved fix makes of one config in one mode on one Paddle, as a probe found it."""

    config: str
    mode: str
    paddle: str
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True)
class Trace:
    """What the kit still has of a family without configs: a line of a document, or code."""

    where: str
    text: str = ""
    link: str = ""


@dataclass(frozen=True)
class Row:
    """One line of the document: a family, or a group of models that no family names.

    `code` are files of the family's model code that were run in the place of a config; `fixed` are
    the modes that a proved fix makes pass.
    """

    id: str
    name: str
    en: str
    plan: bool
    task: str
    state: RowState
    units: tuple[Trainable, ...] = ()
    verdicts: dict[str, tuple[ConfigVerdict, ...]] = field(default_factory=dict)
    trace: Trace | None = None
    code: tuple[str, ...] = ()
    fixed: tuple[FixedMode, ...] = ()

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Everything that verdicts can speak of."""
        return (*(unit.path for unit in self.units), *self.code)

    @cached_property
    def counting(self) -> dict[tuple[str, str], dict[str, ConfigVerdict]]:
        """By mode and Paddle, the one verdict of each path that counts: that of the first source.

        Kept: every page asks for each cell many times.
        """
        found: dict[tuple[str, str], dict[str, ConfigVerdict]] = {}
        for path, known in self.verdicts.items():
            for verdict in sorted(known, key=lambda one: SOURCES.index(one.source)):
                found.setdefault((verdict.mode, verdict.paddle), {}).setdefault(path, verdict)
        return found

    @property
    def models(self) -> tuple[str, ...]:
        """The architecture keys of its units."""
        return tuple(sorted({unit.model for unit in self.units}))


@dataclass(frozen=True, slots=True)
class KitSurvey:
    """One kit: its rows, and the config files that cannot be read, each with the reason.

    `stale` counts the results that were left out because they are of another revision; `damaged`
    maps the result files that cannot be read to the reason.
    """

    kit: str
    git: str
    revision: str | None
    rows: tuple[Row, ...]
    unreadable: dict[str, str]
    stale: int = 0
    damaged: dict[Path, str] = field(default_factory=dict)
    files: TrainingFiles = field(default_factory=TrainingFiles)

    def to_json(self) -> dict[str, Any]:
        """The kit as one JSON object."""
        return {
            **named(self, "kit", "git", "revision", "unreadable"),
            "stale_results": self.stale,
            "training_files": self.files.to_json(),
            "rows": [_row_json(row) for row in self.rows],
        }


def _row_json(row: Row) -> dict[str, Any]:
    return {
        **named(row, "id", "name", "en", "plan", "task", "state"),
        "trace": asdict(row.trace) if row.trace else None,
        "models": list(row.models),
        "configs": [
            {
                **_unit_json(unit),
                "verdicts": [_verdict_json(verdict) for verdict in row.verdicts.get(unit.path, ())],
                **_after_fix(row, unit.path),
            }
            for unit in row.units
        ],
        "code": [
            {"path": path, "verdicts": [_verdict_json(one) for one in row.verdicts[path]]}
            for path in row.code
        ],
    }


def _after_fix(row: Row, path: str) -> dict[str, Any]:
    """The key `after_fix` of a config that has a proved fix."""
    own = (one for one in row.fixed if one.config == path)
    fixed = [named(one, "mode", "paddle", "before", "after") for one in own]
    return {"after_fix": fixed} if fixed else {}


def _unit_json(unit: Trainable) -> dict[str, Any]:
    before, after = unit.before, unit.after
    return {
        **_filled(unit, "before", "after"),
        "before": before and before.text(),
        "after": after and after.text(),
        **({"before_reason": before.to_json()} if before else {}),
        **({"after_reason": after.to_json()} if after else {}),
    }


def _verdict_json(verdict: ConfigVerdict) -> dict[str, Any]:
    said = [reason.to_json() for reason in verdict.said]
    return {
        **_filled(verdict, "said", "speed"),
        **({"said": said} if said else {}),
        **({"speed": verdict.speed.to_json()} if verdict.speed else {}),
    }


def _filled(record: Trainable | ConfigVerdict, *without: str) -> dict[str, Any]:
    """The fields that hold something, but those `without`: a survey has thousands of these."""
    names = (one.name for one in fields(record) if one.name not in without)
    return {name: value for name in names if (value := getattr(record, name))}
