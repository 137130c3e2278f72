"""What the cited runs came to, counted; some failed on purpose, by a check of the change itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from enum import Enum

from codemod.base.changeset import ChangeSet, FileChange
from codemod.base.files.line_diff import added_lines
from codemod.code.module import Module, parse
from codemod.code.raised import raised
from codemod.judging.verdict import Verdict
from codemod.reports.pullrequest.claims.cited_evidence import CitedRun

_FAILED = "judging.static-fails"


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


def tallies(
    rows: Sequence[CitedRun], refused: Collection[CitedRun] = ()
) -> list[tuple[RunOutcome, list[str]]]:
    """The config of every run by outcome, what does not pass first.

    Outcomes without a run are left out.

    Runs that are `refused` by the change itself did not fail by an accident, and count apart.
    """
    found: dict[RunOutcome, list[str]] = {outcome: [] for outcome in RunOutcome}
    for row in rows:
        outcome = RunOutcome.REFUSED if row in refused else outcome_of(row.verdict)
        found[outcome].append(row.config)
    return [(outcome, configs) for outcome, configs in found.items() if configs]


def error_patterns(change_set: ChangeSet) -> tuple[re.Pattern[str], ...]:
    """The texts of the errors that lines of the change raise, as patterns with values left open."""
    return tuple(text for change in change_set.changes for text in raised(_new(change)))


def is_refused(row: CitedRun, texts: tuple[re.Pattern[str], ...]) -> bool:
    """Whether static training ended in one of these errors."""
    errors = (str(said["last"]) for said in row.said if said.code == _FAILED)
    return any(text.search(error) for error in errors for text in texts)


def _new(change: FileChange) -> Iterator[ast.AST]:
    """The statements on the lines that a change brings."""
    module = parse(change.path, change.new) if change.path.endswith(".py") else None
    if isinstance(module, Module):
        lines = added_lines(change.old, change.new)
        statements = (one.node for scope in module.scopes for one in scope.statements)
        yield from (node for node in statements if node.lineno in lines)
