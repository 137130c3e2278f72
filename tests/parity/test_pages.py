"""Result pages and plots from results made by hand."""

from __future__ import annotations

import os
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import yaml

from codemod.experiments.parity import curves, pages, plots
from codemod.experiments.parity.experiment import JudgedMode
from codemod.experiments.parity.pages import write_overview, write_result_page
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.evidence.measured import dynamic_result, mode_result, speedup, step_times
from codemod.judging.evidence.result import FIGURES, ModeResult, ParityPart, Result
from codemod.judging.evidence.result_files import KeptResult, newest, read_results, write_result
from codemod.judging.judge import judge
from codemod.judging.thresholds import WARMUP_STEPS
from codemod.judging.verdict import Explanation, Verdict
from codemod.training.runner import recorder_version
from tests.parity.builders import gradients, mark, plain, record, step

if TYPE_CHECKING:
    from codemod.training.record import Record


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


def test_parameters_without_a_gradient_are_not_counted_as_equal() -> None:
    idle = {"frozen": replace(mark(None), kind="f"), "unreached": mark(None), "extra": mark(None)}
    dynamic = [replace(one, grads={**one.grads, **idle}) for one in plain(4)]
    dynamic[3] = replace(dynamic[3], grads={**dynamic[3].grads, "late": mark(gradients(3)["a"])})
    static = [replace(one, grads={**one.grads, **idle}) for one in plain(3)]
    static[1] = replace(static[1], grads={**static[1].grads, "extra": mark(gradients(1)["b"])})
    case = Comparison("ast", record(dynamic), record(static, caught=True))
    found = curves.gradients(JudgedMode(case, judge(case)))
    # a to d are equal, static mode alone gives `extra` one, and `late` comes after the last step.
    assert (found.compared, found.equal) == (5, 4)


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
    assert pictures == ("one.two.svg", "one.two.png", "one.two-dark.svg", "one.two-dark.png")
    assert 'srcset="one.two-dark.svg"><img src="one.two.svg"' in page
    assert page.count("<img") == 1
    assert all((tmp_path / name).stat().st_size > 1000 for name in pictures)
    assert "a&lt;b&gt;.yml" in page
    assert "<b>" not in page
    assert "loss-differs" in page
    assert "Retraces" in page
    assert "codemod parity Kit" in page


def test_a_page_says_that_curves_need_more_and_that_steps_are_few(tmp_path: Path) -> None:
    few = result()
    for mode in few.modes:
        few = changed(few, mode, steps=8)
    for found, steps in ((few, True), (changed(few, "ast", steps=50), False)):
        write_result_page(tmp_path / "one.html", found)
        page = (tmp_path / "one.html").read_text()
        assert "paddle-codemod[parity]" in page
        assert page.count("<polyline") == 4, "the losses stand there without matplotlib, too"
        assert ("8 steps were made, fewer than the usual 50." in page) == steps
    drawn = replace(few, parity=replace(part_of(few), pictures=("one.svg",)))
    write_result_page(tmp_path / "one.html", drawn)
    assert "paddle-codemod[parity]" not in (tmp_path / "one.html").read_text()


def test_figures_of_a_mode() -> None:
    found = result()
    good, bad = found.modes["ast"], found.modes["sot"]
    assert (good.verdict, good.loss_max_abs, good.noise_floor) == (Verdict.PASS, 0.0, 0.0)
    assert (good.speedup, good.step_ms) == (None, 10.0), "three steps are too few for a speed-up"
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
    rows = {row.split(" ")[0]: row for row in page.split('<tr><td class="verdict ')[1:]}
    assert (
        'pass <small class="same">bit-equal</small></td><td class="n">1</td>' in rows['good">pass']
    )
    other = rows['bad">loss-differs']
    assert '</td><td class="n"></td><td class="n">1</td>' in other
    assert "<option>Kit</option>" in page
    assert 'data-verdicts="pass loss-differs "' in page


def test_own_and_shipped_results_are_told_apart(tmp_path: Path) -> None:
    date = "2026-01-02T03:04:05+00:00"
    mine = replace(result(), date=date, recorder=recorder_version())
    theirs = replace(mine, config="b.yml", recorder="0")
    kept = (
        KeptResult(tmp_path / "one.json", mine, 0.0),
        KeptResult(tmp_path / "Kit.jsonl", theirs, 0.0),
    )
    write_overview(tmp_path / "index.html", kept)
    rows = (tmp_path / "index.html").read_text().split("<tbody>")[1].split("</tr>")
    assert 'data-origin="own"' in rows[0] and "this workspace<small>2026-01-02</small>" in rows[0]
    assert 'data-origin="shipped"' in rows[1] and "<a href" not in rows[1]
    assert "shipped with the tool<small>2026-01-02, by an older recorder</small>" in rows[1]
    chinese = (tmp_path / "index.zh.html").read_text(encoding="utf-8")
    assert "本工作区" in chinese and "随工具提供" in chinese


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
    page = (tmp_path / "index.html").read_text()
    assert '<a href="#D-43">D-43</a>' in page
    assert (
        '<dt id="D-43">D-43 python-random</dt><dd>Draw. <code>codemod explain D-43</code>' in page
    )


def test_a_row_opens_its_details_and_no_word_is_cut(tmp_path: Path) -> None:
    found = replace(result(), revision="a" * 40, config="configs/det_r50.yml")
    found = replace(found, dynamic=replace(found.dynamic, environment={"system": "Linux-6"}))
    write_overview(tmp_path / "index.html", (KeptResult(tmp_path / "Kit.jsonl", found, 0.0),))
    page = (tmp_path / "index.html").read_text()
    assert "configs/<wbr>det_<wbr>r50.<wbr>yml" in page
    assert f"kit&#39;s own trainer · Linux-6 · revision <code>{'a' * 12}</code>" in page
    assert "Largest loss difference, relative: 0. " in page
    assert "makes a page of its own" in page
    write_result(tmp_path / "one.json", found)
    write_overview(tmp_path / "index.html", read_results(tmp_path).results)
    assert "figures alone are kept" not in (tmp_path / "index.html").read_text()


def timed(seconds: list[float]) -> Record:
    """A run whose steps after the warm-up take these times."""
    warm = [replace(one, seconds=9.0) for one in plain(WARMUP_STEPS)]
    after = [step(WARMUP_STEPS + number, {}, seconds=taken) for number, taken in enumerate(seconds)]
    return record([*warm, *after], caught=True)


def test_a_speed_up_needs_steps_and_says_how_far_to_trust_it() -> None:
    slow, fast = timed([0.02, 0.03, 0.04] * 7), timed([0.01, 0.02] * 10)
    times = step_times(slow)
    assert len(times) == 21, "the warm-up is left out"
    found = speedup(times, step_times(fast))
    assert found is not None
    middle, least, most = found
    assert middle == pytest.approx(0.03 / 0.015)
    assert least == pytest.approx(0.02 / 0.02)
    assert most == pytest.approx(0.04 / 0.01)
    assert speedup(times[:19], step_times(fast)) is None


def test_the_range_stands_beside_the_speed_up(tmp_path: Path) -> None:
    found = changed(result(), "ast", speedup=2.0, speedup_range=(1.5, 2.25))
    write_result_page(tmp_path / "one.html", found)
    page = (tmp_path / "one.html").read_text()
    assert '<td class="n">2 (1.5–2.25)</td>' in page
    assert "Speed-up over dynamic" in page
    shared = replace(found, parity=replace(part_of(found), timings="shared"))
    write_result_page(tmp_path / "one.html", shared)
    assert "their times are not a measure" in (tmp_path / "one.html").read_text()


def test_tracing_is_counted_where_it_was_timed() -> None:
    steps = [replace(one, compile_seconds=0.5 if one.number < 2 else 0.0) for one in plain(8)]
    dynamic = record(plain(8))
    comparison = Comparison("ast", dynamic, record(steps, caught=True), dynamic)
    assert mode_result(comparison, judge(comparison)).compile_s == 1.0


def test_the_page_in_chinese(tmp_path: Path) -> None:
    found = result()
    write_result_page(tmp_path / "one.html", found)
    page = (tmp_path / "one.zh.html").read_text(encoding="utf-8")
    assert '<html lang="zh">' in page
    assert '<a href="one.html" lang="en">English</a>' in page
    assert "8 步的 loss、梯度、缓冲区、学习率与所观察的状态全部逐位一致。" in page
    assert "首次出现在第 2 步：loss（数值不同，相对差 2.5e-01）。" in page
    body = re.sub(r"<style>.*?</style>|<pre>.*?</pre>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert not re.search(r"[A-Za-z]+(?: [a-z]+){3,}", body), "an English sentence"
    write_result(tmp_path / "one.json", found)
    write_overview(tmp_path / "index.html", read_results(tmp_path).results)
    joined = (tmp_path / "index.zh.html").read_text(encoding="utf-8")
    assert 'href="one.zh.html"' in joined
    assert "1 个套件的 1 个结果" in joined
    assert "loss 不同" in joined


def test_words_of_both_languages_have_the_same_places() -> None:
    table = yaml.safe_load(Path(pages.__file__).with_name("words.yaml").read_text("utf-8"))
    for group, entries in table.items():
        for key, entry in entries.items():
            names = [set(re.findall(r"{\w+}", text)) for text in entry.values()]
            assert all(found == names[0] for found in names), (group, key)
            assert set(entry) == set(pages.LANGUAGES), (group, key)
    assert set(table["figures"]) <= {one.name for one in fields(ModeResult)}
    assert set(table["figures"]) >= set(FIGURES)


@pytest.mark.parametrize(
    ("part", "lines"),
    [
        (ParityPart(command="codemod parity Kit -c a"), ["# Kit abc", "codemod parity Kit -c a"]),
        (
            ParityPart(
                command="codemod parity Kit -c a --path '/my kit'", changed=("a.py",), hooked=True
            ),
            [
                "# Kit abc",
                "codemod apply Kit --path &#39;/my kit&#39;",
                "codemod parity Kit -c a --path &#39;/my kit&#39;",
            ],
        ),
    ],
)
def test_what_repeats_a_run(tmp_path: Path, part: ParityPart, lines: list[str]) -> None:
    found = replace(result(), revision="abc", parity=part)
    write_result_page(tmp_path / "one.html", found)
    page = (tmp_path / "one.html").read_text()
    assert (
        page.partition("<h2>To repeat</h2>\n<pre>")[2].partition("</pre>")[0].splitlines() == lines
    )
    assert ("revision abc + hooks (1 file changed)" in page) is part.hooked


@pytest.mark.slow
def test_differences_are_drawn_apart_where_there_are_any(tmp_path: Path) -> None:
    plots.draw(result(), tmp_path / "apart")
    drawn = (tmp_path / "apart.svg").read_text()
    equal = replace(
        result(),
        parity=replace(
            part_of(result()),
            curves={
                mode: replace(curve, loss_difference=(0.0,) * 8, grad_difference=(0.0,) * 8)
                for mode, curve in part_of(result()).curves.items()
            },
        ),
    )
    plots.draw(equal, tmp_path / "equal")
    panels = re.compile(r'id="axes_\d+"')
    assert len(panels.findall(drawn)) == 3, "losses, their difference, that of gradients"
    assert len(panels.findall((tmp_path / "equal.svg").read_text())) == 1
    assert "#0d1117" in (tmp_path / "apart-dark.svg").read_text()
    assert "#0d1117" not in drawn


def test_the_words_are_found_by_text() -> None:
    # YAML reads a bare `yes` or `no` as a truth value.
    table = yaml.safe_load(Path(pages.__file__).with_name("words.yaml").read_text("utf-8"))
    assert all(isinstance(key, str) for group in table.values() for key in group)
