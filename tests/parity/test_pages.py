"""Result pages and plots from results made by hand."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from codemod.evidence.measured import dynamic_result, mode_result
from codemod.evidence.result import ParityPart, Result
from codemod.evidence.result_files import KeptResult, newest, read_results, write_result
from codemod.judging.judge import Comparison, judge
from codemod.judging.verdict import Explanation, Verdict
from codemod.parity import curves, plots
from codemod.parity.experiment import JudgedMode
from codemod.parity.pages import write_overview, write_result_page
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from pathlib import Path


def result() -> Result:
    """A result with one mode that passes and one that does not."""
    dynamic = record(plain(8))
    faulty = plain(8)
    faulty[2] = step(2, {**gradients(2), "b": gradients(2)["b"] * np.float32(1.5)}, loss=1.25)
    judged = {}
    for mode, steps in (("ast", plain(8)), ("sot", faulty)):
        comparison = Comparison(mode, dynamic, record(steps, caught=True), dynamic)
        judged[mode] = JudgedMode(comparison, judge(comparison))
    return Result(
        kit="Kit",
        config="configs/a<b>.yml",
        device="cpu",
        paddle="2.6.2",
        modes={mode: mode_result(item.comparison, item.judgement) for mode, item in judged.items()},
        dynamic=dynamic_result(dynamic, dynamic),
        parity=ParityPart(
            steps=8,
            command="codemod parity Kit",
            gradients={mode: curves.gradients(item) for mode, item in judged.items()},
            curves=curves.curves(judged),
            runs=("python train.py",),
        ),
    )


def part_of(found: Result) -> ParityPart:
    assert found.parity is not None
    return found.parity


def changed(found: Result, mode: str, **fields: Any) -> Result:
    """The result with other fields of one mode."""
    return replace(found, modes={**found.modes, mode: replace(found.modes[mode], **fields)})


def test_page_and_plots(tmp_path: Path) -> None:
    found = result()
    pictures = plots.draw(found, tmp_path / "one.two")
    found = replace(found, parity=replace(part_of(found), pictures=pictures))
    write_result_page(tmp_path / "one.two.html", found)
    page = (tmp_path / "one.two.html").read_text()
    assert pictures == ("one.two.svg", "one.two.png")
    assert all((tmp_path / name).stat().st_size > 1000 for name in pictures)
    assert "a&lt;b&gt;.yml" in page
    assert "<b>" not in page
    assert "loss-differs" in page
    assert "codemod parity Kit" in page


def test_figures_of_a_mode() -> None:
    found = result()
    good, bad = found.modes["ast"], found.modes["sot"]
    assert (good.verdict, good.loss_max_abs, good.noise_floor) == (Verdict.PASS, 0.0, 0.0)
    assert good.speedup == 1.0
    assert (bad.loss_max_abs, bad.speedup) == (0.25, None), "what is wrong has no speed"
    told = part_of(found).gradients["sot"]
    assert told.furthest[0].name == "b"
    assert told.equal == 3


def test_results_are_read_back_and_joined(tmp_path: Path) -> None:
    write_result(tmp_path / "Kit" / "x.json", result())
    kept = read_results(tmp_path)
    write_overview(tmp_path / "index.html", kept.results)
    page = (tmp_path / "index.html").read_text()
    assert [one.result for one in kept.results] == [result()]
    assert 'href="Kit/x.html"' in page
    assert "1 result of 1 kit," in page
    assert '<td class="verdict good">pass</td><td class="n">1</td><td class="n"></td>' in page
    assert (
        '<td class="verdict bad">loss-differs</td><td class="n"></td><td class="n">1</td>' in page
    )
    assert "<option>Kit</option>" in page
    assert 'data-verdicts="pass loss-differs "' in page


def test_only_the_latest_result_of_a_config_is_joined(tmp_path: Path) -> None:
    for age, (name, paddle) in enumerate((("new", "2.6.2"), ("old", "2.6.2"), ("other", "3.3.1"))):
        path = tmp_path / "Kit" / f"{name}.json"
        write_result(path, replace(result(), paddle=paddle))
        os.utime(path, (1e9 - age, 1e9 - age))
    kept = newest(read_results(tmp_path).results)
    assert [one.file.stem for one in kept] == ["new", "other"]


def test_the_date_in_a_result_goes_before_that_of_its_file(tmp_path: Path) -> None:
    for name, date, mtime in (
        ("copied", "2026-01-01T00:00:00+00:00", 2e9),
        ("new", "2026-02-01T00:00:00+00:00", 1e9),
    ):
        path = tmp_path / "Kit" / f"{name}.json"
        write_result(path, replace(result(), date=date))
        os.utime(path, (mtime, mtime))
    assert [one.file.stem for one in newest(read_results(tmp_path).results)] == ["new"]


def test_an_interrupted_result_is_shown_as_such(tmp_path: Path) -> None:
    found = changed(result(), "sot", verdict=Verdict.NOT_RUN, reason="Interrupted: 3 of 8 steps")
    found = replace(found, parity=replace(part_of(found), interrupted=True))
    write_overview(tmp_path / "index.html", (KeptResult(tmp_path / "one.json", found, 0.0),))
    page = (tmp_path / "index.html").read_text()
    assert 'data-verdicts="pass interrupted "' in page
    write_result_page(tmp_path / "one.html", found)
    assert "Interrupted before all runs were done" in (tmp_path / "one.html").read_text()


def test_the_hazard_is_shown_with_its_place(tmp_path: Path) -> None:
    hazard = Explanation("D-43", "python-random", "Draw.", "n.py", 7)
    found = changed(result(), "sot", hazard=hazard)
    write_result_page(tmp_path / "one.html", found)
    write_overview(tmp_path / "index.html", (KeptResult(tmp_path / "one.json", found, 0.0),))
    assert "<code>n.py:7</code>: Draw." in (tmp_path / "one.html").read_text()
    assert "D-43 python-random" in (tmp_path / "index.html").read_text()
