"""The table of families: what counts as a run, and what as a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.families import GRADES, counted, families, table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.reports.survey.rows import KitSurvey


def test_a_family_ran_where_it_was_trained_in_dynamic_mode(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    keep("probes", "a", "configs/ann/ann_a.yml")
    keep("results", "b", "configs/ann/ann_b.yml", paddle="3.3.1")
    missing = {mode: {"verdict": "not-run", "reason": "no data"} for mode in ("ast", "sot")}
    failed = {"modes": missing, "dynamic": {"outcome": "fails", "reason": "no data"}}
    keep("probes", "c", "Matting/configs/dim/dim.yml", **failed)
    keep("probes", "d", "EISeg/eiseg/app.py")
    found = list(families({"kits": [surveyed().to_json()]}))
    by_name = {family.name: family for family in found}
    assert by_name["ANN"].ran == {"2.6.2", "3.3.1"}
    assert by_name["ANN"].grade == "parity"
    assert by_name["EISeg"].grade in ("probe", "placeholder")
    assert by_name["DIM"].grade == ""
    assert by_name["DIM"].ran == set()
    assert by_name["DIM"].reasons == {"2.6.2": "no data", "3.3.1": ""}
    assert by_name["EISeg"].ran == {"2.6.2"}
    assert by_name["SegNeXt"].reasons["2.6.2"].startswith("moved README.md:3")
    assert by_name["SegNeXt"].explained
    assert not by_name["DIM"].explained
    counts = counted(found)
    assert (counts["2.6.2"], counts["3.3.1"], counts["both"]) == (2, 1, 1)
    assert counts["kit's trainer"] == 1
    ran = counts["families"] - counts["reason"] - counts["nothing"]
    assert sum(counts[grade] for grade in GRADES.values()) == ran
    assert counts["families"] == 2 + counts["reason"] + counts["nothing"]
    lines = table(found).splitlines()
    assert len({line.count("|") for line in lines}) == 1
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["PaddleSeg", "all"]
