"""The survey as the templates show it: texts in one language, signs, links."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from codemod.audit.reach import in_common
from codemod.base.grouping import grouped
from codemod.base.reason import Reason, spoken
from codemod.judging.evidence.result import RAN
from codemod.reports.survey import cells
from codemod.reports.survey.causes import cause_of, cause_text
from codemod.reports.survey.pages.cell_evidence import Piece, pieces
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.pages.row_evidence import EvidenceLine, evidence, told_of
from codemod.reports.survey.rows import (
    COLUMNS,
    MODES,
    PADDLES,
    SAME,
    ConfigVerdict,
    KitSurvey,
    Outlook,
    Row,
    RowState,
)
from codemod.reports.survey.words import Words

_MOST_REASONS = 3


@dataclass(frozen=True, slots=True)
class CellView:
    """One mode on one Paddle: the sign and its style.

    `share` is how many configs and files of code were run of all, where not all were; `2+5/9`
    are two that were run and five that build the same as one of these, and `shared` says it in
    words. `more` pieces of evidence are not shown.
    """

    paddle: str
    key: str
    sign: str
    tone: str
    share: str = ""
    shared: str = ""
    evidence: tuple[Piece, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class RowView:
    """One line of a kit's table: the row, and what is told of it in one language."""

    row: Row
    anchor: str
    name: str
    cells: dict[str, tuple[CellView, ...]]
    causes: list[str]
    why: list[str]
    fixed: list[str]
    evidence: tuple[EvidenceLine, ...]

    @property
    def keys(self) -> str:
        """The legend's key of each cell as `ast@3.3.1:yes`, for the page's filter."""
        listed = [(mode, cell) for mode, column in self.cells.items() for cell in column]
        return " ".join(f"{mode}@{cell.paddle}:{cell.key}" for mode, cell in listed)


def row_view(kit: KitSurvey, row: Row, words: Words, links: Links) -> RowView:
    """A row of a kit, with the address of its evidence."""
    return RowView(
        row=row,
        anchor=f"{kit.kit.lower()}-{row.id}",
        name=row.name if words.language == "zh" else row.en,
        cells={
            mode: tuple(_cell(kit, row, (mode, paddle), words, links) for paddle in PADDLES)
            for mode in MODES
        },
        causes=_causes(kit.kit, row, words),
        why=_why(row, words),
        fixed=_fixed(row, words),
        evidence=evidence(kit, row, words, links),
    )


def _cell(
    kit: KitSurvey, row: Row, column: tuple[str, str], words: Words, links: Links
) -> CellView:
    paddle, whole = column[1], len(row.paths)
    if row.state is not RowState.TRAINS and not row.code:
        return CellView(paddle, "none", "", "soft")
    made = cells.cell(row, *column)
    told = words("document", "shared_alike" if made.alike else "shared")
    shared = told.format(ran=made.ran, alike=made.alike, whole=whole)
    found, more = pieces(kit, row, column, words, links)
    share = _share(made, whole)
    return CellView(paddle, made.sign, *words.sign(made.sign), share, shared, found, more)


def _share(made: cells.Cell, whole: int) -> str:
    if not made.ran + made.alike or made.ran == whole:
        return ""
    more = f"+{made.alike}" if made.alike else ""
    return f"{made.ran}{more}/{whole}"


def _causes(kit: str, row: Row, words: Words) -> list[str]:
    """The causes of what was run and is not equal, by name."""
    found = {
        cause_text(cause, words)
        for path, known in row.verdicts.items()
        for verdict in known
        if verdict.source in (*RAN, SAME) and cells.is_bad(verdict)
        if (cause := cause_of(kit, path, verdict))
    }
    return sorted(found)


def _why(row: Row, words: Words) -> list[str]:
    """What stands in the way: no configs, no hook, runs that differ, hazards; the shared first."""
    if row.state is not RowState.TRAINS:
        return [words("states", row.state.value), *_failures(row, words)[:_MOST_REASONS]]
    hooks = Counter((in_common(u.before), u.after is None) for u in row.units if u.before)
    lines = []
    for (reason, mended), number in hooks.most_common(_MOST_REASONS):
        remedy = f" ({words('document', 'mended')})" if mended else ""
        lines.append(f"{reason.text(words.spoken)} ×{number}{remedy}")
    return lines + _failures(row, words)[:_MOST_REASONS]


def _fixed(row: Row, words: Words) -> list[str]:
    """What proved fixes make pass: mode, Paddle, verdict without and with the fix, configs."""
    counts = Counter((one.mode, one.paddle, one.before, one.after) for one in row.fixed)
    return [
        f"{words('columns', mode)} {paddle}: {words('verdicts', before)} → "
        f"{words('verdicts', after)} ×{number}"
        for (mode, paddle, before, after), number in sorted(counts.items())
    ]


def _failures(row: Row, words: Words) -> list[str]:
    """What the runs and the code say against it, with the modes and the Paddles it is true of."""
    told = grouped(
        (_brief(verdict, words), column)
        for column in COLUMNS
        for verdict in cells.best_of(row, *column).values()
        if not cells.is_good(verdict.verdict) and verdict.verdict is not Outlook.CLEAR
        if verdict.reason
    )
    return [f"{told_of(found, words)}: {reason}" for reason, found in told.items()]


def _brief(verdict: ConfigVerdict, words: Words) -> str:
    """The first line, of a run its verdict before it.

    It is not told how many more there are, which differs from config to config.
    """
    said = verdict.sentences
    if said[0].code == "reports.predicted-more" and isinstance(said[0]["first"], Reason):
        said = (said[0]["first"],)
    reason = spoken(said, words.spoken).partition("\n")[0]
    if verdict.source == "hazards":
        return reason
    return f"{words('verdicts', verdict.verdict)}: {reason}"
