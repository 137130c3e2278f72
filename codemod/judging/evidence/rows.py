"""A row of the base of evidence: one mode of one run, small enough to be kept with the project."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any

from codemod.base.files.shared_file import bad_label, bad_name, bad_path
from codemod.base.json_form import from_json, plain, to_json
from codemod.base.reason import Reason
from codemod.base.terminal.text import shortened
from codemod.judging.comparing.lockstep import DYNAMIC
from codemod.judging.evidence import line_changes
from codemod.judging.evidence.digests import KEY, checked, digest_of, with_digest
from codemod.judging.evidence.result import (
    Curve,
    DynamicResult,
    Grade,
    ModeResult,
    ParityPart,
    ProbePart,
    Result,
    has_own_loss,
)
from codemod.judging.verdict import Explanation, FirstDifference, Verdict, told

# Longer reasons are cut: the first sentences say what happened.
_LONGEST_REASON = 300
# What a row keeps of a run's losses: so many steps, so many digits.
_STEPS_KEPT, _DIGITS = 50, 6
_FOLDERS = re.compile(r"(?<![\w./:])/(?:[\w.@+-]+/)+")


@dataclass(frozen=True, slots=True)
class RowHazard:
    """The hazard behind a verdict and its place in the kit; its text is in the catalogue."""

    id: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One mode of one run.

    `rests_on` is a digest of the kit's files that the config and the model's `forward` reach at
    `revision`, None where they are not known. `dynamic` is how the reference ended. `also` are
    other configs of the same architecture and arguments. `model` is the class that was built, or of
    the layer that the kit hooked. Figures and `said` are as in `ModeResult`. `hooks` are digests of
    the files that a parity run read and that name `to_static`, by path: its hooks, and what they
    run through.
    `losses` are those of the first steps of a parity run by side, `dynamic` and the row's mode, to
    six digits (None is not a number); rows of before they were kept have none.
    `off` and `ran` are the lines that were executed of changed files (of those of `hooks`, where
    none was changed) with the switch off and on, by path: a digest of the file, and numbers; on
    file, `ran` is told by what it has otherwise than `off`.
    `grade` says what was trained, `own_loss` whether by the kit's own loss or a
    placeholder; rows of before it was kept say so by their attempt, parity rows need not.
    """

    kit: str
    config: str
    paddle: str
    mode: str
    kind: str
    verdict: Verdict
    device: str = "cpu"
    revision: str | None = None
    rests_on: str | None = None
    date: str = ""
    dynamic: str | None = "ok"
    also: tuple[str, ...] = ()
    model: str = ""
    family: str = ""
    steps: int | None = None
    loss_max_abs: float | None = None
    loss_max_rel: float | None = None
    grad_max_rel: float | None = None
    noise_floor: float | None = None
    programs: int | None = None
    graph_breaks: int | None = None
    graphs_a_step: float | None = None
    operators: int | None = None
    speedup: float | None = None
    amp: str | None = None
    rule: str = ""
    first: FirstDifference | None = None
    hazard: RowHazard | None = None
    reason: str = ""
    said: tuple[Reason, ...] = ()
    confirmed: bool = True
    attempt: dict[str, Any] = field(default_factory=dict)
    nets: dict[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    hook: str | None = None
    recorder: str | None = None
    adapter: int = 0
    hooks: dict[str, str] = field(default_factory=dict)
    off: dict[str, str] = field(default_factory=dict)
    ran: dict[str, str] = field(default_factory=dict)
    legs: dict[str, str] = field(default_factory=dict)
    grade: Grade = Grade.NET
    own_loss: bool | None = None
    losses: dict[str, tuple[float | None, ...]] = field(default_factory=dict)

    @property
    def told(self) -> Verdict:
        """The verdict as it is told: a row on record may not have the word for a part."""
        return told(self.verdict, self.said)

    @property
    def place(self) -> tuple[str, ...]:
        """What it covers: rows of one place agree, replace or contradict each other."""
        return (self.kit, self.config, self.paddle, self.mode, self.kind, self.device)

    @property
    def ground(self) -> tuple[object, ...]:
        """What it was measured on and with."""
        tested = self.rests_on or self.revision
        hook = tuple(sorted(self.hooks.items())) or self.hook
        return (tested, self.steps, self.options, hook, self.recorder, self.adapter)

    def to_line(self) -> str:
        """The row as one line of JSON; what has its default is left out."""
        content = to_json(self)
        small = {
            one.name: content[one.name]
            for one in fields(self)
            if _default(one) is MISSING or getattr(self, one.name) != _default(one)
        }
        if self.ran:
            small["ran"] = line_changes.shortened(self.ran, self.off)
        return with_digest(small | {"ground": digest_of(plain(self.ground))})

    def to_result(self) -> Result:
        """The row as a result of this one mode, as results of the workspace are read."""
        hazard = self.hazard
        mode = ModeResult(
            **_shared(self, _FIGURES) | {"verdict": self.told},
            first=self.first,
            hazard=Explanation(hazard.id, "", "", hazard.file, hazard.line) if hazard else None,
        )
        probe = parity = None
        if self.kind == "probe":
            probe = ProbePart(built=True, **_shared(self, _OF_PROBE))
        else:
            parity = ParityPart(
                steps=self.steps or 0,
                ran={DYNAMIC: self.off, self.mode: self.ran},
                curves={side: Curve(losses) for side, losses in self.losses.items()},
                **_shared(self, _OF_PARITY),
            )
        return Result(
            modes={self.mode: mode},
            dynamic=DynamicResult(self.dynamic),
            device=self.device if self.kind == "parity" else None,
            parity=parity,
            probe=probe,
            date=self.date or None,
            recorder=self.recorder,
            **_shared(self, _OF_RESULT),
        )


def _alike(part: type[Any], *otherwise: str) -> tuple[str, ...]:
    """The fields that a row has as a part of a result has them, but for some."""
    names = (one.name for one in fields(part))
    return tuple(n for n in names if n in EvidenceRow.__dataclass_fields__ and n not in otherwise)


def _shared(holder: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(holder, name) for name in names}


# What a row has of its mode as it is. A mode's `hooks` are layers, those of a row are files.
_FIGURES = _alike(ModeResult, "first", "hazard", "hooks")
_OF_PROBE = _alike(ProbePart)
_OF_PARITY = _alike(ParityPart, "steps", "ran")
_OF_RESULT = _alike(Result, "dynamic", "device", "date", "recorder")


def _default(one: Any) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def from_line(line: str) -> EvidenceRow:
    """The row on a line that shares nothing with others.

    Raises:
        ValueError: it is not JSON, or not a row; the message says why.
    """
    return row_of(content_of(line))


def content_of(line: str) -> dict[str, Any]:
    """The object on a line.

    Raises:
        ValueError: it is not JSON, or no object; the message says why.
    """
    try:
        content = json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(content, dict):
        raise ValueError("the line is not an object")
    return content


def row_of(content: dict[str, Any]) -> EvidenceRow:
    """The row that an object is.

    Raises:
        ValueError: it is none; the message says why.
    """
    unknown = set(content) - {one.name for one in fields(EvidenceRow)} - {"ground", KEY}
    if unknown:
        raise ValueError(f"`{min(unknown)}` is not a key of a row")
    row = from_json(EvidenceRow, content)
    if row.ran:
        row = replace(row, ran=line_changes.whole(row.ran, row.off))
    fault = bad_names(
        row.kit, (row.config, *row.also), (row.family, row.model, row.mode, row.paddle)
    )
    if fault:
        raise ValueError(fault)
    if checked(content).get("ground") not in (None, digest_of(plain(row.ground))):
        raise ValueError("`ground` is not the digest of what it was measured on")
    return row


def bad_names(kit: str, configs: Iterable[str], labels: Iterable[str]) -> str:
    """Why names of a result or row cannot be those of a kit's, as a clause; "" where they can."""
    found = [bad_name(kit), *map(bad_path, configs), *map(bad_label, labels)]
    return next(filter(None, found), "")


def fault_of(result: Result) -> str:
    """Why a row of the result could not be read again, as a clause; "" where all can."""
    try:
        for row in rows_of(result, "", None):
            from_line(row.to_line())
    except ValueError as error:
        return str(error)
    return bad_name(result.kit)


def rows_of(result: Result, date: str, rests_on: str | None) -> Iterator[EvidenceRow]:
    """The rows of a result, one a mode.

    `date` is when it was measured (UTC, ISO 8601); `rests_on` is described at `EvidenceRow`.
    """
    probe, parity = result.probe or ProbePart(), result.parity or ParityPart()
    for name, mode in sorted(result.modes.items()):
        hazard = mode.hazard
        figures = _shared(mode, _FIGURES) | _shared(probe, _OF_PROBE) | _shared(parity, _OF_PARITY)
        own = {
            "model": probe.model or _hooked(mode),
            "reason": "" if mode.speaks_for_itself else short_reason(mode.reason),
            "said": () if mode.speaks_for_itself else short_said(mode.said),
            "grade": Grade.TRAINER if result.parity is not None else probe.grade,
            "own_loss": None if result.parity is not None else has_own_loss(probe),
        }
        yield EvidenceRow(
            mode=name,
            kind=result.kind,
            device=result.device or "cpu",
            rests_on=rests_on,
            date=date,
            dynamic=result.dynamic.outcome,
            first=_public(mode.first),
            hazard=RowHazard(hazard.id, hazard.file, hazard.line) if hazard else None,
            recorder=result.recorder[:16] if result.recorder else None,
            off=_of_the_change(parity, DYNAMIC),
            ran=_of_the_change(parity, name),
            losses=losses_of(parity, name),
            **_shared(result, _OF_RESULT),
            **(figures | own),
        )


def _of_the_change(parity: ParityPart, mode: str) -> dict[str, str]:
    """The executed lines of the files that differ from the revision; of all where none does.

    PaddleNLP's package names `to_static` in dozens of files that the change leaves as they are.
    """
    ran = parity.ran.get(mode, {})
    return {path: lines for path, lines in ran.items() if path in parity.changed} or ran


def losses_of(parity: ParityPart, mode: str) -> dict[str, tuple[float | None, ...]]:
    """The losses of dynamic training and of a mode, as a row keeps them; none of a run without."""
    if mode not in parity.curves or DYNAMIC not in parity.curves:
        return {}
    return {
        side: tuple(map(_short, parity.curves[side].loss[:_STEPS_KEPT])) for side in (DYNAMIC, mode)
    }


def _short(loss: float | None) -> float | None:
    return None if loss is None else float(f"{loss:.{_DIGITS}g}")


def _hooked(mode: ModeResult) -> str:
    """The class of the layer that was hooked first: what a parity run really trained."""
    return str(mode.hooks[0].get("target", "")) if mode.hooks else ""


def without_folders(reason: str) -> str:
    """The reason without the folders of the machine that it was found on."""
    return _FOLDERS.sub("…/", reason)


def short_reason(reason: str) -> str:
    """The reason without the folders of the machine it was measured on, and not too long."""
    text = " ".join(without_folders(reason).split())
    return shortened(text, _LONGEST_REASON)


def _public(first: FirstDifference | None) -> FirstDifference | None:
    """An attribute that differs is named with its values, which may be paths."""
    return first and replace(first, name=short_reason(first.name))


def short_said(said: Iterable[Reason]) -> tuple[Reason, ...]:
    """The sentences, each text in them as `short_reason` would have it."""
    # A field may begin or end in a space of its own.
    return tuple(
        one.each_text(lambda text: shortened(without_folders(text), _LONGEST_REASON))
        for one in said
    )
