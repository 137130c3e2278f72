"""The errors that code raises, as patterns over what a run says of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

# What a text has in the place of a value.
_PLACE = re.compile(r"\{[^{}]*\}")


def raised(nodes: Iterable[ast.AST]) -> Iterator[re.Pattern[str]]:
    """The texts that `raise` and `assert` among the nodes give, their values left open."""
    for node in nodes:
        if isinstance(node, (ast.Raise, ast.Assert)):
            for text in _texts(node.exc if isinstance(node, ast.Raise) else node.msg):
                yield re.compile(".*".join(map(re.escape, _PLACE.split(text))))


def _texts(told: ast.expr | None) -> Iterator[str]:
    """The texts in what is raised, the values of an f-string as places."""
    if isinstance(told, ast.JoinedStr):
        yield "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in told.values)
    elif isinstance(told, ast.Constant) and isinstance(told.value, str):
        yield told.value
    elif isinstance(told, ast.Call):
        # `Error(text)`, and `text.format(values)`.
        owner = told.func.value if isinstance(told.func, ast.Attribute) else None
        for part in (owner, *told.args):
            yield from _texts(part)
