"""The position of a hook: after build, conversion and copies; before wrap and first forward.

The position is the earliest that satisfies all constraints, in the innermost block that
holds every site that matters. Where the constraints contradict each other, conversion gives
way first (sub-layers are converted in place and the hook survives), then nothing: the hook
is reported with the reason, not guessed.
"""

from __future__ import annotations

import ast
import math
import operator
from dataclasses import dataclass

from codemod.base.reason import Reason, Refusal
from codemod.code.module import Path, Scope, Statement, block, callee, is_docstring
from codemod.code.sites import Kind, Site

ORIGINS = (Kind.BUILD, Kind.ALIAS, Kind.PARAMETER, Kind.DERIVE)
LIMITS = (Kind.WRAP, Kind.FORWARD)
LOWER = (*ORIGINS, Kind.CONVERT, Kind.COPY, Kind.CHANGE, Kind.PEEK)
WORDS = {
    Kind.BUILD: "build",
    Kind.ALIAS: "build",
    Kind.PARAMETER: "build",
    Kind.DERIVE: "build",
    Kind.CONVERT: "convert",
    Kind.COPY: "copy",
    Kind.CHANGE: "change",
    Kind.PEEK: "peek",
    Kind.WRAP: "wrap",
    Kind.FORWARD: "loop",
}
# What is done to a model beside building and copying, as a step of the sentence on its place.
_STEPS = {
    Kind.CONVERT: Reason.of("engine.layers-converted"),
    Kind.CHANGE: Reason.of("engine.layers-changed"),
    Kind.PEEK: Reason.of("engine.model-peeked"),
}
# Why a hook has to come after it.
_SINCE = {Kind.COPY: Reason.of("engine.since-copied"), Kind.PEEK: Reason.of("engine.since-peeked")}


@dataclass(frozen=True)
class Position:
    """Insert before statement `index` of block `field` of the statement at `owner`."""

    owner: Path
    field: str
    index: int
    after: str | None
    before: str | None
    reason: Reason

    def follows(self, path: Path) -> bool:
        """Whether the statement at a path comes before: of the same block, or of one around it."""
        where = (*self.owner, (self.field, self.index))
        *around, (field, index) = path
        return _in(where, tuple(around), field) and index < where[len(around)][1]

    def above(self, scope: Scope) -> int:
        """The line where what comes before it ends, or where the statement around it begins."""
        ends = [s.node.end_lineno for s in scope.statements if self.follows(s.path)]
        heads = [s.node.lineno for s in scope.statements if s.path == self.owner]
        return max(filter(None, (*heads, *ends)), default=getattr(scope.node, "lineno", 0))


def place(
    scope: Scope, sites: tuple[Site, ...], bound: tuple[Statement, ...] = ()
) -> Position | Refusal:
    """The position, or the reason why there is none.

    `bound` are statements that must come first for the gate to be readable.
    """
    # An evaluation before the hook runs dynamically, as it does with the switch off.
    trained = tuple(s for s in sites if s.kind is not Kind.FORWARD or s.trains)
    found = _before(scope, sites, bound, LIMITS)
    if len(trained) < len(sites):
        strict = _before(scope, sites, bound, LIMITS, converted=True)
        for other in (strict, _before(scope, trained, bound, LIMITS, converted=True), found):
            if isinstance(other, Position):
                return other
        later = _before(scope, trained, bound, LIMITS)
        found = found if isinstance(later, Refusal) else later
    if isinstance(found, Refusal) and any(s.kind is Kind.DERIVE for s in sites):
        # What the model is made into is then taken for a wrapper, which must not be hooked.
        second = _before(scope, sites, bound, (*LIMITS, Kind.DERIVE))
        return found if isinstance(second, Refusal) else second
    return found


def _before(
    scope: Scope,
    sites: tuple[Site, ...],
    bound: tuple[Statement, ...],
    kinds: tuple[Kind, ...],
    *,
    converted: bool = False,
) -> Position | Refusal:
    """The position before every site of the given kinds; `converted` if no conversion gives way."""
    spots = [s for s in sites if s.statement]
    limits = [s for s in spots if s.kind in kinds]
    lower = [s for s in spots if s.kind in LOWER]
    none = Reason.of("engine.no-position")
    if limits:
        first = min(s.line for s in limits)
        none = Reason.of("engine.no-position-before", line=first)
        lower = [s for s in lower if s.line < first]
        reason = _never_ready({s.kind for s in sites}, spots, lower, first)
        if reason:
            return Refusal(reason)
    builds = [s.line for s in lower if s.kind is Kind.BUILD]
    if builds:
        # What happened to an earlier object under the same name does not bind the new one.
        lower = [s for s in lower if s.line >= min(builds)]
    unconverted = [s for s in lower if s.kind is not Kind.CONVERT]
    for kept in (lower, *([] if converted else [unconverted])):
        found = _between(scope, kept, limits, bound)
        if found:
            received = any(s.name in scope.parameters for s in sites)
            return _position(found, kept, limits, scope, received=received)
    if _between(scope, [s for s in lower if s.kind is not Kind.PEEK], limits, bound):
        peek = next(s for s in lower if s.kind is Kind.PEEK)
        return Refusal(Reason.of("engine.traced-without-gradients", place=_shown(peek)))
    return Refusal(none)


def _copies(site: Site) -> bool:
    return site.call is not None and callee(site.call) == "deepcopy"


def _given(site: Site, scope: Scope) -> bool:
    """Whether the model is none that is made here, but a parameter: `self.model = model`."""
    value = getattr(site.statement.node, "value", None) if site.statement else None
    return isinstance(value, ast.Name) and value.id in scope.parameters


def _never_ready(
    kinds: set[Kind], spots: list[Site], lower: list[Site], first: int
) -> Reason | None:
    """Why no hook can stand before line `first`, which uses the model first; None if one can."""
    late = [s.line for s in spots if _copies(s) and s.line >= first]
    if late:
        # On Paddle 2.6 a deepcopy would undo any hook before it.
        return Reason.of("engine.copied-late", line=late[0], first=first)
    if found := _late(spots, first):
        return found
    if not kinds & set(ORIGINS):
        where = next((s.where for s in spots if s.line == first and s.where), "")
        if where:
            return Reason.of("engine.built-where-wrapped-in", line=first, scope=where)
        # Built and wrapped in one call, which has no name for what is built.
        if any(s.kind is Kind.WRAP and s.call is None for s in spots if s.line == first):
            return Reason.of("engine.built-where-wrapped", line=first)
        return Reason.of("engine.made-elsewhere", line=first)
    makes = bool(kinds & {Kind.BUILD, Kind.ALIAS}) and Kind.PARAMETER not in kinds
    if makes and not any(s.kind in ORIGINS for s in lower):
        if Kind.BUILD not in kinds:
            return Reason.of("engine.made-elsewhere", line=first)
        return Reason.of("engine.used-before-made", line=first)
    return None


def _late(spots: list[Site], first: int) -> Reason | None:
    """What happens to the model after line `first` uses it, and must not happen to a hooked one.

    Before the first call with gradients that is a call without them, and whatever copies, converts
    or changes layers; an average's copy does no harm to a wrapper.
    """
    trained = min((s.line for s in spots if s.kind is Kind.FORWARD and s.trains), default=math.inf)
    for spot in spots:
        if not first <= spot.line <= trained:
            continue
        if spot.kind is Kind.PEEK:
            return Reason.of("engine.peeked-late", place=_shown(spot), first=first)
        if spot.kind is Kind.CHANGE or (spot.kind is Kind.CONVERT and spot.where):
            return Reason.of("engine.changed-late", place=_shown(spot), first=first)
    return None


def _shown(spot: Site) -> Reason | str:
    return spot.where or Reason.of("code.line", line=spot.line)


def _between(
    scope: Scope, lower: list[Site], limits: list[Site], bound: tuple[Statement, ...]
) -> tuple[Path, str, int] | None:
    lows = [s.path for s in lower] + [b.path for b in bound]
    origins = [s.path for s in lower if s.kind in ORIGINS]
    highs = [s.path for s in limits]
    owner, field = scope.path, "body"
    while field in ("body", "orelse", "finalbody"):
        depth = len(owner)
        last = max((p[depth][1] for p in lows if _in(p, owner, field)), default=-1)
        stop = min((p[depth][1] for p in highs if _in(p, owner, field)), default=math.inf)
        inner = _one_block(origins, (*owner, (field, last)))
        if inner is None and last < stop:
            index = max(last + 1, _after_docstring(scope))
            return owner, field, index
        if inner is None:
            return None
        owner, field = (*owner, (field, last)), inner
    return None


def _one_block(origins: list[Path], step: Path) -> str | None:
    """The block of the statement at `step` that holds every origin, None without such a one."""
    depth = len(step)
    fields = {p[depth][0] if p[:depth] == step and len(p) > depth else None for p in origins}
    return fields.pop() if len(fields) == 1 else None


def _in(path: Path, owner: Path, field: str) -> bool:
    depth = len(owner)
    return len(path) > depth and path[:depth] == owner and path[depth][0] == field


def _after_docstring(scope: Scope) -> int:
    return 1 if is_docstring(block(scope.node, "body")[0]) else 0


def _position(
    where: tuple[Path, str, int],
    lower: list[Site],
    limits: list[Site],
    scope: Scope,
    *,
    received: bool,
) -> Position:
    last = max(lower, key=operator.attrgetter("line"), default=None)
    first = min(limits, key=operator.attrgetter("line"), default=None)
    after = WORDS[last.kind] if last else "build"
    before = WORDS[first.kind] if first else None
    return Position(*where, after, before, _reason(lower, limits, scope, received=received))


def _reason(lower: list[Site], limits: list[Site], scope: Scope, *, received: bool) -> Reason:
    kinds = {s.kind for s in lower}
    received = not kinds or (received and not kinds & {Kind.BUILD, Kind.ALIAS})
    built = any(s.kind is Kind.BUILD and not _given(s, scope) for s in lower)
    given = not built and any(_given(s, scope) for s in lower)
    parts = [Reason.of("engine.where-received")] if received else []
    if steps := _steps(kinds, received=received, given=given):
        why = tuple(reason for kind, reason in _SINCE.items() if kind in kinds)
        after = Reason.of("engine.after-since", steps=steps, why=why)
        parts.append(after if why else Reason.of("engine.after", steps=steps))
    if any(s.kind is Kind.WRAP for s in limits):
        parts.append(Reason.of("engine.before-wrap"))
    elif limits:
        parts.append(Reason.of("engine.before-forward"))
    return Reason.of("engine.placed", where=tuple(parts))


def _steps(kinds: set[Kind], *, received: bool, given: bool) -> tuple[Reason, ...]:
    """What is done to the model before the hook, what is done to it itself first."""
    copied = Kind.COPY in kinds
    if received:
        own = [Reason.of("engine.model-copied")] if copied else []
    elif given:
        taken = Reason.of("engine.model-taken-and-copied") if copied else None
        own = [taken or Reason.of("engine.model-taken")]
    elif copied:
        own = [Reason.of("engine.model-built-and-copied")]
    else:
        own = [Reason.of("engine.model-built")]
    return (*own, *(reason for kind, reason in _STEPS.items() if kind in kinds))
