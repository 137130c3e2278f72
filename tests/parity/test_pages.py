"""Result pages and plots from results made by hand."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from codemod.evidence.results import dynamic_json, mode_json, newest, read_results, write_json
from codemod.judging.judge import Case, judge
from codemod.parity import curves, plots
from codemod.parity.experiment import Judged
from codemod.parity.pages import write_overview, write_result_page
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from pathlib import Path


def result() -> dict[str, Any]:
    """A result with one mode that passes and one that does not."""
    dynamic = record(plain(8))
    faulty = plain(8)
    faulty[2] = step(2, {**gradients(2), "b": gradients(2)["b"] * np.float32(1.5)}, loss=1.25)
    judged = {}
    for mode, steps in (("ast", plain(8)), ("sot", faulty)):
        case = Case(mode, dynamic, record(steps, caught=True), dynamic)
        judged[mode] = Judged(case, judge(case))
    return {
        "kit": "Kit",
        "config": "configs/a<b>.yml",
        "revision": None,
        "device": "cpu",
        "steps": 8,
        "paddle": "2.6.2",
        "modes": {mode: mode_json(item) for mode, item in judged.items()},
        "dynamic": dynamic_json(dynamic, dynamic),
        "command": "codemod parity Kit",
        "gradients": {mode: curves.gradients(item) for mode, item in judged.items()},
        "curves": curves.curves(judged),
        "pictures": [],
        "runs": ["python train.py"],
    }


def test_page_and_plots(tmp_path: Path) -> None:
    content = result()
    content["pictures"] = plots.draw(content, tmp_path / "one.two")
    write_result_page(tmp_path / "one.two.html", content)
    page = (tmp_path / "one.two.html").read_text()
    assert content["pictures"] == ["one.two.svg", "one.two.png"]
    assert all((tmp_path / name).stat().st_size > 1000 for name in content["pictures"])
    assert "a&lt;b&gt;.yml" in page
    assert "<b>" not in page
    assert "loss-differs" in page
    assert content["command"] in page


def test_figures_of_a_mode() -> None:
    content = result()
    good, bad = content["modes"]["ast"], content["modes"]["sot"]
    assert (good["verdict"], good["loss_max_abs"], good["noise_floor"]) == ("pass", 0.0, 0.0)
    assert good["speedup"] == 1.0
    assert (bad["loss_max_abs"], bad["speedup"]) == (0.25, None), "what is wrong has no speed"
    assert content["gradients"]["sot"]["furthest"][0]["name"] == "b"
    assert content["gradients"]["sot"]["equal"] == 3


def test_results_are_read_back_and_joined(tmp_path: Path) -> None:
    write_json(tmp_path / "Kit" / "x.json", result())
    (tmp_path / "Kit" / "broken.json").write_text("{")
    results = read_results(tmp_path)
    write_overview(tmp_path / "index.html", results)
    page = (tmp_path / "index.html").read_text()
    assert len(results) == 1
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
        write_json(path, {**result(), "paddle": paddle, "name": name})
        os.utime(path, (1e9 - age, 1e9 - age))
    kept = newest(read_results(tmp_path))
    assert [content["name"] for _, content in kept] == ["new", "other"]


def test_an_interrupted_result_is_shown_as_such(tmp_path: Path) -> None:
    content = {**result(), "interrupted": True}
    content["modes"]["sot"].update(verdict="not-run", reason="Interrupted: 3 of 8 steps")
    write_overview(tmp_path / "index.html", [(tmp_path / "one.json", content)])
    page = (tmp_path / "index.html").read_text()
    assert 'data-verdicts="pass interrupted "' in page
    write_result_page(tmp_path / "one.html", content)
    assert "Interrupted before all runs were done" in (tmp_path / "one.html").read_text()


def test_the_hazard_is_shown_with_its_place(tmp_path: Path) -> None:
    content = result()
    hazard = {"id": "D-43", "name": "python-random", "remedy": "Draw.", "file": "n.py", "line": 7}
    content["modes"]["sot"]["hazard"] = hazard
    write_result_page(tmp_path / "one.html", content)
    write_overview(tmp_path / "index.html", [(tmp_path / "one.json", content)])
    assert "<code>n.py:7</code>: Draw." in (tmp_path / "one.html").read_text()
    assert "D-43 python-random" in (tmp_path / "index.html").read_text()
