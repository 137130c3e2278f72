"""Read what the recorder wrote; a record that was cut off is good up to there."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.training.sides import Turn, Visit, turn_of, visit_of

# A record that was written for longer, or since before its start, says nothing of its time.
_LONGEST_S = 366 * 86400.0


@dataclass(frozen=True, slots=True)
class Mark:
    """A fingerprint: `kind` is d(ense), s(parse), n(one) or f(rozen parameter).

    `norm` is the 2-norm, `sketch` the base64 text of the array's linear image.
    """

    kind: str
    digest: str
    norm: float
    sketch: str

    @property
    def present(self) -> bool:
        """Whether there is a gradient at all."""
        return self.kind in ("d", "s")


@dataclass(frozen=True, slots=True)
class Step:
    """One optimizer step. `losses` holds what each backward since the last step was called on.

    `static` counts what was static; `compile_seconds` went to tracing and compiling. `weights` is a
    digest of the weights before the step, where several processes train together.
    """

    opt: int
    number: int
    losses: tuple[float, ...]
    lr: float
    seconds: float
    recorder_seconds: float
    grads: dict[str, Mark]
    buffers: dict[str, Mark]
    static: dict[str, int]
    random: dict[str, str]
    state: dict[str, str] | None
    rss_kb: int
    compile_seconds: float = 0.0
    weights: str = ""

    @property
    def grad_norm(self) -> float:
        """The global gradient norm of this optimizer's parameters."""
        return float(sum(mark.norm**2 for mark in self.grads.values()) ** 0.5)


@dataclass(frozen=True, slots=True)
class Record:
    """One run. `outcome` is how the process ended, as the runner saw it.

    `turns` and `visits` are those of a run of several sides, `plants` the faults that the recorder
    put in and read, `left` what there was at the run's end, `legs` what followed the last step,
    `truths` how far sides were from float64 at the same weights. `nudged` counts the weights that a
    free run moved.

    Where several processes trained together this is the first one's, `others` are theirs. `limit_s`
    is the time limit in seconds that ended it, 0 where none did; `seconds` passed from the start of
    the record to the last that was written to it.
    """

    outcome: str
    start: dict[str, Any]
    steps: tuple[Step, ...]
    hooks: tuple[dict[str, Any], ...] = ()
    traces: tuple[dict[str, Any], ...] = ()
    breaks: tuple[dict[str, Any], ...] = ()
    inputs: tuple[dict[str, Any], ...] = ()
    params: tuple[dict[str, Any], ...] = ()
    weights: tuple[dict[str, Any], ...] = ()
    left: tuple[dict[str, Any], ...] = ()
    layers: tuple[dict[str, Any], ...] = ()
    end: dict[str, Any] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    visits: tuple[Visit, ...] = ()
    plants: tuple[dict[str, Any], ...] = ()
    legs: tuple[dict[str, Any], ...] = ()
    truths: tuple[dict[str, Any], ...] = ()
    nudged: int = 0
    others: tuple[Record, ...] = ()
    limit_s: float = 0.0
    seconds: float = 0.0

    def of_rank(self, rank: int) -> Record:
        """The record of one of the processes that trained together."""
        return self.others[rank - 1] if rank else self

    def count(self, name: str) -> int:
        """The sum of one static counter over all steps."""
        return sum(step.static.get(name, 0) for step in self.steps)


def _marks(raw: dict[str, list[Any]]) -> dict[str, Mark]:
    return {
        name: Mark(str(kind), str(digest), float(norm), str(sketch))
        for name, (kind, digest, norm, sketch) in raw.items()
    }


def _flat(losses: list[Any]) -> tuple[float, ...]:
    return tuple(
        float(part) for loss in losses for part in (loss if isinstance(loss, list) else [loss])
    )


def _step(raw: dict[str, Any]) -> Step:
    static = dict(raw.get("static", {}))
    compiling = float(static.pop("trace_s", 0.0)) + float(static.pop("first_run_s", 0.0))
    return Step(
        opt=int(raw["opt"]),
        number=int(raw["step"]),
        losses=_flat(raw["losses"]),
        lr=float(raw["lr"]),
        seconds=float(raw["s"]),
        recorder_seconds=float(raw.get("own_s", 0.0)),
        grads=_marks(raw.get("grads", {})),
        buffers=_marks(raw.get("buffers", {})),
        static=static,
        random=dict(raw.get("random", {})),
        state=raw.get("state"),
        rss_kb=int(raw.get("rss_kb", 0)),
        compile_seconds=compiling,
        weights=str(raw.get("weights", "")),
    )


def read_lines(path: Path) -> list[dict[str, Any]]:
    """All whole lines of a record; a last line that was cut off is left out.

    Raises:
        EnvironmentFault: it is no regular file, too large, or not of the recorder's form.
    """
    with given.believed(path):
        return [json.loads(line.decode("utf-8", "replace")) for line in given.lines(path) if line]


def rank_file(path: Path, rank: int) -> Path:
    """Where the recorder writes the record of a rank whose first one has `path`."""
    return path.with_name(f"{path.name}.rank{rank}") if rank else path


def read_ranks(path: Path, ranks: int, outcome: str) -> Record:
    """The records of processes that trained together; who made all steps ended well."""
    first, *others = (read_run_record(rank_file(path, rank), outcome) for rank in range(ranks))
    first, *others = (
        replace(one, outcome="ok") if one.end.get("reason") == "steps" else one
        for one in (first, *others)
    )
    return replace(first, others=tuple(others))


def read_run_record(path: Path, outcome: str) -> Record:
    """The record at `path`; `outcome` is as `outcome_of` of the runner gives it."""
    with given.believed(path):
        record = _record(read_lines(path), outcome)
        began = float(record.start.get("time", 0.0))
        lasted = path.stat().st_mtime - began if began else 0.0
        return replace(record, seconds=lasted if 0 < lasted < _LONGEST_S else 0.0)


def _record(lines: list[dict[str, Any]], outcome: str) -> Record:
    def of(kind: str) -> tuple[dict[str, Any], ...]:
        return tuple(line for line in lines if line.get("t") == kind)

    return Record(
        outcome=outcome,
        start=next(iter(of("start")), {}),
        steps=tuple(_step(line) for line in of("step")),
        hooks=of("hook"),
        traces=of("trace"),
        breaks=of("break"),
        inputs=of("input"),
        params=of("params"),
        weights=of("weights"),
        left=of("left"),
        layers=of("layers"),
        end=next(iter(of("end")), {}),
        turns=tuple(turn_of(line, _flat(line["losses"])) for line in of("pair")),
        visits=tuple(visit_of(line) for line in of("visit")),
        plants=of("plant"),
        legs=of("leg"),
        truths=of("truth"),
        nudged=sum(int(line["parameters"]) for line in of("nudge")),
        faults=tuple(str(line["error"]) for line in of("recorder-error")),
    )
