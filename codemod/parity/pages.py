"""HTML pages: one a result, and one over all results."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemod.judging.verdict import PASSES

if TYPE_CHECKING:
    import jinja2

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


def tone(verdict: str) -> str:
    """The style of a verdict: good, bad, or odd for those that say nothing of the hook."""
    if verdict in PASSES:
        return "good"
    return (
        "odd"
        if verdict in ("dynamic-fails", "nondeterministic", "not-run", "interrupted")
        else "bad"
    )


def verdict_of(content: dict[str, Any], fields: dict[str, Any]) -> str:
    """A mode's verdict as the overview shows it: a run that was broken off says so."""
    broken_off = content.get("interrupted") and fields["verdict"] == "not-run"
    return "interrupted" if broken_off else str(fields["verdict"])


def number(value: object) -> str:
    """A figure for a table: three digits, a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def shows(content: dict[str, Any], key: str) -> bool:
    """Whether any run has that figure: rows of dashes tell nothing."""
    columns = (content["dynamic"], *content["modes"].values())
    return any(column.get(key) is not None for column in columns)


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
        shows=shows,
        verdict_of=verdict_of,
        style=markupsafe.Markup(  # noqa: S704 - a file of ours
            (TEMPLATES / "style.css").read_text("utf-8")
        ),
    )
    return made


def write_result_page(path: Path, content: dict[str, Any]) -> None:
    """Write the page of one result beside its pictures."""
    shown = {"environment": content["dynamic"].get("environment"), "runs": content.get("runs")}
    page = _environment().get_template("result.html")
    text = page.render(
        r=content, figures=FIGURES, environment=json.dumps(shown, indent=1, ensure_ascii=False)
    )
    path.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_overview(path: Path, results: list[tuple[Path, dict[str, Any]]]) -> None:
    """Write the page over all results; links lead to the results' own pages."""
    rows = [
        (os.path.relpath(file.with_suffix(".html"), path.parent), content)
        for file, content in results
    ]
    modes = sorted({mode for _, content in results for mode in content["modes"]})
    counts: dict[str, Counter[str]] = {}
    for _, content in results:
        for mode, fields in content["modes"].items():
            counts.setdefault(verdict_of(content, fields), Counter())[mode] += 1
    text = (
        _environment()
        .get_template("overview.html")
        .render(
            results=rows,
            modes=modes,
            kits=sorted({content["kit"] for _, content in results}),
            counts=sorted(counts.items(), key=lambda item: -item[1].total()),
        )
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
