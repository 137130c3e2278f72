"""`try` and `with` blocks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import DEFINITIONS
from codemod.code.traversal import blocks
from codemod.hazards.finders import Match, finds
from codemod.hazards.reach.reached import Reached


@finds("D-40")
def no_grad_block(reached: Reached) -> Iterator[Match]:
    """`with paddle.no_grad()` in the forward pass.

    `with paddle.no_grad():` in a reached function.
    """
    for node in reached.each(ast.With):
        for item in node.items:
            if "no_grad" in ast.unparse(item.context_expr):
                yield node, Reason.of("hazards.enters", context=ast.unparse(item.context_expr))


@finds("D-41")
def autocast_in_forward(reached: Reached) -> Iterator[Match]:
    """`auto_cast` in the forward pass.

    `with paddle.amp.auto_cast(...)` that is not switched off.
    """
    for node in reached.each(ast.With):
        for item in node.items:
            text = ast.unparse(item.context_expr)
            if _casts(text):
                yield node, Reason.of("hazards.casts", context=text)


@finds("D-74")
def with_block(reached: Reached) -> Iterator[Match]:
    """A `with` block in the forward pass.

    Any `with` but `no_grad` (D-40) and an `auto_cast` that is on (D-41).
    """
    for node in reached.each(ast.With):
        text = ", ".join(ast.unparse(item.context_expr) for item in node.items)
        if "no_grad" not in text and not _casts(text):
            yield node, Reason.of("hazards.enters", context=text)


def _casts(text: str) -> bool:
    """Whether what a `with` enters is an `auto_cast` that is not switched off."""
    return "auto_cast" in text and "enable=False" not in text and "(False" not in text


@finds("D-93")
def return_in_block(reached: Reached) -> Iterator[Match]:
    """A `return` in a `try` or `with` block, with code of the function behind the block.

    The block is the innermost one around the `return` (return_in_try.py).
    """
    blocks = (*reached.each(ast.Try), *reached.each(ast.With))
    live = reached.each(ast.Return) if blocks else []
    for node in _lost(reached.function.node.body, behind=False, within=False) if live else ():
        if node in live:
            yield node, Reason.of("hazards.lost-return")


def _lost(body: list[ast.stmt], behind: bool, within: bool) -> Iterator[ast.Return]:
    """Returns of blocks: `behind` says that code follows, `within` that it is such a block."""
    for number, line in enumerate(body):
        if isinstance(line, ast.Return) and within and behind:
            yield line
        if isinstance(line, DEFINITIONS):
            continue
        more = behind or number + 1 < len(body)
        for block in blocks(line):
            yield from _lost(block, more, isinstance(line, (ast.Try, ast.With)))
