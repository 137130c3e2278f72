"""Cut a program as long as it still shows what is looked for: statements, then what is in them.

Every candidate is decided by a run.
"""

from __future__ import annotations

import ast
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from codemod.experiments.reduce import cuts
from codemod.experiments.reduce.ddmin import ddmin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


@dataclass
class Reducer:
    """Reduces one program. `shows` runs a candidate; it may raise OutOfTime.

    `best` is the smallest text so far that shows it, `told` is called with each.
    """

    shows: Callable[[str], bool]
    told: Callable[[str], None] = lambda _text: None
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

    def _each(self, edits_of: Callable[[cst.Module], Iterator[cuts.Edits]]) -> None:
        """Try the edits of a kind one by one; after one that is taken, those of the new tree.

        The search goes on at the same place: what was refused before it is hardly taken now.
        """
        place = 0
        while True:
            module = cst.parse_module(self.best)
            edits = list(edits_of(module))
            taken = (n for n in range(place, len(edits)) if self._try(_text(module, edits[n])))
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


def written(text: str) -> str:
    """The program as Python itself writes it, two lines apart at its outermost level."""
    parts = [ast.unparse(node) for node in ast.parse(text).body]
    lines = ["\n\n" + part if "\n" in part else part for part in parts]
    return "\n".join(lines).lstrip("\n") + "\n"


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


def _text(module: cst.Module, edits: cuts.Edits) -> str:
    return reachable(cuts.applied(module, edits))


def reachable(text: str) -> str:
    """The program without what stands at its outermost level and is named nowhere that counts."""
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError:
        return text
    tree = ast.parse(text)
    bound = [_binds(node) for node in tree.body]
    wanted, named = {*cuts.KEPT}, [_named(node) for node in tree.body]
    size_before = -1
    while len(wanted) != size_before:
        size_before = len(wanted)
        for names, uses in zip(bound, named, strict=True):
            if not names or names & wanted:
                wanted |= uses
    gone: dict[cst.CSTNode, cuts.Edit] = {
        line: cuts.remove
        for line, names in zip(module.body, bound, strict=False)
        if names and not names & wanted
    }
    return cuts.applied(module, gone) if gone else text


def _binds(node: ast.stmt) -> set[str]:
    """The names that a statement does nothing but bind; none for one that does more."""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(name.asname or name.name).partition(".")[0] for name in node.names}
    if isinstance(node, ast.Assign):
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        return names if len(names) == len(node.targets) else set()
    return set()


def _named(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
