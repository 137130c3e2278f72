"""A model that a scope builds and trains more than once: each build's sites by themselves.

`if a: model = A(); ...train...` and `else: model = B(); ...train...` are two models under one name,
and a hook on the first does nothing for the second.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.module import Scope, callee, dotted
from codemod.code.sites import Kind, Site, assigned
from codemod.code.traversal import walk
from codemod.engine.place.placement import LIMITS, ORIGINS

_BACKWARD = "backward"


def stretches(scope: Scope, sites: tuple[Site, ...]) -> tuple[tuple[Site, ...], ...]:
    """The sites, divided where a model that was used is built anew and trained; at least one part.

    What is built anew and only evaluated stays with the part before it.
    """
    placed = sorted((s for s in sites if s.statement), key=_line)
    names = frozenset(site.name for site in sites)
    parts: list[list[Site]] = [[s for s in sites if s.statement is None]]
    for site in placed:
        made = any(earlier.kind in ORIGINS for earlier in parts[-1])
        used = any(earlier.kind in LIMITS and _line(earlier) < _line(site) for earlier in parts[-1])
        if made and used and _anew(site, names):
            parts.append([])
        parts[-1].append(site)
    kept: list[list[Site]] = parts[:1]
    for part, after in zip(parts[1:], _ends(parts), strict=True):
        if _trained(scope, part, after):
            kept.append(part)
        else:
            kept[-1] += part
    return tuple(map(tuple, kept))


def _line(site: Site) -> int:
    return site.statement.node.lineno if site.statement else 0


def _ends(parts: list[list[Site]]) -> Iterator[float]:
    """For each part but the first, the line at which the next one begins."""
    for following in parts[2:]:
        yield _line(following[0])
    if len(parts) > 1:
        yield float("inf")


def _anew(site: Site, names: frozenset[str]) -> bool:
    """Whether a site builds a model by a call, and not out of the model itself."""
    if site.kind is not Kind.BUILD or site.statement is None:
        return False
    _, value = assigned(site.statement.node)
    return isinstance(value, ast.Call) and not any(dotted(n) in names for n in walk(value))


def _trained(scope: Scope, part: list[Site], end: float) -> bool:
    """Whether the scope wraps what it built for training, or differentiates its loss.

    A site in a function that the scope calls (`where`) is a wrap or a training loop.
    """
    if any(site.kind is Kind.WRAP or site.where for site in part):
        return True
    begin = _line(part[0])
    called = any(site.kind is Kind.FORWARD for site in part)
    return called and any(
        callee(call) == _BACKWARD and begin < call.lineno < end for call in scope.calls
    )
