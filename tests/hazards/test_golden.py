"""What the analysis knows of one small kit, line by line: the comments in `golden_kit` say it.

`reveal(value)  # TENSOR|HOLDER` is the kind of a value (`?`: nothing is known; `kind / kind`: one a
concrete class), and a line with `# D-05` has that hazard. A line without a comment has none, or
is not reached. `golden_kit/edges.txt` lists which function calls which, each with its class.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codemod.code.tree import Tree
from codemod.hazards.reach.index import Class
from codemod.hazards.reach.values import Flag
from codemod.hazards.scan import Scanner

if TYPE_CHECKING:
    from codemod.hazards.reach.index import Unit
    from codemod.hazards.reach.values import ValueKind

KIT = Path(__file__).parent / "golden_kit"
FILES = ("attributes.py", "builds.py", "calls.py", "expressions.py", "flow.py")


@pytest.fixture(scope="module")
def scanned() -> tuple[Scanner, list[Unit]]:
    """The kit, scanned once, with every layer of the files as a root."""
    scanner = Scanner(Tree(KIT))
    nets = [net for file in FILES for net in scanner.index.classes(file)]
    return scanner, scanner.units([net for net in nets if scanner.index.is_layer(net)])


def shown(kind: ValueKind) -> str:
    """`TENSOR|READ`, `HOLDER(TENSOR, PYTHON)`, `?`."""
    bits = {name: bit for name, bit in vars(Flag).items() if name.isupper()}
    flags = "|".join(name for name, bit in bits.items() if bit & kind.flags) or "?"
    return f"{flags}({', '.join(map(shown, kind.items))})" if kind.items else flags


def revealed(units: list[Unit]) -> dict[tuple[str, int], str]:
    """The kinds at each `reveal(...)` that training can run, by file and line."""
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    for unit in units:
        for node, line in reveals(unit.function.node).items():
            if node in unit.kinds:
                found[unit.function.module.path, line].add(shown(unit.kinds[node]))
    return {place: " / ".join(sorted(kinds)) for place, kinds in found.items()}


def reveals(function: ast.AST) -> dict[ast.AST, int]:
    """The arguments of `reveal`, with their lines."""
    return {
        node.args[0]: node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "reveal"
    }


def comments(file: str) -> dict[int, str]:
    """The comments of a file of the kit, by line."""
    text = (KIT / file).read_text(encoding="utf-8")
    return {
        token.start[0]: token.string.removeprefix("# ")
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }


def edges(units: list[Unit]) -> list[str]:
    """`caller -> callee`, each with its concrete class, and calls that a config must settle."""
    found = set()
    for unit in units:
        found |= {f"{name(unit)} -> {name(other)}" for other in unit.edges}
        found |= {f"{name(unit)} -> config: {held}.{method}" for held, method in unit.open}
    return sorted(found)


def name(unit: Unit) -> str:
    """`Class.method`, and the class that runs it where that is another one."""
    defined, runs = unit.function.owner, unit.owner
    place = f"{unit.function.module.path}:{unit.function.scope}"
    return place if defined is runs or runs is None else f"{place} [{runs.name}]"


@pytest.mark.parametrize("file", [*FILES, "lib/helpers.py"])
def test_kinds_and_hazards_are_as_the_comments_say(
    scanned: tuple[Scanner, list[Unit]], file: str
) -> None:
    scanner, units = scanned
    found = {line: text for (path, line), text in revealed(units).items() if path == file}
    for one in scanner.collect(units, None):
        if one.file == file:
            found[one.line] = "  ".join(filter(None, (found.get(one.line), one.id)))
    assert found == comments(file)


def test_calls_come_to_these_functions(scanned: tuple[Scanner, list[Unit]]) -> None:
    assert edges(scanned[1]) == (KIT / "edges.txt").read_text(encoding="utf-8").splitlines()


def test_which_classes_are_layers(scanned: tuple[Scanner, list[Unit]]) -> None:
    scanner, _ = scanned
    plain = {
        found.name
        for file in (*FILES, "lib/helpers.py")
        for found in scanner.index.classes(file)
        if isinstance(found, Class) and not scanner.index.is_layer(found)
    }
    assert plain == {"Counter", "Maker", "Mixed", "Plain"}
