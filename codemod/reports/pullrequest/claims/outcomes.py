"""What the cited runs came to, counted: the line that stands above their folded table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from codemod.judging.verdict import Verdict
from codemod.reports.pullrequest.claims.cited_evidence import CitedRun


class RunOutcome(Enum):
    """What a run showed, in English and Chinese, in the order in which a text tells it."""

    FAILED = ("did not finish", "未能跑完")
    DIFFERENT = ("gave other numbers", "数值不同")
    DYNAMIC = ("stayed dynamic", "未转静")
    NO_COMPARISON = ("had nothing sound to compare with", "没有可靠的对照")
    REFUSED = ("refused by a check that this change brings", "被本次改动加入的检查拒绝")
    EQUAL = ("equal to the bit", "逐位一致")
    TOLERANCE = ("equal within tolerance", "在误差内一致")
    PARTIAL = ("equal, but partly dynamic", "一致（部分静态）")

    @property
    def good(self) -> bool:
        """Whether static training may be said to equal dynamic training."""
        return self in (RunOutcome.EQUAL, RunOutcome.TOLERANCE, RunOutcome.PARTIAL)

    @property
    def passive(self) -> bool:
        """Whether the English words follow "was" or "were"."""
        return self.good or self is RunOutcome.REFUSED


@dataclass(frozen=True, slots=True)
class RunTally:
    """The runs of one outcome, and the configs that they are of."""

    outcome: RunOutcome
    runs: int
    configs: frozenset[str]


def outcome_of(verdict: Verdict) -> RunOutcome:
    """What a verdict showed."""
    equal = {
        Verdict.PASS: RunOutcome.EQUAL,
        Verdict.PASS_TOLERANCE: RunOutcome.TOLERANCE,
        Verdict.PASS_PARTIAL: RunOutcome.PARTIAL,
        Verdict.NOT_STATIC: RunOutcome.DYNAMIC,
    }
    if verdict in equal:
        return equal[verdict]
    if verdict.failed:
        return RunOutcome.FAILED
    return RunOutcome.DIFFERENT if verdict.differs else RunOutcome.NO_COMPARISON


def tallies(rows: Sequence[CitedRun], refused: Collection[CitedRun] = ()) -> list[RunTally]:
    """Every run counted once, what does not pass first; outcomes without a run are left out.

    Runs that are `refused` by the change itself did not fail by an accident, and count apart.
    """
    found: dict[RunOutcome, list[str]] = {outcome: [] for outcome in RunOutcome}
    for row in rows:
        outcome = RunOutcome.REFUSED if row in refused else outcome_of(row.verdict)
        found[outcome].append(row.config)
    return [RunTally(outcome, len(of), frozenset(of)) for outcome, of in found.items() if of]
