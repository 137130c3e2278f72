"""The survey's page, and a page for each family with its runs and their curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.base.reason import spoken
from codemod.judging.evidence.result import RAN
from codemod.judging.verdict import Verdict
from codemod.reports.survey.pages.cell_evidence import FACTS, curve_of
from codemod.reports.survey.pages.document import Survey, render
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.pages.view import RowView, kit_view
from codemod.reports.survey.rows import MODES
from codemod.reports.survey.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.site.pages import Site
    from codemod.reports.survey.rows import ConfigVerdict, KitSurvey, Row


@dataclass(frozen=True, slots=True)
class Run:
    """One mode of one run, as the page's table has it; `curve` stands below the table."""

    config: str
    where: str
    verdict: str
    words: str
    source: str
    figures: tuple[str, ...]
    reason: str
    curve: str


def write(site: Site, survey: Survey) -> None:
    """Write the survey's page, the page of each family, and the list of these."""
    words = Words(site.language)
    links = Links(site.folder, site.folder, site.folder, site=True)
    other = "zh" if site.language == "en" else "en"
    page = render(survey, "survey.html", site.language, links, f"../{other}/survey.html")
    site.beside("survey.html").write_text(page, encoding="utf-8")
    for kit in survey.kits:
        for row, view in zip(kit.rows, kit_view(kit, words, links).rows, strict=True):
            _page(site, kit, row, view, words)
    listed = [(kit.kit, kit_view(kit, words, links).rows) for kit in survey.kits]
    site.render("families/index", "families", kits=listed)


def _page(site: Site, kit: KitSurvey, row: Row, view: RowView, words: Words) -> None:
    site.render(
        f"families/{view.anchor}",
        "family",
        kit=kit,
        row=row,
        view=view,
        words=words,
        modes=MODES,
        figures=FACTS,
        known={verdict.value for verdict in Verdict},
        runs=list(_runs(row, words)),
    )


def _runs(row: Row, words: Words) -> Iterator[Run]:
    for path in row.paths:
        for one in row.verdicts.get(path, ()):
            if one.source in RAN:
                yield _run(path, one, words)


def _run(path: str, one: ConfigVerdict, words: Words) -> Run:
    return Run(
        path,
        f"{words('columns', one.mode)} {one.paddle}",
        one.verdict.value,
        words("verdicts", one.verdict),
        words("sources", one.source),
        tuple(_figure(one.figures.get(key)) for key in FACTS),
        spoken(one.sentences, words.spoken).partition("\n")[0],
        curve_of(path, one, words),
    )


def _figure(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.2g}" if isinstance(value, float) else str(value)
