"""Results: what a parity run found, as one JSON file in the workspace."""

from __future__ import annotations

import hashlib
import json
import math
import os
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codemod.judging import captured, thresholds
from codemod.judging.explain import explain, failed_at
from codemod.training.launch import slug

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.parity.experiment import Judged
    from codemod.training.record import Record


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes two runs the same run: a repeated one is skipped unless asked for.

    `options` holds the user's options, steps and seed.
    """

    kit: str
    revision: str | None
    config: str
    device: str
    paddle: str
    hook: str
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The result's file name without ending."""
        text = json.dumps([self.revision, self.device, self.paddle, self.hook, self.options])
        return f"{slug(self.config)}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def step_seconds(record: Record) -> float | None:
    """The median time of a step in seconds after warm-up, the recorder's own time taken out."""
    times = [step.seconds for step in record.steps if step.number >= thresholds.WARMUP_STEPS]
    return statistics.median(times) if times else None


def compile_seconds(dynamic: Record, static: Record) -> float | None:
    """How much longer the first steps took than in dynamic training: tracing and compiling."""
    late_dynamic, late_static = step_seconds(dynamic), step_seconds(static)
    if late_dynamic is None or late_static is None:
        return None

    def excess(record: Record, usual: float) -> float:
        first = [s.seconds for s in record.steps if s.number < thresholds.WARMUP_STEPS]
        return sum(first) - usual * len(first)

    return max(0.0, excess(static, late_static) - excess(dynamic, late_dynamic))


def _finite(value: float | None) -> float | str | None:
    """JSON has no infinity: it is written as text."""
    if value is None or math.isfinite(value):
        return value
    return "inf" if value > 0 else "-inf"


def mode_json(judged: Judged, root: Path | None = None, shared: bool = False) -> dict[str, Any]:
    """One mode as `parity --json` prints it; the extra keys are evidence.

    `loss_max_*` and `grad_max_rel` are over all steps that both runs made, gradients scaled by the
    global norm; `noise_floor` is the same figure of two dynamic runs. `root` is the kit's folder,
    in which a hazard's place is looked for. With `shared` the runs went side by side: there is no
    speed-up then, for their times depend on each other.
    """
    case, verdict = judged.case, judged.verdict
    hazard = explain(case, verdict, root)
    place = failed_at(case, verdict, root)
    ran = case.static is not case.dynamic
    distances = case.distances if ran else ()
    slow, fast = step_seconds(case.dynamic), step_seconds(case.static) if ran else None
    passed = verdict.passed and slow is not None and fast is not None and fast > 0
    compiled = compile_seconds(case.dynamic, case.static) if ran else None
    return {
        "verdict": verdict.verdict,
        "steps": len(distances),
        "loss_max_abs": _finite(max((step.loss_abs for step in distances), default=None)),
        "loss_max_rel": _finite(max((step.loss_rel for step in distances), default=None)),
        "grad_max_rel": _finite(max((step.grad_rel for step in distances), default=None)),
        "noise_floor": _finite(max((step.grad_rel for step in case.noise), default=None)),
        "programs": captured.programs(case.static) if ran else 0,
        "graph_breaks": captured.graph_breaks(case.static) if ran else 0,
        "compile_s": compiled,
        "step_ms": None if fast is None else 1000 * fast,
        # A wrong result has no speed.
        "speedup": slow / fast if passed and not shared and slow and fast else None,
        # As the kit's users know its files, wherever this checkout lies.
        "reason": verdict.reason.replace(f"{root.resolve()}/", "") if root else verdict.reason,
        "rule": verdict.rule,
        "hint": f"The deepest line of the kit is {place}." if place else verdict.hint,
        "first": None if verdict.first is None else _first(verdict.first.to_json()),
        "hazard": None if hazard is None else hazard.to_json(),
        "hooks": list(case.static.hooks) if ran else [],
        "operators": captured.operators(case.static) if ran else 0,
        "graphs_a_step": captured.graphs_a_step(case.static) if ran else 0.0,
        "retraces": captured.retraces(case.static) if ran else 0,
        "amp": captured.mixed_precision(case.static if ran else case.dynamic),
        "late_retraces": captured.late_retraces(case.static) if ran else 0,
        "break_reasons": captured.break_reasons(case.static)[:20] if ran else [],
        "inputs": list(case.static.inputs)[:20] if ran else [],
        "memory_mb": _memory(case.static) if ran else None,
        "recorder_faults": [*case.dynamic.faults, *(case.static.faults if ran else ())][:5],
    }


def _first(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "relative": _finite(fields["relative"])}


def _memory(record: Record) -> float | None:
    """The peak resident memory in MB."""
    return max((step.rss_kb for step in record.steps), default=0) / 1024 or None


def dynamic_json(record: Record, repeat: Record | None) -> dict[str, Any]:
    """The reference run: how it went, its speed, whether a second one was equal."""
    seconds = step_seconds(record)
    recorder = [step.recorder_seconds for step in record.steps[thresholds.WARMUP_STEPS :]]
    return {
        "outcome": record.outcome,
        "steps": len(record.steps),
        "step_ms": None if seconds is None else 1000 * seconds,
        "recorder_ms": 1000 * statistics.median(recorder) if recorder else None,
        "memory_mb": _memory(record),
        "repeated": repeat is not None,
        "environment": {key: record.start.get(key) for key in ("python", "numpy", "system", "env")},
        "inputs": list(record.inputs)[:20],
    }


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a result whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    beside.write_text(
        json.dumps(content, indent=1, ensure_ascii=False),
        encoding="utf-8",
        errors="backslashreplace",
    )
    beside.replace(path)


def read_results(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """All readable results under `folder`, by kit and config."""
    found = []
    for path in sorted(folder.rglob("*.json")):
        content = _read(path)
        if content is not None:
            found.append((path, content))
    return sorted(found, key=lambda item: (item[1]["kit"], item[1]["config"], item[1]["paddle"]))


def newest(results: list[tuple[Path, dict[str, Any]]]) -> list[tuple[Path, dict[str, Any]]]:
    """The latest result of each kit, config, Paddle, device and options, in the same order.

    A hook, a recipe or a kit that changed leaves the results of before beside those of now.
    """
    latest: dict[tuple[object, ...], Path] = {}
    for path, content in sorted(results, key=lambda item: item[0].stat().st_mtime):
        latest[_key(content)] = path
    return [item for item in results if latest[_key(item[1])] == item[0]]


def _key(content: dict[str, Any]) -> tuple[object, ...]:
    names = ("kit", "config", "paddle", "device", "steps")
    return (*(content.get(name) for name in names), *content.get("options", ()))


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    wanted = {"kit", "config", "paddle", "modes"}
    return content if isinstance(content, dict) and wanted <= content.keys() else None
