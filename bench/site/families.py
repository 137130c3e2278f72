"""The survey's page, and a page for each family with its runs and their curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.base.reason import spoken
from codemod.judging.evidence.result import RAN
from codemod.judging.verdict import Verdict
from codemod.reports.survey.pages.cell_evidence import FACTS, curve_of
from codemod.reports.survey.pages.document import Document, Survey
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.pages.row_evidence import some
from codemod.reports.survey.pages.view import RowView, row_view
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
    page = Document(survey, site.language, links).render("survey.html", f"../{other}/survey.html")
    site.beside("survey.html").write_text(page, encoding="utf-8")
    listed = []
    for kit in survey.kits:
        views = [row_view(kit, row, words, links) for row in kit.rows]
        for view in views:
            _page(site, kit, view, words)
        listed.append((kit.kit, views))
    site.render("families/index", "families", kits=listed, words=words)


def _page(site: Site, kit: KitSurvey, view: RowView, words: Words) -> None:
    site.render(
        f"families/{view.anchor}",
        "family",
        kit=kit,
        row=view.row,
        view=view,
        models=some(view.row.models, 3),
        link=Links.code(kit.git, kit.revision, view.row.trace.where) if view.row.trace else "",
        words=words,
        modes=MODES,
        figures=FACTS,
        known={verdict.value for verdict in Verdict},
        runs=list(_runs(view.row, words)),
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
