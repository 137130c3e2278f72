"""The verdict where several processes train together: each against its own, then side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from codemod.base.reason import Reason
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge
from codemod.judging.verdict import Judgement, Verdict
from codemod.training.record import Record


def comparisons(case: Comparison) -> tuple[Comparison, ...]:
    """One comparison a rank; the case itself where one process trained."""
    return (case, *(of_rank(case, rank + 1) for rank in range(len(case.dynamic.others))))


def of_rank(case: Comparison, rank: int) -> Comparison:
    """What a case says of one rank."""
    runs = {one.name: getattr(case, one.name) for one in fields(case)}
    own: dict[str, Any] = {
        name: run.of_rank(rank) for name, run in runs.items() if isinstance(run, Record)
    }
    return replace(case, **own)


def judge_ranks(case: Comparison) -> tuple[int, Judgement]:
    """The verdict, and the rank that it is taken from: the one that fails first, else 0.

    A rank whose run ended with an error goes before those that were ended for it, and one that
    differs in an early step before those that its gradients reached later.
    """
    cases = comparisons(case)
    told = [judge(one) for one in cases]
    if len(cases) == 1:
        return 0, told[0]
    failing = [rank for rank, one in enumerate(told) if not one.verdict.passed]
    if failing:
        rank = min(failing, key=lambda r: (not _error(cases[r]), _step(told[r]), r))
        named = Reason.of("judging.rank", rank=rank, ranks=len(cases))
        return rank, replace(told[rank], said=(named, *told[rank].said))
    return _together(case, told)


def _error(case: Comparison) -> bool:
    return bool(case.static.end.get("error") or case.dynamic.end.get("error"))


def _step(judgement: Judgement) -> int:
    return judgement.first.step if judgement.first else 0


def _together(case: Comparison, told: Sequence[Judgement]) -> tuple[int, Judgement]:
    """The verdict of ranks that all pass: their weights must stay equal where dynamic ones do."""
    dynamic, static = parted(case.dynamic), parted(case.static)
    if static is not None and (dynamic is None or static < dynamic):
        parts = Reason.of("judging.ranks-part", step=static)
        if dynamic is not None:
            parts = Reason.of("judging.ranks-part-earlier", step=static, dynamic=dynamic)
        return 0, Judgement(Verdict.STATE_DIFFERS, (parts,))
    # Equal on one rank and partly static on another is partly static.
    rank = next((r for r, one in enumerate(told) if one.verdict is not Verdict.PASS), 0)
    words = Reason.of("judging.ranks-equal", ranks=len(told))
    if dynamic is not None:
        words = Reason.of("judging.ranks-unequal", ranks=len(told), step=dynamic)
    return rank, replace(told[rank], said=(*told[rank].said, words))


def parted(record: Record) -> int | None:
    """The first step before which two ranks have other weights, None where they never do."""
    ranks = [record, *record.others]
    for number, step in enumerate(record.steps):
        made = [rank.steps[number].weights for rank in ranks if number < len(rank.steps)]
        if any(weights != step.weights for weights in made):
            return step.number
    ends = [_last_weights(rank) for rank in ranks]
    if record.steps and any(end != ends[0] for end in ends):
        return record.steps[-1].number + 1
    return None


def _last_weights(record: Record) -> dict[tuple[int, str], str]:
    """The digests of what is trained after the last step, by optimizer and name."""
    frozen = {
        name for step in record.steps for name, mark in step.grads.items() if mark.kind == "f"
    }
    return {
        (line["opt"], name): str(digest)
        for line in record.weights
        for name, digest in line["end"].items()
        if name not in frozen
    }
