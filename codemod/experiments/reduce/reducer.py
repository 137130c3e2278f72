"""Cut a program as long as it still shows what is looked for: statements, then what is in them.

Every candidate is decided by a run.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from codemod.experiments.reduce import cuts
from codemod.experiments.reduce.ddmin import ddmin
from codemod.experiments.reduce.tidy import reachable, tidied, written

_Level = tuple[cst.Module, list[cst.CSTNode]]
# In this order: what takes away most with the fewest runs comes first.
_SINGLE = (
    cuts.other_roots,
    cuts.unwrapped,
    cuts.unused_parameters,
    cuts.settled_names,
    cuts.simplified,
    cuts.shortened,
    cuts.smaller_numbers,
)


class OutOfTime(Exception):
    """No more runs may be made."""


def _text(module: cst.Module, edits: cuts.Edits) -> str:
    return reachable(cuts.applied(module, edits))


def _tidied(module: cst.Module, edits: cuts.Edits) -> str:
    return tidied(cuts.applied(module, edits))


@dataclass
class Reducer:
    """Reduces one program. `shows` runs a candidate; it may raise OutOfTime.

    `best` is the smallest text so far that shows it, `told` is called with each. `shapes` runs a
    program and says what its lines bind.
    """

    shows: Callable[[str], bool]
    told: Callable[[str], None] = lambda _text: None
    shapes: Callable[[str], cuts.Shapes] = lambda _text: {}
    best: str = ""

    def reduce(self, text: str) -> str:
        """The smallest program that was found until nothing can be cut, or the time is over."""
        self.best = text
        with contextlib.suppress(OutOfTime):
            # Comments go at once, and the same program is always written the same.
            self._try(reachable(written(text)))
            while self._round():
                pass
        return written(self.best)

    def _round(self) -> bool:
        before = self.best
        self._each(self._made_up, _tidied)
        self._statements()
        for edits in _SINGLE:
            self._each(edits)
            if edits is not cuts.smaller_numbers and len(self.best) < len(before) // 2:
                break  # so much is gone that whole statements may go now
        return self.best != before

    def _statements(self) -> None:
        """Hierarchical delta debugging: the outermost statements first, then those within."""
        depth = 0
        while depth < len(cuts.statements(cst.parse_module(self.best))):
            module = cst.parse_module(self.best)
            units = cuts.statements(module)[depth]

            def shows(part: list[cst.CSTNode], among: _Level = (module, units)) -> bool:
                kept = set(part)
                gone = {unit: cuts.remove for unit in among[1] if unit not in kept}
                return self._try(cuts.applied(among[0], gone))

            ddmin(units, shows)
            depth += 1

    def _made_up(self, module: cst.Module) -> Iterator[cuts.Edits]:
        return cuts.made_up(module, self.shapes(self.best))

    def _each(
        self,
        edits_of: Callable[[cst.Module], Iterator[cuts.Edits]],
        text: Callable[[cst.Module, cuts.Edits], str] = _text,
    ) -> None:
        """Try the edits of a kind one by one; after one that is taken, those of the new tree.

        The search goes on at the same place: what was refused before it is hardly taken now.
        """
        place = 0
        while True:
            module = cst.parse_module(self.best)
            edits = list(edits_of(module))
            taken = (n for n in range(place, len(edits)) if self._try(text(module, edits[n])))
            found = next(taken, None)
            if found is None:
                return
            place = found

    def _try(self, text: str) -> bool:
        """Whether a candidate shows it and is smaller; it is then the best one."""
        if text == self.best:
            return True
        small = size(text)
        if small is None or not small <= (size(self.best) or small):
            return False
        if not self.shows(text):
            return False
        self.best = text
        self.told(text)
        return True


def size(text: str) -> tuple[int, int, int] | None:
    """Lines, nodes of the syntax tree, sum of whole numbers; None for what is no Python.

    Whatever is cut makes this smaller, so that no reduction goes round in circles.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    nodes = list(ast.walk(tree))
    numbers = (node.value for node in nodes if isinstance(node, ast.Constant))
    whole = sum(abs(value) for value in numbers if type(value) is int)
    return len(ast.unparse(tree).splitlines()), len(nodes), whole
