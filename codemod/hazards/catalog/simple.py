"""Hazards that a name or the kind of a node shows: the rows of `seen` in `hazards.yaml`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from codemod.hazards.finders import FINDERS, Finder, Match
from codemod.hazards.measured import SECTIONS
from codemod.hazards.reach.reached import Reached


def _calls(pattern: str, detail: str) -> Finder:
    """Calls whose name in full, imports spelled out, matches the regular expression."""
    matches = cache(re.compile(pattern).fullmatch)

    def find(reached: Reached) -> Iterator[Match]:
        return ((call, detail.format(name)) for call, name in reached.calls if matches(name))

    return find


def _methods(names: str, detail: str) -> Finder:
    """Calls of methods of these names, whatever they are called on."""

    def find(reached: Reached) -> Iterator[Match]:
        return ((call, detail.format(name)) for call, _, name in reached.methods(*names.split()))

    return find


def _nodes(classes: str, detail: str) -> Finder:
    """Nodes of these classes of `ast`."""
    kinds: list[type[ast.AST]] = [getattr(ast, name) for name in classes.split()]

    def find(reached: Reached) -> Iterator[Match]:
        return ((node, detail) for kind in kinds for node in reached.each(kind))

    return find


_SORTS = {"calls": _calls, "methods": _methods, "nodes": _nodes}

for _id, _row in SECTIONS["seen"].items():
    _sort, _sought, _detail = _row.texts()
    FINDERS[_id] = _SORTS[_sort](_sought, _detail)
