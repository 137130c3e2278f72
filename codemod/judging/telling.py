"""A judgement in words: of a first difference, and of a pass with what it rests on."""

from __future__ import annotations

import math

from codemod.base.reason import Reason
from codemod.judging import captured
from codemod.judging.comparing.classify import Divergence
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.verdict import EQUALITY, PARTIAL, Judgement, Verdict, told
from codemod.judging.words import hints


def differs(found: Divergence, rule: str = EQUALITY) -> Judgement:
    """The judgement of a first difference, and of which rule it is."""
    first = found.first
    name: str | Reason = found.words or first.name
    if first.others:
        name = Reason.of("judging.and-more", name=name, others=first.others)
    fields = {"step": first.step, "name": name, "kind": first.kind}
    if math.isinf(first.relative):
        words = Reason.of("judging.first", **fields)
    else:
        words = Reason.of("judging.first-sized", **fields, size=f"{first.relative:.1e}")
    return Judgement(found.verdict, (words,), rule, first, hints().get(first.kind))


def passed(case: Comparison, verdict: Verdict, rule: str, *reasons: Reason) -> Judgement:
    """The judgement of a pass by some rule, with what of the run was static."""
    said = [*reasons]
    if captured.mixed_precision(case.static) == "not-real":
        said.append(Reason.of("judging.amp-not-real"))
    partial = captured.partial(case.mode, case.dynamic, case.static)
    if partial:
        said.append(Reason.of(PARTIAL, parts=partial))
    return Judgement(told(verdict, said), (*said, *captured.unsettled(case.static)), rule)
