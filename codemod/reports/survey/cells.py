"""What a row says of one mode on one Paddle: the best that is known of each of its configs."""

from __future__ import annotations

from dataclasses import dataclass

from codemod.judging.evidence.result import RAN
from codemod.judging.verdict import Verdict
from codemod.reports.survey.rows import SAME, ConfigVerdict, Outlook, Row
from codemod.training.runner import DYNAMIC


def is_good(said: Verdict | Outlook) -> bool:
    """Whether it trains as it should: a verdict that passes, or a dynamic run."""
    return said is Outlook.RUNS or (isinstance(said, Verdict) and said.passed)


def is_open(said: Verdict | Outlook) -> bool:
    """Whether a run says nothing of the hook."""
    return isinstance(said, Verdict) and said.silent


def speaks(said: Verdict | Outlook, mode: str) -> bool:
    """Whether a run in that mode says something: in dynamic mode, a failure does."""
    return not is_open(said) or (mode == DYNAMIC and said is not Verdict.NOT_RUN)


def is_bad(verdict: ConfigVerdict) -> bool:
    """Whether it was found not to train as it should, or its code says that it will not."""
    said = verdict.verdict
    return not is_good(said) and not is_open(said) and said is not Outlook.CLEAR


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: `sign` names an entry of the legend.

    `ran` configs and files of code were run, by parity or by a probe; `alike` configs were not run
    but build the same computation as one that was.
    """

    sign: str
    ran: int
    alike: int


def cell(row: Row, mode: str, paddle: str) -> Cell:
    """The cell of a row."""
    chosen = best_of(row, mode, paddle).values()
    ran = [v for v in chosen if v.source in RAN]
    sign = _sign({(v.verdict, v.source) for v in chosen}, mode)
    if sign == "yes" and any(v.figures.get("legs") for v in ran):
        sign = "some"  # it trains alike, and its evaluation, export or checkpoint does not
    return Cell(sign, len(ran), sum(v.source == SAME for v in chosen))


def best_of(row: Row, mode: str, paddle: str) -> dict[str, ConfigVerdict]:
    """By path, the one that counts: what was run, then what builds the same, then the code."""
    known = row.counting.get((mode, paddle), {})
    return {path: known[path] for path in row.paths if path in known}


def _sign(known: set[tuple[Verdict | Outlook, str]], mode: str) -> str:
    ran = {verdict for verdict, source in known if source in RAN}
    spoken = {v for v in ran if speaks(v, mode)}
    good = {verdict for verdict in spoken if is_good(verdict)}
    if spoken:
        return "yes" if good == spoken else "some" if good else "no"
    same = {is_good(verdict) for verdict, source in known if source == SAME}
    if same:
        return "alike" if False not in same else "unlike"
    read = {verdict for verdict, source in known if source == "hazards"}
    if read:
        return "risk" if Outlook.AT_RISK in read else "clear"
    return "open" if ran else "unknown"
