"""What of a run was really static."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from codemod.base.reason import Reason
from codemod.base.terminal.text import shortened
from codemod.judging import thresholds
from codemod.training.record import Record, Step

# Paddle's reasons for a graph break may hold a whole traceback.
_LONGEST = 120


def of_step(step: Step) -> bool:
    """Whether a traced program or a captured graph ran in this step."""
    return ran_static(step.static)


def ran_static(static: dict[str, int]) -> bool:
    """Whether counters tell of a program or a graph that ran."""
    return static.get("ast_runs", 0) > 0 or static.get("sot_graphs", 0) > 0


def any_step(record: Record) -> bool:
    """Whether any step ran something static."""
    return any(of_step(step) for step in record.steps)


def programs(record: Record) -> int:
    """Programs traced for AST runs, plus distinct graphs that SOT captured."""
    graphs = len([trace for trace in record.traces if trace.get("kind") == "graph"])
    # SOT traces programs of its own to infer shapes; they count only where programs were run.
    traced = record.count("traces") if record.count("ast_runs") else 0
    return traced + graphs


def operators(record: Record) -> int:
    """Operators in all that was captured; programs that could not be counted are left out."""
    kind = "graph" if any(t.get("kind") == "graph" for t in record.traces) else "program"
    counts = (int(trace.get("ops", 0)) for trace in record.traces if trace.get("kind") == kind)
    return sum(ops for ops in counts if ops > 0)


def graphs_a_step(record: Record) -> float:
    """Static programs and graphs run a step, over the last half of the run."""
    return _a_step(record, "ast_runs", "sot_graphs")


def calls_a_step(record: Record) -> float:
    """Calls of hooked layers a step, over the last half of the run."""
    return _a_step(record, "hooked_calls")


def _of_last_half(record: Record, *counters: str) -> tuple[int, int]:
    """The sum of counters over the last half of the run, and its steps."""
    steps = record.steps[len(record.steps) // 2 :]
    return sum(step.static.get(name, 0) for step in steps for name in counters), len(steps)


def _a_step(record: Record, *counters: str) -> float:
    count, steps = _of_last_half(record, *counters)
    return count / steps if steps else 0.0


def break_place(item: dict[str, Any]) -> tuple[str, int] | None:
    """File and line of a graph break, where SOT was translating a known line."""
    place = item.get("place")
    return (str(place[0]), int(place[1])) if place else None


def break_reasons(record: Record) -> list[str]:
    """The distinct reasons for graph breaks and fallbacks with their places, in the order seen."""
    found = []
    for item in record.breaks:
        place = break_place(item)
        where = f" ({place[0]}:{place[1]})" if place else ""
        found.append(f"{item.get('kind')}: {item.get('reason')}{where}")
    return found


def short_reasons(breaks: Iterable[Mapping[str, Any]]) -> list[str]:
    """The first three reasons in the order of their words, each cut where it goes on for long."""
    found = sorted({str(item["reason"]) for item in breaks})
    short = (shortened(text, _LONGEST) for text in found)
    return list(dict.fromkeys(short))[:3]


def graph_breaks(record: Record) -> int:
    """Distinct reasons for breaks, or the extra graphs a step where Paddle gives no reason."""
    extra = round(max(0.0, graphs_a_step(record) - calls_a_step(record)))
    return max(len(record.breaks), extra)


def retraces(record: Record) -> int:
    """Traces and translations after the first: what new shapes and values cost in both modes."""
    sot = record.count("translations")
    return max(0, (sot or record.count("traces")) - 1)


def compile_seconds(record: Record) -> float:
    """Tracing, translating and compiling, in seconds, as the recorder timed them."""
    return sum(step.compile_seconds for step in record.steps)


def mixed_precision(record: Record) -> str | None:
    """Where the kit asked for AMP "real" or "not-real", None where it did not."""
    if not record.count("amp_asked"):
        return None
    return "real" if record.count("amp_real") else "not-real"


def late_retraces(record: Record) -> int:
    """Translations and traces in the last half of the run; a settled run has none."""
    return _of_last_half(record, "translations", "traces")[0]


def partial(mode: str, dynamic: Record, record: Record) -> tuple[Reason, ...]:
    """Why a run is only partly static; empty where it is not."""
    found = []
    caught = sum(of_step(step) for step in record.steps)
    if caught < len(record.steps):
        found.append(Reason.of("judging.some-steps", caught=caught, steps=len(record.steps)))
    graphs, calls = graphs_a_step(record), calls_a_step(record)
    if mode == "sot" and graphs > calls:
        found.append(Reason.of("judging.graphs", graphs=f"{graphs:g}", calls=f"{calls:g}"))
    if mode == "sot" and record.breaks:
        found.append(Reason.of("judging.breaks", count=len(record.breaks)))
    share = operators_inside(dynamic, record)
    if share is not None and share[0] < thresholds.CAPTURED_SHARE * share[1]:
        found.append(Reason.of("judging.operators", inside=share[0], all=share[1]))
    elif share is None and any("forward_ops" in step.static for step in dynamic.steps):
        found.append(Reason.of("judging.operators-unknown"))
    return tuple(found)


def operators_inside(dynamic: Record, static: Record) -> tuple[int, int] | None:
    """Operators that programs ran in a step, and those that the nets' forward has dynamically.

    Of settled steps that ran a program, and in which a hooked layer was called, the one with the
    least tells; both count an operator once a call. None where the recorder could not count them.
    """
    ran = [step for step in static.steps if step.opt == 0 and step.static.get("program_ops")]
    late = [step for step in ran if step.number >= thresholds.SETTLED_STEPS]
    counted = [step.static["program_ops"] for step in late or ran[len(ran) // 2 :]]
    every = max((step.static.get("forward_ops", 0) for step in dynamic.steps), default=0)
    return (min(counted), every) if counted and every else None


def unsettled(record: Record) -> tuple[Reason, ...]:
    """What a run still made anew after its first steps, and where it fell back, by name."""
    late = [step for step in record.steps if step.number >= thresholds.SETTLED_STEPS]
    made = [(step.number, _programs_made(step)) for step in late]
    count = sum(number for _, number in made)
    last = max((step for step, number in made if number), default=0)
    found = [Reason.of("judging.late", count=count, step=last)] if count else []
    fallbacks = [item for item in record.breaks if item.get("kind") == "FallbackError"]
    if fallbacks:
        reasons = short_reasons(fallbacks)
        times = record.count("FallbackError") or len(fallbacks)
        found.append(Reason.of("judging.fallbacks", count=times, reasons="; ".join(reasons)))
    return tuple(found)


def _programs_made(step: Step) -> int:
    return step.static.get("translations", 0) or step.static.get("traces", 0)
