"""The evidence of one cell: runs with their figures, what builds the same, lines of code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codemod.base.curve_svg import curve_svg
from codemod.base.reason import spoken
from codemod.judging.evidence.result import RAN
from codemod.reports.survey.cells import best, is_good
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.rows import SAME, ConfigVerdict, KitSurvey, Outlook, Row
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
    chosen = [(path, one) for path in row.paths for one in best(row, *column, (path,))]
    runs = [_run(path, one, words, links) for path, one in chosen if one.source in RAN]
    ran = [*runs, *_same(chosen, words)]
    read = list(_read(kit, chosen, words, links))
    shown = (*ran[:_MOST], *read[:_MOST_CODE])
    return shown, len(ran) + len(read) - len(shown)


def _run(path: str, one: ConfigVerdict, words: Words, links: Links) -> Piece:
    facts = [words("sources", one.source), *_facts(one, words)]
    fine = is_good(one.verdict) and not one.figures.get("legs")
    reason = "" if fine else spoken(one.sentences, words.spoken).partition("\n")[0]
    verdict = words("verdicts", one.verdict)
    return Piece(
        path,
        verdict,
        " · ".join(facts),
        reason,
        links.result(one.where),
        curve_of(path, one, words),
    )


def curve_of(path: str, one: ConfigVerdict, words: Words) -> str:
    """The losses of a run of the kit's own trainer as SVG, or that they were not kept."""
    if one.source != "parity" or one.mode == DYNAMIC:
        return ""
    named = {words("columns", side): losses for side, losses in one.losses.items()}
    title = words("document", "curve").format(config=path, paddle=one.paddle)
    return curve_svg(title, named) or words("document", "no_curve")


def _facts(one: ConfigVerdict, words: Words) -> Iterator[str]:
    for key in FACTS:
        value = one.figures.get(key)
        if value is not None:
            shown = f"{value:.2g}" if isinstance(value, float) else str(value)
            yield f"{words('figures', key)} {shown}"
    if one.speed is not None:
        yield one.speed.text(words.spoken)


def _same(chosen: list[tuple[str, ConfigVerdict]], words: Words) -> Iterator[Piece]:
    """A piece for each config that was run and that others count as."""
    of: dict[str, list[tuple[str, ConfigVerdict]]] = {}
    for path, one in chosen:
        if one.source == SAME:
            of.setdefault(one.same_as, []).append((path, one))
    for other, found in of.items():
        verdict = words("verdicts", found[0][1].verdict)
        label = f"{words('document', 'as')} {other}"
        yield Piece(label, verdict, _listed([path for path, _ in found]))


def _listed(paths: list[str]) -> str:
    more = f" +{len(paths) - _MOST}" if len(paths) > _MOST else ""
    return ", ".join(paths[:_MOST]) + more


def _read(
    kit: KitSurvey, chosen: list[tuple[str, ConfigVerdict]], words: Words, links: Links
) -> Iterator[Piece]:
    """A piece for each line of code that shows a hazard, then the files in which none is."""
    of: dict[tuple[str, str], list[str]] = {}
    for path, one in chosen:
        if one.source == "hazards":
            reason = spoken(one.sentences, words.spoken) or words("verdicts", Outlook.CLEAR)
            of.setdefault((one.where, reason), []).append(path)
    for (where, reason), paths in sorted(of.items(), key=lambda item: ":" not in item[0][0]):
        told = f"{words('sources', 'hazards')} · {words('columns', 'configs')} {len(paths)}"
        yield Piece(where, reason, told, "", links.code(kit.git, kit.revision, where))
