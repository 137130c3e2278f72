"""Execution paths (ways) of a function: SOT of 2.6 follows each of them behind a graph break."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator

from codemod.base.reason import Reason
from codemod.code.module import DEFINITIONS
from codemod.hazards.finders import Match, finds
from codemod.hazards.reach.reached import Reached

# Two more are four times the work: a million ways take minutes for each graph break.
_MANY = 2**18
# Code of their own, which is analysed by itself.
_APART = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@finds("D-105")
def many_ways(reached: Reached) -> Iterator[Match]:
    """So many `if`s stand one behind the other that nobody can follow every way through them.

    A function with 2**18 ways or more from its first line to an end (many_branches.py): the
    branches of an `if` add up, what follows one multiplies, and `and` and `or` are branches, too.
    """
    found = _Ways().all_of(reached.function.node)
    if found >= _MANY:
        yield reached.function.node, Reason.of("hazards.many-ways", number=found.bit_length() - 1)


class _Ways:
    """Counts the ways through a function. `_ended` came to an end above its last line."""

    def __init__(self) -> None:
        self._ended = 0
        self._broken: list[int] = []

    def all_of(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        """How many there are."""
        return self.through(function.body, 1) + self._ended

    def through(self, block: Iterable[ast.stmt], ways: int) -> int:
        """How many ways come to the end of a block that so many come to."""
        for line in block:
            ways = self._behind(line, ways)
        return ways

    def _behind(self, line: ast.stmt, ways: int) -> int:
        """How many ways come to the end of a statement."""
        if isinstance(line, DEFINITIONS):
            return ways
        if isinstance(line, (ast.Return, ast.Raise, ast.Continue)):
            self._ended += ways * _choices(line)
            return 0
        if isinstance(line, ast.Break):
            self._broken[-1] += ways
            return 0
        if isinstance(line, ast.If):
            yes, no = _outcomes(line.test)
            return self.through(line.body, ways * yes) + self.through(line.orelse, ways * no)
        if isinstance(line, (ast.For, ast.AsyncFor, ast.While)):
            ways *= _choices(line.test if isinstance(line, ast.While) else line.iter)
            # From the end of its body a loop goes to its head, where the way has been.
            self._broken.append(0)
            again = self.through(line.body, ways)
            self._ended += again
            return self.through(line.orelse, ways) + self._broken.pop()
        if isinstance(line, ast.Try):
            rescued = sum(self.through(handler.body, ways) for handler in line.handlers)
            whole = self.through([*line.body, *line.orelse], ways)
            return self.through(line.finalbody, whole + rescued)
        if isinstance(line, (ast.With, ast.AsyncWith)):
            return self.through(line.body, ways)
        return ways * _choices(line)


def _choices(node: ast.AST) -> int:
    """How many ways lead through an expression, or a statement without blocks, to its value."""
    if isinstance(node, ast.IfExp):
        yes, no = _outcomes(node.test)
        return yes * _choices(node.body) + no * _choices(node.orelse)
    if isinstance(node, ast.BoolOp):
        on, left = _asked(node, node.values[:-1])
        return left + on * _choices(node.values[-1])
    if isinstance(node, _APART):
        return 1
    return math.prod(map(_choices, ast.iter_child_nodes(node)))


def _outcomes(test: ast.expr) -> tuple[int, int]:
    """How many ways a test has to be true, and to be false."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yes, no = _outcomes(test.operand)
        return no, yes
    if isinstance(test, ast.BoolOp):
        on, left = _asked(test, test.values)
        return (left, on) if isinstance(test.op, ast.Or) else (on, left)
    return (_choices(test),) * 2


def _asked(test: ast.BoolOp, parts: Iterable[ast.expr]) -> tuple[int, int]:
    """How many ways go on behind these parts of an `and` or `or`, and how many leave it there."""
    on, left = 1, 0
    for part in parts:
        yes, no = _outcomes(part)
        further, away = (no, yes) if isinstance(test.op, ast.Or) else (yes, no)
        on, left = on * further, left + on * away
    return on, left
