"""D-10: the branches of a tensor `if` return different structures."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import tensor_ifs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """A tensor `if` whose return and the next one hand back differently many values."""
    for node in tensor_ifs(reached):
        first = last_return(node.body)
        second = last_return(node.orelse) or next_return(reached, node)
        if first is not None and second is not None and width(first) != width(second):
            yield node, "the branches return different structures"


def last_return(body: list[ast.stmt]) -> ast.Return | None:
    """The return that ends a block."""
    last = body[-1] if body else None
    return last if isinstance(last, ast.Return) else None


def next_return(reached: Reached, node: ast.If) -> ast.Return | None:
    """The first return below a statement."""
    last = node.end_lineno or node.lineno
    below = (n for n in reached.statements if isinstance(n, ast.Return) and n.lineno > last)
    return next(below, None)


def width(node: ast.Return) -> int:
    """How many values a return hands back; 1 for what is no literal tuple."""
    return len(node.value.elts) if isinstance(node.value, (ast.Tuple, ast.List)) else 1


HAZARD = Hazard(
    "D-10",
    "if-return-arity",
    verdicts("error error ok ok"),
    "Return the same structure in all branches.",
    "所有分支返回相同的结构。",
    find,
)
