"""Where a function documents its parameters, and how a new one is documented beside them."""

from __future__ import annotations

import re

from codemod.code.module import Module, Scope, is_docstring
from codemod.engine.rewrite.ops import AddToDocstring

HELP = "Whether to train with paddle.jit.to_static."


def entry(module: Module, scope: Scope, name: str) -> AddToDocstring | None:
    """An entry for the switch `name` behind the last parameter's, where most have entries."""
    body = scope.node.body
    if not body or not is_docstring(body[0]):
        return None
    first, last = body[0].lineno - 1, body[0].end_lineno or 0
    lines = module.text.replace("\r\n", "\n").split("\n")[first:last]
    places = {known: _place(lines, known) for known in scope.parameters if known != "self"}
    found = sorted(place for place in places.values() if place is not None)
    if len(found) * 2 <= len(places) or not found:
        return None
    at = found[-1]
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    end = at + 1
    while end < len(lines) and re.match(rf"{indent}\s+\S", lines[end]):
        end += 1
    if end == len(lines):  # the docstring's end is on the entry's own line
        return None
    marks = [_KIND.match(lines[place].lstrip()) for place in found]
    kinds = [mark["kind"] for mark in marks if mark and mark["kind"]]
    param = ":param " if lines[at].lstrip().startswith(":param") else ""
    kind = " (bool, optional)" if "optional" in " ".join(kinds) else " (bool)" if kinds else ""
    text = f"{indent}{param}{name}{kind}: {HELP} Default: False."
    return AddToDocstring((*scope.path, ("body", 0)), end, text)


_KIND = re.compile(r"(?::param )?\w+\s*(?P<kind>\([^)]*\))?")


def _place(lines: list[str], name: str) -> int | None:
    pattern = re.compile(rf"(?::param )?{re.escape(name)}\s*(?:\([^)]*\)\s*)?:")
    return next((i for i, line in enumerate(lines) if pattern.match(line.lstrip())), None)
