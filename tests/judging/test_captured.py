"""What of a run was static, from the counters of its steps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.judging import captured
from tests.parity.builders import record, step

if TYPE_CHECKING:
    from codemod.training.record import Record


def ran(*static: dict[str, int], **fields: Any) -> Record:
    """A run of steps with these counters."""
    return record([step(number, {}, static=one) for number, one in enumerate(static)], **fields)


def test_a_step_is_static_by_a_program_or_a_graph() -> None:
    counters: list[dict[str, int]] = [{"ast_runs": 1}, {"sot_graphs": 1}, {"hooked_calls": 3}, {}]
    assert [captured.of_step(one) for one in ran(*counters).steps] == [True, True, False, False]
    assert captured.any_step(ran({}, {"sot_graphs": 2}))
    assert not captured.any_step(ran({}, {"hooked_calls": 2, "traces": 1}))


def traced(kind: str, ops: int | None = None) -> dict[str, Any]:
    return {"t": "trace", "kind": kind} if ops is None else {"t": "trace", "kind": kind, "ops": ops}


def test_programs_are_traces_that_ran_and_graphs() -> None:
    traces = (traced("program", 4), traced("graph", 3), traced("graph", 2))
    assert captured.programs(ran({"traces": 2, "ast_runs": 1}, {"traces": 1})) == 3
    # What SOT traces to infer shapes is never run as a program.
    assert captured.programs(ran({"traces": 5, "sot_graphs": 2}, traces=traces)) == 2
    assert captured.programs(ran({"traces": 1, "ast_runs": 1}, traces=traces)) == 3
    assert captured.operators(ran({}, traces=traces)) == 5, "of graphs, where there are any"
    programs = (traced("program", 4), traced("program", -1), traced("program", 3))
    assert captured.operators(ran({}, traces=programs)) == 7, (
        "what could not be counted is left out"
    )
    assert captured.operators(ran({}, traces=(traced("program"),))) == 0
    assert captured.operators(ran({}, traces=(traced("program", 1),))) == 1


def test_averages_are_over_the_last_half() -> None:
    late = ran(
        {"ast_runs": 9, "sot_graphs": 9, "hooked_calls": 9, "traces": 9, "translations": 9},
        {"ast_runs": 9, "sot_graphs": 9, "hooked_calls": 9, "traces": 9, "translations": 9},
        {"ast_runs": 1, "sot_graphs": 2, "hooked_calls": 2, "traces": 1},
        {"sot_graphs": 2, "hooked_calls": 1, "translations": 2},
    )
    assert captured.graphs_a_step(late) == 2.5
    assert captured.calls_a_step(late) == 1.5
    assert captured.late_retraces(late) == 3
    # Of three steps the last two.
    assert captured.graphs_a_step(ran({"ast_runs": 9}, {"ast_runs": 3}, {})) == 1.5
    assert captured.calls_a_step(ran({"hooked_calls": 9}, {"hooked_calls": 3}, {})) == 1.5
    assert captured.late_retraces(ran({"traces": 9}, {"traces": 3}, {})) == 3
    assert captured.graphs_a_step(ran()) == captured.calls_a_step(ran()) == 0.0


def test_breaks_with_their_places_in_the_order_seen() -> None:
    breaks = (
        {"kind": "BreakGraphError", "reason": "print", "place": ["net.py", 7]},
        {"kind": "FallbackError", "reason": "yield", "place": []},
        {"kind": "FallbackError", "reason": "with"},
    )
    run = ran({"sot_graphs": 1}, breaks=breaks)
    assert captured.break_reasons(run) == [
        "BreakGraphError: print (net.py:7)",
        "FallbackError: yield",
        "FallbackError: with",
    ]
    assert [captured.break_place(one) for one in breaks] == [("net.py", 7), None, None]


@pytest.mark.parametrize(
    ("graphs", "calls", "reasons", "expected"),
    [(3, 1, 0, 2), (3, 1, 5, 5), (1, 1, 0, 0), (0, 2, 0, 0), (1, 1, 1, 1)],
)
def test_graph_breaks_are_reasons_or_extra_graphs(
    graphs: int, calls: int, reasons: int, expected: int
) -> None:
    breaks = tuple({"kind": "BreakGraphError", "reason": str(n)} for n in range(reasons))
    run = ran({"sot_graphs": graphs, "hooked_calls": calls}, breaks=breaks)
    assert captured.graph_breaks(run) == expected


def test_retraces_are_what_came_after_the_first() -> None:
    assert captured.retraces(ran({"traces": 1}, {"traces": 2})) == 2
    assert captured.retraces(ran({"traces": 7, "translations": 1}, {"translations": 3})) == 3
    assert captured.retraces(ran({"traces": 1})) == captured.retraces(ran({})) == 0


def test_mixed_precision_is_real_where_it_took_effect() -> None:
    assert captured.mixed_precision(ran({})) is None
    assert captured.mixed_precision(ran({"amp_asked": 1})) == "not-real"
    assert captured.mixed_precision(ran({"amp_asked": 1}, {"amp_real": 1})) == "real"


def words(run: Record, mode: str, dynamic: Record | None = None) -> str:
    return ", ".join(map(str, captured.partial(mode, dynamic or ran({}), run)))


def test_partial_in_words() -> None:
    whole = {"ast_runs": 1, "hooked_calls": 1}
    graph = {"sot_graphs": 1, "hooked_calls": 1}
    broken = {"sot_graphs": 3, "hooked_calls": 1}
    one = ({"kind": "BreakGraphError", "reason": "print"},)
    assert words(ran(whole, whole), "ast") == ""
    assert words(ran(graph, graph), "sot") == ""
    assert words(ran(whole, {}), "ast") == "only 1 of 2 steps ran a static graph"
    assert words(ran(broken), "sot") == "3 graphs a step for 1 call of the hooked layers"
    assert words(ran(broken, breaks=one), "ast") == "", "AST has no breaks"
    assert words(ran(graph, breaks=one), "sot") == "1 distinct graph break"
    assert words(ran({}, broken, breaks=one * 2), "sot") == (
        "only 1 of 2 steps ran a static graph, "
        "3 graphs a step for 1 call of the hooked layers, 2 distinct graph breaks"
    )


def test_a_program_that_holds_a_small_part_of_the_forward_is_partial() -> None:
    dynamic = ran({"forward_ops": 236})
    small = ran({"ast_runs": 1, "hooked_calls": 1, "program_ops": 13})
    told = "13 of 236 operators of the nets' forward ran inside programs"
    assert words(small, "ast", dynamic) == told
    fused = ran({"ast_runs": 1, "hooked_calls": 1, "program_ops": 220})
    assert words(fused, "ast", dynamic) == ""
    assert words(small, "ast") == "", "what nobody asked for says nothing"


def test_a_share_that_could_not_be_counted_is_told() -> None:
    whole = ran({"ast_runs": 1, "hooked_calls": 1, "program_ops": 13})
    told = "how much of the nets' forward ran inside programs could not be counted"
    assert words(whole, "ast", ran({"forward_ops": 0})) == told
    assert words(ran({"ast_runs": 1}), "ast", ran({"forward_ops": 9})) == told


def test_the_settled_step_with_the_least_inside_tells() -> None:
    dynamic, whole, part = ran({"forward_ops": 40}), {"program_ops": 40}, {"program_ops": 4}
    assert captured.operators_inside(dynamic, ran(whole, part, part, part)) == (4, 40)
    # The first steps trace, and make other programs.
    assert captured.operators_inside(dynamic, ran(part, part, whole, whole)) == (40, 40)
    late = [part] * 5 + [whole] * 20
    assert captured.operators_inside(dynamic, ran(*late)) == (40, 40)
    assert captured.operators_inside(dynamic, ran(*late, part, {})) == (4, 40)
    # Steps of other optimizers run other nets.
    other = replace(ran(part).steps[0], opt=1, number=8)
    both = replace(ran(*late), steps=(*ran(*late).steps, other))
    assert captured.operators_inside(dynamic, both) == (40, 40)
    assert captured.operators_inside(dynamic, ran({}, {})) is None


def test_what_is_made_late_and_what_falls_back_is_named() -> None:
    settled = [{"ast_runs": 1, "traces": 1}, *({"ast_runs": 1} for _ in range(9))]
    assert captured.unsettled(ran(*settled)) == ()
    settled[7] = {"ast_runs": 1, "traces": 2}
    fallback = ({"kind": "FallbackError", "reason": "SETUP_WITH is not supported"},)
    late, fell = map(str, captured.unsettled(ran(*settled, breaks=fallback)))
    assert late == "New programs were made after the first steps: 2, the last at step 7."
    assert fell == "Fallbacks to dynamic code: 1 (SETUP_WITH is not supported)."


def test_a_long_reason_of_a_break_is_seen_to_be_cut() -> None:
    breaks = [{"reason": "x" * 200}, {"reason": "x" * 199}, {"reason": "short"}]
    assert captured.short_reasons(breaks) == ["short", "x" * 118 + " …"]
