"""From the runs of a mode and their judgement to the figures that a result holds."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path

from codemod.base.reason import Reason, spoken
from codemod.judging import captured, thresholds
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.evidence.result import DynamicResult, ModeResult
from codemod.judging.explain import failed_at, hazard_behind
from codemod.judging.verdict import Judgement
from codemod.training.record import Record

# A result stays small: so many reasons, calls and faults are kept.
_REASONS_KEPT = _CALLS_KEPT = 20
_FAULTS_KEPT = 5


def step_times(record: Record) -> list[float]:
    """Seconds of each step after warm-up, the recorder's own time taken out."""
    return [step.seconds for step in record.steps if step.number >= thresholds.WARMUP_STEPS]


def _median_ms(times: list[float]) -> float | None:
    return 1000 * statistics.median(times) if times else None


def _middle_half_ms(times: list[float]) -> tuple[float, ...] | None:
    """The first and third quartile, between which the middle half of the steps lies."""
    if len(times) < thresholds.TIMED_STEPS:
        return None
    low, _, high = statistics.quantiles(times, n=4)
    return (1000 * low, 1000 * high)


def speedup(dynamic: list[float], static: list[float]) -> tuple[float, ...] | None:
    """Dynamic step by static step: of the medians, the least and the most of the middle halves.

    None from too few steps on either side.
    """
    slow, fast = _middle_half_ms(dynamic), _middle_half_ms(static)
    if slow is None or fast is None or not fast[0]:
        return None
    medians = statistics.median(dynamic) / statistics.median(static)
    return (medians, slow[0] / fast[1], slow[1] / fast[0])


def mode_result(
    runs: Comparison, judgement: Judgement, root: Path | None = None, shared: bool = False
) -> ModeResult:
    """One mode's result.

    `root` is the kit's folder, in which a hazard's place is looked for. With `shared` the runs
    went side by side: there is no speed-up then, as their times depend on each other.
    """
    place = failed_at(runs, judgement, root)
    dynamic, static = runs.dynamic, runs.static
    # As the kit's users know its files, wherever this checkout lies.
    home = f"{root.resolve()}/" if root else ""
    said = tuple(one.each_text(lambda text: text.replace(home, "")) for one in judgement.said)
    advice = Reason.of("judging.deepest-line", place=str(place)) if place else judgement.hint
    told = ModeResult(
        verdict=judgement.verdict,
        reason=spoken(said),
        said=said,
        legs=judgement.legs,
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
        hint=str(advice or ""),
        advice=advice,
        first=judgement.first,
        hazard=hazard_behind(runs, judgement, root),
        recorder_faults=dynamic.faults[:_FAULTS_KEPT],
    )
    # Where the kit failed with the hook off, no static run was made.
    return told if static is dynamic else _with_static(told, runs, shared)


def _with_static(told: ModeResult, runs: Comparison, shared: bool) -> ModeResult:
    """The result with what the static run measured."""
    dynamic, static = runs.dynamic, runs.static
    fast = step_times(static)
    timed = told.verdict.passed and not shared  # a wrong result has no speed
    faster = speedup(step_times(dynamic), fast) if timed else None
    distances = runs.distances
    return replace(
        told,
        steps=len(distances),
        loss_max_abs=max((step.loss_abs for step in distances), default=None),
        loss_max_rel=max((step.loss_rel for step in distances), default=None),
        grad_max_rel=max((step.grad_rel for step in distances), default=None),
        programs=captured.programs(static),
        graph_breaks=captured.graph_breaks(static),
        compile_s=captured.compile_seconds(static),
        step_ms=_median_ms(fast),
        step_ms_range=_middle_half_ms(fast),
        speedup=None if faster is None else faster[0],
        speedup_range=None if faster is None else faster[1:],
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
    times = step_times(record)
    recorder = [step.recorder_seconds for step in record.steps[thresholds.WARMUP_STEPS :]]
    return DynamicResult(
        outcome=record.outcome,
        steps=len(record.steps),
        step_ms=_median_ms(times),
        step_ms_range=_middle_half_ms(times),
        recorder_ms=1000 * statistics.median(recorder) if recorder else None,
        memory_mb=_memory(record),
        repeated=repeat is not None,
        environment={key: record.start.get(key) for key in ("python", "numpy", "system", "env")},
        inputs=record.inputs[:_CALLS_KEPT],
    )
