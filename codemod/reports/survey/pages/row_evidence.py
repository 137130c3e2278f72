"""The evidence of a row: one line per run, and the lines of code with hazards."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from codemod.base.grouping import grouped
from codemod.base.reason import spoken
from codemod.judging.evidence.result import RAN
from codemod.judging.since import changes
from codemod.judging.verdict import Verdict
from codemod.kits.paddles import paddles
from codemod.reports.survey.cells import best_of, is_good
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.rows import (
    COLUMNS,
    MODES,
    PADDLES,
    SAME,
    ConfigVerdict,
    KitSurvey,
    Outlook,
    Row,
)
from codemod.reports.survey.words import Words
from codemod.training.runner import STATIC_MODES

_MOST_CODE = 3


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """One piece: what it is, what it says, and its address (empty where there is none)."""

    label: str
    text: str
    href: str


def evidence(kit: KitSurvey, row: Row, words: Words, links: Links) -> tuple[EvidenceLine, ...]:
    """What changed between releases, the runs of a row, what builds the same, then unrun code."""
    runs = grouped(
        ((verdict.where, verdict.paddle), (path, verdict))
        for path in row.paths
        for verdict in row.verdicts.get(path, ())
        if verdict.source in RAN
    )
    made = [_run(found, words, links) for found in runs.values()]
    return (*_changed(row, words), *made, *_same(row, words), *_read(kit, row, words, links))


def _run(found: list[tuple[str, ConfigVerdict]], words: Words, links: Links) -> EvidenceLine:
    """One result file: its configs, and what it says of each mode."""
    path, first = found[0]
    others = len({path for path, _ in found}) - 1
    by_mode = {verdict.mode: verdict for _, verdict in found}
    said = [
        f"{words('columns', mode)} {words('verdicts', verdict.verdict)}{_more(verdict, words)}"
        for mode in MODES
        if (verdict := by_mode.get(mode))
    ]
    more = f" +{others}" if others else ""
    label = f"{words('sources', first.source)} · Paddle {first.paddle} · {path}{more}"
    return EvidenceLine(label, "; ".join(said), links.result(first.where))


def _changed(row: Row, words: Words) -> list[EvidenceLine]:
    """Since which release a static mode shows what it shows, where releases between were probed.

    What differs between the columns alone is seen in them. Runs are held against others of their
    kind: a trainer's hook may stand elsewhere than a probe's.
    """
    releases = [one.version for one in paddles().releases]
    told = grouped(
        ((mode, change), path)
        for path in row.paths
        for mode, source in itertools.product(STATIC_MODES, RAN)
        for change in changes(_by_paddle(row, path, mode, source), releases)
        if not {change.before, change.since} <= {*PADDLES}
    )
    return [
        EvidenceLine(
            f"{words('document', 'changed_in')} Paddle {change.since} · {some(paths, _MOST_CODE)}",
            f"{words('columns', mode)} {words('verdicts', change.was)} ({change.before}) → "
            f"{words('verdicts', change.now)}",
            "",
        )
        for (mode, change), paths in told.items()
    ]


def _by_paddle(row: Row, path: str, mode: str, source: str) -> dict[str, Verdict]:
    return {
        verdict.paddle: verdict.verdict
        for verdict in row.verdicts.get(path, ())
        if (verdict.mode, verdict.source) == (mode, source)
        if isinstance(verdict.verdict, Verdict)
    }


def _same(row: Row, words: Words) -> list[EvidenceLine]:
    """The configs that count as another one, which was run: a line for each of those."""
    found = grouped(
        (verdict.same_as, (path, column))
        for column in COLUMNS
        for path, verdict in best_of(row, *column).items()
        if verdict.source == SAME
    )
    return [
        EvidenceLine(
            f"{words('document', 'as')} {other}",
            f"{some(sorted({path for path, _ in of}), _MOST_CODE)} "
            f"({told_of({column for _, column in of}, words)})",
            "",
        )
        for other, of in found.items()
    ]


def some(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many more there are."""
    return ", ".join(names[:most]) + (f" +{len(names) - most}" if len(names) > most else "")


def _more(verdict: ConfigVerdict, words: Words) -> str:
    """The figures, and the reason of what is not as it should be."""
    reason = why_not(verdict, words)
    shown = ", ".join(figures(verdict, ("steps", "loss_max_rel", "grad_max_rel"), words))
    return (f" ({shown})" if shown else "") + (f": {reason}" if reason else "")


def why_not(verdict: ConfigVerdict, words: Words) -> str:
    """The first line of the reason of a run that is not as it should be; else nothing."""
    fine = is_good(verdict.verdict) and not verdict.figures.get("legs")
    return "" if fine else spoken(verdict.sentences, words.spoken).partition("\n")[0]


def figures(verdict: ConfigVerdict, keys: Sequence[str], words: Words) -> Iterator[str]:
    """The figures of these names that a run has, each with its name."""
    for key in keys:
        value = verdict.figures.get(key)
        if value is not None:
            shown = f"{value:.2g}" if isinstance(value, float) else str(value)
            yield f"{words('figures', key)} {shown}"


def read_in(verdict: ConfigVerdict, words: Words) -> str:
    """What the code alone says: its first hazard, or that none was found."""
    return spoken(verdict.sentences, words.spoken) or words("verdicts", Outlook.CLEAR)


def _read(kit: KitSurvey, row: Row, words: Words, links: Links) -> list[EvidenceLine]:
    """The lines of code of the hazards that decide a cell, and the files that were read."""
    places = grouped(
        ((verdict.where, read_in(verdict, words)), column)
        for column in COLUMNS
        for verdict in best_of(row, *column).values()
        if verdict.source == "hazards"
    )
    # What was found comes first, then the files in which nothing was.
    listed = sorted(places.items(), key=lambda item: ":" not in item[0][0])
    made = [
        EvidenceLine(
            where,
            f"{told_of(of, words)}: {reason}",
            links.code(kit.git, kit.revision, where),
        )
        for (where, reason), of in listed[:_MOST_CODE]
    ]
    left = len(listed) - _MOST_CODE
    return [*made, EvidenceLine(f"+{left}", "", "")] if left > 0 else made


def told_of(found: Collection[tuple[str, str]], words: Words) -> str:
    """`AST, SOT 2.6.2`: modes, each with its Paddle where that is not all of them."""
    parts = []
    for mode in MODES:
        paddles = [paddle for paddle in PADDLES if (mode, paddle) in found]
        if paddles:
            name = words("columns", mode)
            parts.append(name if len(paddles) == len(PADDLES) else f"{name} {paddles[0]}")
    return ", ".join(parts)
