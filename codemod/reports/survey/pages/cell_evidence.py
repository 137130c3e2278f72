"""The evidence of one cell: runs with their figures, what builds the same, lines of code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codemod.base.curve_svg import curve_svg
from codemod.base.grouping import grouped
from codemod.judging.evidence.result import RAN
from codemod.reports.survey.cells import best_of
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.pages.row_evidence import figures, read_in, some, why_not
from codemod.reports.survey.rows import SAME, ConfigVerdict, KitSurvey, Row
from codemod.reports.survey.words import Words
from codemod.training.runner import DYNAMIC

_MOST = 8
_MOST_CODE = 2
# In the order in which a person asks: how much, how far off, how large, where, when.
FACTS = ("steps", "loss_max_rel", "grad_max_rel", "size", "device", "date")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of evidence; `facts` are what was measured and how, `href` leads to its page.

    `curve` is a drawing of a run's losses, or says that they were not kept; "" of what has none.
    """

    label: str
    verdict: str
    facts: str
    reason: str = ""
    href: str = ""
    curve: str = ""


def pieces(
    kit: KitSurvey, row: Row, column: tuple[str, str], words: Words, links: Links
) -> tuple[tuple[Piece, ...], int]:
    """The evidence of a cell, `column` is its mode and Paddle; and how many more pieces there are.

    The runs come first, then the configs that count as one that was run, then lines of code.
    """
    chosen = list(best_of(row, *column).items())
    runs = [_run(path, one, words, links) for path, one in chosen if one.source in RAN]
    ran = [*runs, *_same(chosen, words)]
    read = list(_read(kit, chosen, words, links))
    shown = (*ran[:_MOST], *read[:_MOST_CODE])
    return shown, len(ran) + len(read) - len(shown)


def _run(path: str, one: ConfigVerdict, words: Words, links: Links) -> Piece:
    facts = [words("sources", one.source), *figures(one, FACTS, words)]
    facts += [one.speed.text(words.spoken)] if one.speed is not None else []
    verdict, reason = words("verdicts", one.verdict), why_not(one, words)
    where, curve = links.result(one.where), curve_of(path, one, words)
    return Piece(path, verdict, " · ".join(facts), reason, where, curve)


def curve_of(path: str, one: ConfigVerdict, words: Words) -> str:
    """The losses of a run of the kit's own trainer as SVG, or that they were not kept."""
    if one.source != "parity" or one.mode == DYNAMIC:
        return ""
    named = {words("columns", side): losses for side, losses in one.losses.items()}
    title = words("document", "curve").format(config=path, paddle=one.paddle)
    return curve_svg(title, named) or words("document", "no_curve")


def _same(chosen: list[tuple[str, ConfigVerdict]], words: Words) -> Iterator[Piece]:
    """A piece for each config that was run and that others count as."""
    of = grouped((one.same_as, (path, one)) for path, one in chosen if one.source == SAME)
    for other, found in of.items():
        verdict = words("verdicts", found[0][1].verdict)
        label = f"{words('document', 'as')} {other}"
        yield Piece(label, verdict, some([path for path, _ in found], _MOST))


def _read(
    kit: KitSurvey, chosen: list[tuple[str, ConfigVerdict]], words: Words, links: Links
) -> Iterator[Piece]:
    """A piece for each line of code that shows a hazard, then the files in which none is."""
    of = grouped(
        ((one.where, read_in(one, words)), path) for path, one in chosen if one.source == "hazards"
    )
    for (where, reason), paths in sorted(of.items(), key=lambda item: ":" not in item[0][0]):
        told = f"{words('sources', 'hazards')} · {words('columns', 'configs')} {len(paths)}"
        yield Piece(where, reason, told, "", links.code(kit.git, kit.revision, where))
