"""Which families pass in no static mode: of what was run, and parity before a probe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.failing_families import family_runs, table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.reports.survey.rows import KitSurvey

BAD = {"ast": {"verdict": "fails", "reason": ""}, "sot": {"verdict": "gradient-differs"}}
BAD_VALUES = ("fails", "gradient-differs")


def test_a_family_fails_where_a_config_of_it_passes_in_no_mode(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    keep("probes", "a", "configs/ann/ann_a.yml", modes=BAD)
    half = {"ast": {"verdict": "fails", "reason": ""}, "sot": {"verdict": "pass"}}
    keep("probes", "b", "configs/ann/ann_a.yml", paddle="3.3.1", modes=half)
    silent = {mode: {"verdict": "not-run", "reason": "too slow"} for mode in ("ast", "sot")}
    keep("probes", "c", "Matting/configs/dim/dim.yml", modes=silent)
    runs = list(family_runs({"kits": [surveyed().to_json()]}))
    assert {(one.family, one.paddle, one.told, one.whole) for one in runs} == {
        ("ANN", "2.6.2", True, False),
        ("ANN", "3.3.1", True, False),
        ("DIM", "2.6.2", False, True),
    }
    lines = table(runs).splitlines()
    assert lines[2:4] == ["| 2.6.2 | 1 | 1 | 1 | 1 |", "| 3.3.1 | 1 | 1 | 0 | 0 |"]
    (line,) = lines[7:]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[1:] == ["`configs/ann/ann_a.yml`", "2.6.2", *BAD_VALUES, "not reduced yet"]


def test_what_parity_found_counts_before_a_probe(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    keep("probes", "a", "configs/ann/ann_a.yml", modes=BAD)
    keep("results", "b", "configs/ann/ann_a.yml")
    (one,) = family_runs({"kits": [surveyed().to_json()]})
    assert {verdict.value for verdict in one.before.values()} == {"pass"}
