"""The evidence of a row: one line per run, and the lines of code with hazards."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from codemod.base.reason import spoken
from codemod.judging.evidence.result import RAN
from codemod.judging.since import ReleaseChange, changes
from codemod.judging.verdict import Verdict
from codemod.kits.paddles import paddles
from codemod.reports.survey.cells import best, is_good
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.rows import MODES, PADDLES, SAME, ConfigVerdict, KitSurvey, Outlook, Row
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
    chosen = [(path, verdict) for path in row.paths for verdict in row.verdicts.get(path, ())]
    runs: dict[tuple[str, str], list[tuple[str, ConfigVerdict]]] = {}
    for path, verdict in chosen:
        if verdict.source in RAN:
            runs.setdefault((verdict.where, verdict.paddle), []).append((path, verdict))
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
    told: dict[tuple[str, ReleaseChange], list[str]] = {}
    for path in row.paths:
        for mode, source in itertools.product(STATIC_MODES, RAN):
            found = {
                verdict.paddle: verdict.verdict
                for verdict in row.verdicts.get(path, ())
                if (verdict.mode, verdict.source) == (mode, source)
                if isinstance(verdict.verdict, Verdict)
            }
            for change in changes(found, releases):
                if not {change.before, change.since} <= {*PADDLES}:
                    told.setdefault((mode, change), []).append(path)
    return [
        EvidenceLine(
            f"{words('document', 'changed_in')} Paddle {change.since} · {_some(paths)}",
            f"{words('columns', mode)} {words('verdicts', change.was)} ({change.before}) → "
            f"{words('verdicts', change.now)}",
            "",
        )
        for (mode, change), paths in told.items()
    ]


def _same(row: Row, words: Words) -> list[EvidenceLine]:
    """The configs that count as another one, which was run: a line for each of those."""
    found: dict[str, dict[str, set[tuple[str, str]]]] = {}
    for mode in MODES:
        for paddle in PADDLES:
            for path in row.paths:
                for verdict in best(row, mode, paddle, (path,)):
                    if verdict.source == SAME:
                        of = found.setdefault(verdict.same_as, {}).setdefault(path, set())
                        of.add((mode, paddle))
    return [
        EvidenceLine(
            f"{words('document', 'as')} {other}",
            f"{_some(sorted(paths))} ({told_of(sorted(set().union(*paths.values())), words)})",
            "",
        )
        for other, paths in found.items()
    ]


def _some(paths: list[str]) -> str:
    more = f" +{len(paths) - _MOST_CODE}" if len(paths) > _MOST_CODE else ""
    return ", ".join(paths[:_MOST_CODE]) + more


def _more(verdict: ConfigVerdict, words: Words) -> str:
    """The figures, and the reason of what is not as it should be."""
    fine = is_good(verdict.verdict) and not verdict.figures.get("legs")
    reason = "" if fine else _told(verdict, words).partition("\n")[0]
    return _figures(verdict, words) + (f": {reason}" if reason else "")


def _told(verdict: ConfigVerdict, words: Words) -> str:
    return spoken(verdict.sentences, words.spoken)


def _figures(verdict: ConfigVerdict, words: Words) -> str:
    shown = [
        f"{words('figures', key)} {value:.2g}"
        if isinstance(value, float)
        else f"{words('figures', key)} {value}"
        for key in ("steps", "loss_max_rel", "grad_max_rel")
        if (value := verdict.figures.get(key)) is not None
    ]
    return f" ({', '.join(shown)})" if shown else ""


def _read(kit: KitSurvey, row: Row, words: Words, links: Links) -> list[EvidenceLine]:
    """The lines of code of the hazards that decide a cell, and the files that were read."""
    places: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for mode in MODES:
        for paddle in PADDLES:
            for verdict in best(row, mode, paddle):
                if verdict.source == "hazards":
                    reason = _told(verdict, words) or words("verdicts", Outlook.CLEAR)
                    places.setdefault((verdict.where, reason), []).append((mode, paddle))
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


def told_of(found: Sequence[tuple[str, str]], words: Words) -> str:
    """`AST, SOT 2.6.2`: modes, each with its Paddle where that is not all of them."""
    parts = []
    for mode in MODES:
        paddles = [paddle for paddle in PADDLES if (mode, paddle) in found]
        if paddles:
            name = words("columns", mode)
            parts.append(name if len(paddles) == len(PADDLES) else f"{name} {paddles[0]}")
    return ", ".join(parts)
