"""Cut a program as long as it still shows what is looked for: statements, then what is in them.

What is seen to be no candidate by reading is refused so; the others are decided by runs.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from codemod.experiments.reduce.cutting import cuts
from codemod.experiments.reduce.cutting.edits import Edits, applied, remove
from codemod.experiments.reduce.cutting.tidy import dangles, reachable, tidied, written
from codemod.training.fanout import side_by_side

# What makes a program shorter; what only makes its lines shorter comes when nothing of this goes.
_LINES = (
    cuts.earlier_returns,
    cuts.other_roots,
    cuts.unwrapped,
    cuts.unpaired,
    cuts.unused_parameters,
    cuts.settled_names,
)
_HOLDING = (ast.If, ast.For, ast.While, ast.With, ast.Try)
_WITHIN = (cuts.plainer, cuts.simplified, cuts.shortened, cuts.smaller_numbers)


class OutOfTime(Exception):
    """No more runs may be made."""


@dataclass
class Reducer:
    """Reduces one program. `shows` runs a candidate; it may raise OutOfTime.

    `best` is the smallest text so far that shows it, `told` is called with each. `shapes` runs a
    program and says what its lines bind. `at_once` candidates are run side by side.
    """

    shows: Callable[[str], bool]
    told: Callable[[str], None] = lambda _text: None
    shapes: Callable[[str], cuts.Shapes] = lambda _text: {}
    at_once: int = 1
    best: str = ""
    _tree: ast.Module = field(default_factory=lambda: ast.Module([], []), repr=False)
    # How a candidate is cleaned: the most that the program to begin with can bear.
    _clean: Callable[[ast.Module], ast.Module] = field(default=reachable, repr=False)
    # What was the best once: of two that are as small, either may be cut to the other.
    _were_best: set[str] = field(default_factory=set, repr=False)
    _pool: ThreadPoolExecutor | None = field(default=None, repr=False)

    def reduce(self, text: str) -> str:
        """The smallest program that was found until nothing can be cut, or the time is over."""
        self.best, self._tree = text, ast.parse(text)
        self._were_best = {text}
        with ThreadPoolExecutor(self.at_once) as self._pool, contextlib.suppress(OutOfTime):
            # Comments go at once, and the same program is always written the same.
            self._first(iter([reachable(self._tree)]))
            for clean in (tidied, reachable):
                self._clean, already = clean, written(clean(self._tree)) == self.best
                if already or self._first(iter([clean(self._tree)])) is not None:
                    break
            self._each(cuts.small_tables)
            while self._round():
                pass
        return written(ast.parse(self.best))

    def _round(self) -> bool:
        before = self.best
        for grown in (True, False):
            self._many(cuts.made_up(self._tree, self.shapes(self.best), grown))
        self._statements()
        self._many(cuts.unwrapped(self._tree))
        for edits in _LINES:
            self._each(edits)
        self._many(cuts.parts(self._tree))
        if self.best == before:
            for edits in _WITHIN:
                self._each(edits)
        return self.best != before

    def _statements(self) -> None:
        """Hierarchical delta debugging: the outermost statements first, then those within."""
        depth = 0
        while depth < len(levels := cuts.statements(self._tree)):
            self._many({unit: remove} for unit in levels[depth])
            depth += 1

    def _many(self, edits: Iterator[Edits]) -> None:
        """Make as many of these edits of one tree as can be made together."""
        tree = self._tree

        def first(parts: Iterator[list[Edits]]) -> int | None:
            return self._first(_made(tree, units, part) for part in parts)

        units = list(edits)
        ddmin(units, first)

    def _each(self, edits_of: Callable[[ast.Module], Iterator[Edits]]) -> None:
        """Try the edits of a kind one by one; after one that is taken, those of the new tree.

        The search goes on at the same place: what was refused before it is hardly taken now.
        """
        place: int | None = 0
        while place is not None:
            tree, start = self._tree, place
            rest = list(edits_of(tree))[start:]
            found = self._first(applied(tree, edits) for edits in rest)
            place = None if found is None else start + found

    def _first(self, trees: Iterator[ast.Module]) -> int | None:
        """The number of the first candidate that shows it and is smaller; it is then the best one.

        Some that come behind it are run meanwhile.
        """
        if self._pool is None:
            raise AssertionError("candidates are run within reduce()")
        numbered = ((number, self._candidate(tree)) for number, tree in enumerate(trees))
        waiting = (one for one in numbered if one[1])

        def shows(one: tuple[int, str]) -> bool:
            return self.shows(one[1])

        for (number, text), shown in side_by_side(self._pool, self.at_once, shows, waiting):
            if shown:
                self.best, self._tree = text, ast.parse(text)
                self._were_best.add(text)
                self.told(text)
                return number
        return None

    def _candidate(self, tree: ast.Module) -> str:
        """The text of a candidate; empty where it cannot be one, or is no smaller."""
        try:
            clean = self._clean(tree)
            text = written(clean)
            ast.parse(text)
            known = text in self._were_best or not size(clean) <= size(self._tree)
            return "" if known or dangles(clean, self._tree) else text
        except (SyntaxError, ValueError):
            return ""  # an edit left a node without what it needs


def _made(tree: ast.Module, units: list[Edits], kept: list[Edits]) -> ast.Module:
    left = {id(edits) for edits in kept}
    # Of two edits of one node the first is made.
    others = (edits for edits in reversed(units) if id(edits) not in left)
    made: ast.Module = applied(tree, {node: edit for one in others for node, edit in one.items()})
    return made


def size(tree: ast.Module) -> tuple[int, int, int]:
    """Statements (those that hold others count twice), nodes of the tree, sum of whole numbers.

    Nothing that is cut makes this larger.
    """
    nodes = list(ast.walk(tree))
    numbers = (node.value for node in nodes if isinstance(node, ast.Constant))
    whole = sum(abs(value) for value in numbers if type(value) is int)
    lines = sum(isinstance(node, ast.stmt) for node in nodes)
    return lines + sum(isinstance(node, _HOLDING) for node in nodes), len(nodes), whole


_Unit = TypeVar("_Unit")


def ddmin(
    units: Sequence[_Unit], first: Callable[[Iterator[list[_Unit]]], int | None]
) -> list[_Unit]:
    """A part of `units`, in order, of which no unit can be taken away alone.

    `first(parts)` gives the number of the first part that still shows it, None where none does;
    all of `units` does. It is Zeller's and Hildebrandt's ddmin without its look at single parts,
    which hardly ever helps in a program: a part of its statements does not run. picire has it too,
    but cannot be imported without pkg_resources, which setuptools no longer has.
    """
    kept, parts = list(units), 2
    while kept:
        size = max(1, len(kept) // parts)
        smaller = _without_stretches(kept, size, first)
        if len(smaller) < len(kept):
            kept, parts = smaller, max(2, parts - 1)
        elif size == 1:
            break
        else:
            parts = min(len(kept), 2 * parts)
    return kept


def _without_stretches(
    kept: list[_Unit], size: int, first: Callable[[Iterator[list[_Unit]]], int | None]
) -> list[_Unit]:
    """`kept` without all stretches of that size that it can do without, from its end on."""
    # From the end: what uses a name goes before what binds it.
    end = len(kept)
    while end > 0:
        ends = range(end, 0, -size)
        found = first(kept[: max(0, one - size)] + kept[one:] for one in ends)
        if found is None:
            break
        end = max(0, ends[found] - size)
        kept = kept[:end] + kept[ends[found] :]
    return kept
