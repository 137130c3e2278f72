"""The position of a hook: after build, conversion and copies; before wrap and first forward.

The position is the earliest that satisfies all constraints, in the innermost block that
holds every site that matters. Where the constraints contradict each other, conversion gives
way first (sub-layers are converted in place and the hook survives), then nothing: the hook
is reported with the reason, not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from codemod.base.refusal import Refusal
from codemod.code.module import Path, Scope, Statement, block, callee, is_docstring
from codemod.code.sites import Kind, Site

ORIGINS = (Kind.BUILD, Kind.ALIAS, Kind.PARAMETER, Kind.DERIVE)
LIMITS = (Kind.WRAP, Kind.FORWARD)
WORDS = {
    Kind.BUILD: "build",
    Kind.ALIAS: "build",
    Kind.PARAMETER: "build",
    Kind.DERIVE: "build",
    Kind.CONVERT: "convert",
    Kind.COPY: "copy",
    Kind.WRAP: "wrap",
    Kind.FORWARD: "loop",
}


@dataclass(frozen=True)
class Position:
    """Insert before statement `index` of block `field` of the statement at `owner`."""

    owner: Path
    field: str
    index: int
    after: str | None
    before: str | None
    reason: str


def place(
    scope: Scope, sites: tuple[Site, ...], bound: tuple[Statement, ...] = ()
) -> Position | Refusal:
    """The position, or the reason why there is none.

    `bound` are statements that must come first for the gate to be readable.
    """
    found = _within(scope, sites, bound, LIMITS)
    if isinstance(found, Refusal) and any(s.kind is Kind.DERIVE for s in sites):
        # What the model is made into is then taken for a wrapper, which must not be hooked.
        second = _within(scope, sites, bound, (*LIMITS, Kind.DERIVE))
        return found if isinstance(second, Refusal) else second
    return found


def _within(
    scope: Scope,
    sites: tuple[Site, ...],
    bound: tuple[Statement, ...],
    kinds: tuple[Kind, ...],
) -> Position | Refusal:
    """The position before every site of the given kinds."""
    limits = [s for s in sites if s.kind in kinds and s.statement]
    first = min((s.statement.node.lineno for s in limits if s.statement), default=None)
    late = [s for s in sites if first is not None and _copied_after(s, first)]
    if late and late[0].statement:
        line = late[0].statement.node.lineno
        return Refusal(
            f"the model is copied at line {line}, after it is called or wrapped at line {first}"
        )
    if limits and not any(s.kind in ORIGINS for s in sites):
        return Refusal(
            f"the call that wraps the model at line {first} also builds it: it has no name before"
        )
    lower = [s for s in sites if s.statement and s.kind in (*ORIGINS, Kind.CONVERT, Kind.COPY)]
    lower = [s for s in lower if s.kind not in kinds]
    lower = [s for s in lower if first is None or _starts(s, first)]
    if first is not None and _made_too_late(sites, lower):
        return Refusal(
            f"the model is called or wrapped at line {first}, before this scope makes it"
        )
    if any(s.kind is Kind.BUILD for s in lower):
        lower = _since_build(lower)
    for dropped in ((), (Kind.CONVERT,)):
        kept = [s for s in lower if s.kind not in dropped]
        found = _between(scope, kept, limits, bound)
        if found:
            return found
    where = limits[0].statement.node.lineno if limits and limits[0].statement else 0
    return Refusal(f"no position lies after the build and copies and before line {where}")


def _starts(site: Site, first: int) -> bool:
    return site.statement is not None and site.statement.node.lineno < first


def _copied_after(site: Site, first: int) -> bool:
    """Whether a deepcopy follows the first use: on Paddle 2.6 it would undo any hook before."""
    late = site.statement is not None and site.statement.node.lineno > first
    return late and site.call is not None and callee(site.call) == "deepcopy"


def _made_too_late(sites: tuple[Site, ...], lower: list[Site]) -> bool:
    """Whether the scope makes the model, but only after the first use in source order."""
    kinds = {site.kind for site in sites}
    makes = bool(kinds & {Kind.BUILD, Kind.ALIAS}) and Kind.PARAMETER not in kinds
    return makes and not any(site.kind in ORIGINS for site in lower)


def _since_build(lower: list[Site]) -> list[Site]:
    """What happened to an earlier object under the same name does not bind the new one."""
    builds = [s for s in lower if s.kind is Kind.BUILD and s.statement]
    start = min(s.statement.node.lineno for s in builds if s.statement)
    return [s for s in lower if s.statement and s.statement.node.lineno >= start]


def _between(
    scope: Scope, lower: list[Site], limits: list[Site], bound: tuple[Statement, ...]
) -> Position | None:
    lows = [s.statement.path for s in lower if s.statement] + [b.path for b in bound]
    origins = [s.statement.path for s in lower if s.statement and s.kind in ORIGINS]
    highs = [s.statement.path for s in limits if s.statement]
    owner, field = scope.path, "body"
    while True:
        depth = len(owner)
        last = max((p[depth][1] for p in lows if _in(p, owner, field)), default=-1)
        stop = min((p[depth][1] for p in highs if _in(p, owner, field)), default=None)
        step = (*owner, (field, last))
        held = [p for p in origins if p[: depth + 1] == step and len(p) > depth + 1]
        fields = {p[depth + 1][0] for p in held}
        nested = bool(held) and len(held) == len(origins) and len(fields) == 1
        if not nested and (stop is None or last < stop):
            index = max(last + 1, _after_docstring(scope, owner, field))
            return _position(owner, field, index, lower, limits)
        if not nested or (stop is not None and stop < last):
            return None
        owner, field = step, fields.pop()
        if field not in ("body", "orelse", "finalbody"):
            return None


def _in(path: Path, owner: Path, field: str) -> bool:
    depth = len(owner)
    return len(path) > depth and path[:depth] == owner and path[depth][0] == field


def _after_docstring(scope: Scope, owner: Path, field: str) -> int:
    body = block(scope.node, field)
    if owner == scope.path and body and is_docstring(body[0]):
        return 1
    return 0


def _position(
    owner: Path, field: str, index: int, lower: list[Site], limits: list[Site]
) -> Position:
    last = max(lower, key=_line, default=None)
    first = min(limits, key=_line, default=None)
    after = WORDS[last.kind] if last else "build"
    before = WORDS[first.kind] if first else None
    return Position(owner, field, index, after, before, _reason(lower, limits))


def _line(site: Site) -> int:
    return site.statement.node.lineno if site.statement else 0


def _reason(lower: list[Site], limits: list[Site]) -> str:
    kinds = {s.kind for s in lower}
    parts = ["after the model is built"]
    if Kind.PARAMETER in kinds or not kinds:
        parts = ["where the trainer receives the model"]
    if Kind.CONVERT in kinds:
        parts.append("after its layers are converted")
    if Kind.COPY in kinds:
        parts.append("after it is copied (a later deepcopy would undo the hook on Paddle 2.6)")
    if any(s.kind is Kind.WRAP for s in limits):
        parts.append("before it is wrapped for several cards (hooking the wrapper raises)")
    elif limits:
        parts.append("before its first forward")
    text = ", ".join(parts)
    return text[0].upper() + text[1:] + "."
