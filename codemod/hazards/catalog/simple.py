"""Hazards that a name, a kind of node or an origin shows: the rows of `seen` in `hazards.yaml`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache

from codemod.base.reason import Reason
from codemod.hazards.detached import origin, overwritten
from codemod.hazards.finders import FINDERS, Finder, Match
from codemod.hazards.measured import SECTIONS
from codemod.hazards.patterns import constructor_calls
from codemod.hazards.reach.reached import Reached


def _calls(pattern: str, code: str, kind: str = "") -> Finder:
    """Calls whose name in full, imports spelled out, matches the regular expression."""
    matches = cache(re.compile(pattern).fullmatch)

    def find(reached: Reached) -> Iterator[Match]:
        for call, name in reached.calls:
            if matches(name) and _is(reached, kind, *call.args[:1]):
                yield call, _said(code, name)

    return find


def _built(pattern: str, code: str) -> Finder:
    """Those calls in the layer's constructor."""
    matches = cache(re.compile(pattern).fullmatch)

    def find(reached: Reached) -> Iterator[Match]:
        found = (call for call, name in constructor_calls(reached) if matches(name))
        return ((call, _said(code, ast.unparse(call.func))) for call in found)

    return find


def _methods(names: str, code: str, kind: str = "") -> Finder:
    """Calls of methods of these names."""

    def find(reached: Reached) -> Iterator[Match]:
        found = reached.methods(*names.split())
        return ((call, _said(code, name)) for call, on, name in found if _is(reached, kind, on))

    return find


def _nodes(classes: str, code: str) -> Finder:
    """Nodes of these classes of `ast`."""
    kinds: list[type[ast.AST]] = [getattr(ast, name) for name in classes.split()]
    reason = _said(code)

    def find(reached: Reached) -> Iterator[Match]:
        return ((node, reason) for kind in kinds for node in reached.each(kind))

    return find


def _detached(where: str, code: str) -> Finder:
    """Operations that may overwrite a detached value of that origin."""

    def find(reached: Reached) -> Iterator[Match]:
        for node, call in overwritten(reached):
            if origin(reached, call).value == where:
                yield node, _said(code, ast.unparse(call))

    return find


def _said(code: str, name: str = "") -> Reason:
    """What a row of the table says; of a call also where the sentence leaves its name out."""
    return Reason(f"hazards.{code}", (("name", name),) if name else ())


def _is(reached: Reached, kind: str, *values: ast.expr) -> bool:
    """Whether there is a value of a kind, such as `is_tensor`; no kind asks for none."""
    return not kind or any(getattr(reached.kind(value), kind) for value in values)


_SORTS: dict[str, Callable[..., Finder]] = {
    "calls": _calls,
    "built": _built,
    "methods": _methods,
    "nodes": _nodes,
    "detached": _detached,
}

for _id, _row in SECTIONS["seen"].items():
    _sort, *_sought = _row.texts()
    FINDERS[_id] = _SORTS[_sort](*_sought)
