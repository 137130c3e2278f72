"""From the runs of a mode and their judgement to the figures that a result holds."""

from __future__ import annotations

import statistics
from dataclasses import replace
from typing import TYPE_CHECKING

from codemod.evidence.result import DynamicResult, ModeResult
from codemod.judging import captured, thresholds
from codemod.judging.explain import explain, failed_at

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.judging.judge import Comparison
    from codemod.judging.verdict import Judgement
    from codemod.training.record import Record

# A result stays small: so many reasons, calls and faults are kept.
_REASONS_KEPT = _CALLS_KEPT = 20
_FAULTS_KEPT = 5


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


def mode_result(
    runs: Comparison, judgement: Judgement, root: Path | None = None, shared: bool = False
) -> ModeResult:
    """One mode's result.

    `root` is the kit's folder, in which a hazard's place is looked for. With `shared` the runs
    went side by side: there is no speed-up then, as their times depend on each other.
    """
    place = failed_at(runs, judgement, root)
    dynamic, static = runs.dynamic, runs.static
    slow = step_seconds(dynamic)
    told = ModeResult(
        verdict=judgement.verdict,
        # As the kit's users know its files, wherever this checkout lies.
        reason=judgement.reason.replace(f"{root.resolve()}/", "") if root else judgement.reason,
        steps=0,
        noise_floor=max((step.grad_rel for step in runs.noise), default=None),
        programs=0,
        graph_breaks=0,
        graphs_a_step=0.0,
        operators=0,
        retraces=0,
        late_retraces=0,
        amp=captured.mixed_precision(static),
        rule=judgement.rule,
        hint=f"The deepest line of the kit is {place}." if place else judgement.hint,
        first=judgement.first,
        hazard=explain(runs, judgement, root),
        recorder_faults=dynamic.faults[:_FAULTS_KEPT],
    )
    if static is dynamic:  # the kit failed with the hook off: no static run was made
        return told
    fast = step_seconds(static)
    timed = judgement.verdict.passed and not shared  # a wrong result has no speed
    distances = runs.distances
    return replace(
        told,
        steps=len(distances),
        loss_max_abs=max((step.loss_abs for step in distances), default=None),
        loss_max_rel=max((step.loss_rel for step in distances), default=None),
        grad_max_rel=max((step.grad_rel for step in distances), default=None),
        programs=captured.programs(static),
        graph_breaks=captured.graph_breaks(static),
        compile_s=compile_seconds(dynamic, static),
        step_ms=None if fast is None else 1000 * fast,
        speedup=slow / fast if timed and slow and fast else None,
        graphs_a_step=captured.graphs_a_step(static),
        operators=captured.operators(static),
        retraces=captured.retraces(static),
        late_retraces=captured.late_retraces(static),
        memory_mb=_memory(static),
        hooks=static.hooks,
        break_reasons=tuple(captured.break_reasons(static)[:_REASONS_KEPT]),
        inputs=static.inputs[:_CALLS_KEPT],
        recorder_faults=(*dynamic.faults, *static.faults)[:_FAULTS_KEPT],
    )


def _memory(record: Record) -> float | None:
    """The peak resident memory in MB."""
    return max((step.rss_kb for step in record.steps), default=0) / 1024 or None


def dynamic_result(record: Record, repeat: Record | None) -> DynamicResult:
    """The reference run: how it went, its speed, whether a second one was made."""
    seconds = step_seconds(record)
    recorder = [step.recorder_seconds for step in record.steps[thresholds.WARMUP_STEPS :]]
    return DynamicResult(
        outcome=record.outcome,
        steps=len(record.steps),
        step_ms=None if seconds is None else 1000 * seconds,
        recorder_ms=1000 * statistics.median(recorder) if recorder else None,
        memory_mb=_memory(record),
        repeated=repeat is not None,
        environment={key: record.start.get(key) for key in ("python", "numpy", "system", "env")},
        inputs=record.inputs[:_CALLS_KEPT],
    )
