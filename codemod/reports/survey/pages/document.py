"""The survey's documents: Markdown and HTML in Chinese and English, CSV, JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from codemod.base.terminal.templates import templates
from codemod.base.terminal.text import in_markdown
from codemod.reports.survey.cells import cell
from codemod.reports.survey.pages.changes import RowChange
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.pages.needs import Obstacle, needs
from codemod.reports.survey.pages.row_evidence import some, told_of
from codemod.reports.survey.pages.totals import Totals, totals
from codemod.reports.survey.pages.view import RowView, row_view
from codemod.reports.survey.rows import COLUMNS, MODES, PADDLES, KitSurvey, Row, RowState
from codemod.reports.survey.words import Words
from codemod.training.runner import DYNAMIC, STATIC_MODES

if TYPE_CHECKING:
    import jinja2

TEMPLATES = Path(__file__).with_name("templates")
Total = TypeVar("Total")
KitPart = tuple[KitSurvey, list[RowView], Totals]
"""A kit with its rows and its totals."""


@dataclass(frozen=True)
class Survey:
    """All kits; `changes` is None where there is no earlier survey, `last` is its date."""

    kits: tuple[KitSurvey, ...]
    date: str
    changes: tuple[RowChange, ...] | None = None
    last: str = ""

    @cached_property
    def totals(self) -> tuple[Totals, ...]:
        """Those of each kit, then those of all."""
        return (*(totals(kit.rows) for kit in self.kits), totals(self._rows))

    @cached_property
    def families(self) -> tuple[FamilyTotals, ...]:
        """As `totals`, by the families of the plan."""
        return (*(by_family(kit.rows) for kit in self.kits), by_family(self._rows))

    @property
    def _rows(self) -> list[Row]:
        return [row for kit in self.kits for row in kit.rows]


@dataclass(frozen=True)
class Document:
    """A survey in one language, for one folder; what Markdown and HTML share is made once."""

    survey: Survey
    language: str
    links: Links

    @cached_property
    def _words(self) -> Words:
        return Words(self.language)

    @cached_property
    def _kits(self) -> list[KitPart]:
        """Each kit with its rows and its totals."""
        return [
            (kit, [row_view(kit, row, self._words, self.links) for row in kit.rows], its)
            for kit, its in zip(self.survey.kits, self.survey.totals, strict=False)
        ]

    @cached_property
    def _needs(self) -> list[Obstacle]:
        return needs(self.survey.kits, self._words)

    def render(self, template: str, other: str = "", pages: Mapping[str, str] | None = None) -> str:
        """The text by `survey.md` or `survey.html`.

        `other` is the address of the same document in the other language, if there is one; `pages`
        are those of kits that have a page of their own, by kit: then their tables are left out.
        """
        return self._text(template, self._kits, other=other, pages=pages or {})

    def render_kit(self, kit: str, whole: str) -> str:
        """The page of one kit by `kit_page.md`; `whole` is the address of that of all kits."""
        return self._text(
            "kit_page.md", [one for one in self._kits if one[0].kit == kit], whole=whole
        )

    def _text(self, template: str, kits: list[KitPart], **more: Any) -> str:
        survey, words = self.survey, self._words
        signs = words.known("symbols")
        return (
            _environment(template.endswith(".md"))
            .get_template(template)
            .render(
                w=words,
                language=self.language,
                date=survey.date,
                kits=kits,
                needs=self._needs,
                where=lambda need: told_of(need.where, words),
                links=self.links,
                families=_named(survey, survey.families, words),
                paddles=PADDLES,
                totals=_named(survey, survey.totals, words),
                columns=COLUMNS,
                modes=MODES,
                legend=[(key, words.sign(key)) for key in signs],
                order={"none": "z", **{key: chr(ord("a") + at) for at, key in enumerate(signs)}},
                changes=survey.changes,
                last=survey.last,
                **more,
            )
        )


@cache
def _environment(markdown: bool) -> jinja2.Environment:
    import markupsafe

    def link(text: str, href: str) -> str:
        if markdown:
            label = in_markdown(text)
            return f"[{label}]({in_markdown(href)})" if href else label
        if href:
            return markupsafe.Markup('<a href="{}">{}</a>').format(href, text)
        return markupsafe.escape(text)

    def own(name: str) -> str:
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        return markupsafe.Markup(text)  # noqa: S704 - a file of ours

    made = templates("codemod.reports.survey.pages")
    made.filters["cell"] = lambda text: in_markdown(str(text))
    made.globals.update(link=link, some=some, style=own("style.css"), script=own("table.js"))
    return made


def _named(survey: Survey, found: tuple[Total, ...], words: Words) -> list[tuple[str, Total]]:
    """Each kit's totals by its name, and those of all where there are several."""
    names = [*(kit.kit for kit in survey.kits), words("document", "all")]
    return list(zip(names, found, strict=True))[: None if len(survey.kits) > 1 else 1]


def summary(survey: Survey) -> list[tuple[str, ...]]:
    """The totals as lines of text, headings first, for a console of 80 columns."""
    words = Words("en")
    equal = (f"= {paddle}" for paddle in PADDLES)
    lines = [("kit", "families", "run", *equal, "configs", "hooked")]
    families, counted = _named(survey, survey.families, words), _named(survey, survey.totals, words)
    for (name, of), (_, t) in zip(families, counted, strict=True):
        counts = (of.families, of.ran, *of.equal.values(), t.units)
        lines.append((name, *map(str, counts), f"{t.hooked} → {t.after}"))
    return lines


SUMMARY_LEGEND = (
    "families: those of the plan; run: trained in dynamic mode, by probe or parity;",
    "=: a static mode trains each of its configs that was run as dynamic mode does;",
    "hooked: configs and scripts that reach a hook, before → after apply.",
)
"""What the columns of `summary` count, in lines that fit a console."""


def to_json(survey: Survey, version: str) -> dict[str, Any]:
    """The survey as one JSON object."""
    from codemod.reports.survey.pages.changes import SCHEMA

    return {
        "version": 1,
        "schema": SCHEMA,
        "codemod": version,
        "date": survey.date,
        "paddle": list(PADDLES),
        "totals": survey.totals[-1].to_json(),
        "needs": [asdict(need) for need in needs(survey.kits, Words("en"))],
        "kits": [
            {**kit.to_json(), "totals": its.to_json()}
            for kit, its in zip(survey.kits, survey.totals, strict=False)
        ],
        "since": survey.last or None,
        "changes": None if survey.changes is None else [asdict(c) for c in survey.changes],
    }


@dataclass(frozen=True, slots=True)
class FamilyTotals:
    """The plan's families: how many `ran` in dynamic mode on any Paddle, and what came of them.

    `equal` counts, by Paddle, those of which a static mode trains every config that was run as
    dynamic training does. `signs` counts the legend's entries by mode and Paddle, of the families
    that this revision still has.
    """

    families: int
    ran: int
    equal: dict[str, int]
    signs: dict[tuple[str, str], Counter[str]]


def by_family(rows: Iterable[Row]) -> FamilyTotals:
    """The totals of the plan's families among some rows."""
    listed = [row for row in rows if row.plan]
    there = [row for row in listed if row.state is RowState.TRAINS or row.code]
    return FamilyTotals(
        len(listed),
        sum(any(_is(row, DYNAMIC, paddle, "yes", "some") for paddle in PADDLES) for row in there),
        {
            paddle: sum(
                any(_is(row, mode, paddle, "yes") for mode in STATIC_MODES) for row in there
            )
            for paddle in PADDLES
        },
        {column: Counter(cell(row, *column).sign for row in there) for column in COLUMNS},
    )


def _is(row: Row, mode: str, paddle: str, *signs: str) -> bool:
    return cell(row, mode, paddle).sign in signs
