"""HTML pages: one a result, and one over all results."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.evidence.result import ParityPart
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jinja2

    from codemod.evidence.result import DynamicResult, ModeResult, Result
    from codemod.evidence.result_files import KeptResult

TEMPLATES = Path(__file__).parent / "templates"

FIGURES = (
    ("steps", "Steps"),
    ("loss_max_abs", "Loss difference, absolute"),
    ("loss_max_rel", "Loss difference, relative"),
    ("grad_max_rel", "Gradient difference, relative"),
    ("noise_floor", "The same between two dynamic runs"),
    ("programs", "Programs and graphs captured"),
    ("operators", "Operators in them"),
    ("graphs_a_step", "Graphs run a step"),
    ("graph_breaks", "Graph breaks"),
    ("retraces", "Traced again"),
    ("late_retraces", "The same in the second half"),
    ("amp", "Mixed precision"),
    ("compile_s", "Tracing and compiling, s"),
    ("step_ms", "Step, ms"),
    ("speedup", "Speed-up"),
    ("memory_mb", "Peak memory, MB"),
)


# What the overview says of a mode whose run was broken off: not a verdict.
_BROKEN_OFF = "interrupted"


def tone(verdict: str) -> str:
    """The style of a verdict: good, bad, or odd for those that say nothing of the hook."""
    if verdict == _BROKEN_OFF or Verdict(verdict).silent:
        return "odd"
    return "good" if Verdict(verdict).passed else "bad"


def verdict_of(result: Result, mode: ModeResult) -> str:
    """A mode's verdict as the overview shows it: a run that was broken off says so."""
    broken_off = result.interrupted and mode.verdict is Verdict.NOT_RUN
    return _BROKEN_OFF if broken_off else mode.verdict.value


def number(value: object) -> str:
    """A figure for a table: three digits, a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def figure(record: DynamicResult | ModeResult, key: str) -> str:
    """A cell of the table of figures; empty where this kind of run has no such figure."""
    return number(getattr(record, key)) if hasattr(record, key) else ""


def shows(result: Result, key: str) -> bool:
    """Whether any run has that figure: rows of dashes tell nothing."""
    columns = (result.dynamic, *result.modes.values())
    return any(getattr(column, key, None) is not None for column in columns)


def _environment() -> jinja2.Environment:
    import jinja2
    import markupsafe

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
    )
    made.globals.update(
        tone=tone,
        num=number,
        figure=figure,
        shows=shows,
        verdict_of=verdict_of,
        style=markupsafe.Markup(  # noqa: S704 - a file of ours
            (TEMPLATES / "style.css").read_text("utf-8")
        ),
    )
    return made


def write_result_page(path: Path, result: Result) -> None:
    """Write the page of a parity result beside its pictures."""
    part = result.parity or ParityPart()
    shown = {"environment": result.dynamic.environment, "runs": part.runs}
    page = _environment().get_template("result.html")
    text = page.render(
        r=result,
        part=part,
        figures=FIGURES,
        environment=json.dumps(shown, indent=1, ensure_ascii=False),
    )
    path.write_text(text, encoding="utf-8", errors="backslashreplace")


def _address(file: Path, folder: Path) -> str:
    """The page of a result; a run of the base of evidence has none."""
    return os.path.relpath(file.with_suffix(".html"), folder) if file.suffix == ".json" else ""


def write_overview(path: Path, results: Sequence[KeptResult]) -> None:
    """Write the page over all results; links lead to the results' own pages."""
    listed = [kept.result for kept in results]
    rows = [(_address(kept.file, path.parent), kept.result) for kept in results]
    counts: dict[str, Counter[str]] = {}
    for result in listed:
        for mode, fields in result.modes.items():
            counts.setdefault(verdict_of(result, fields), Counter())[mode] += 1
    text = (
        _environment()
        .get_template("overview.html")
        .render(
            results=rows,
            modes=sorted({mode for result in listed for mode in result.modes}),
            kits=sorted({result.kit for result in listed}),
            counts=sorted(counts.items(), key=lambda item: -item[1].total()),
        )
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
