"""Find in a kit's source what a record names: a layer's attribute, a draw of a random number."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from codemod.training.record import Record

_RANDOM = ("random.", "np.random.", "numpy.random.")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, 1-based; `scope` is the function that holds it, empty where unknown."""

    file: str
    line: int
    scope: str = ""


def in_kit(file: str, root: Path | None) -> bool:
    """Whether a file is the kit's own: within its root, and no installed package."""
    if root is None or "site-packages" in file or file.startswith("<"):
        return False
    return Path(file).resolve().is_relative_to(root.resolve())


def shown(file: str, root: Path | None) -> str:
    """The path as a user of the kit knows it."""
    return Path(file).resolve().relative_to(root.resolve()).as_posix() if root else file


def line_text(place: Place | None) -> str:
    """The line itself; empty where it cannot be read."""
    if place is None:
        return ""
    lines = _text(place.file).splitlines()
    return lines[place.line - 1] if 0 < place.line <= len(lines) else ""


@lru_cache(maxsize=64)
def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@lru_cache(maxsize=64)
def _tree(file: str) -> ast.Module:
    try:
        return ast.parse(_text(file))
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _methods(file: str, qualname: str) -> Iterator[ast.FunctionDef]:
    """The methods of a class, by its name within the file."""
    name = qualname.rpartition(".")[2]
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ClassDef) and node.name == name:
            yield from (item for item in node.body if isinstance(item, ast.FunctionDef))


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []


def attribute_place(file: str, qualname: str, attribute: str) -> Place | None:
    """Where `self.attribute` is assigned, in `forward` or another method before `__init__`."""
    found: list[Place] = []
    for method in _methods(file, qualname):
        for node in ast.walk(method):
            found += [
                Place(file, part.lineno, method.name)
                for target in _targets(node)
                for part in ast.walk(target)
                if isinstance(part, ast.Attribute) and part.attr == attribute
            ]
    order = {"forward": 0, "__init__": 2}
    return min(found, key=lambda place: order.get(place.scope, 1), default=None)


def draw_place(file: str, qualname: str) -> Place | None:
    """The first draw of a Python or NumPy random number outside `__init__`."""
    for method in _methods(file, qualname):
        if method.name == "__init__":
            continue
        for node in ast.walk(method):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(_RANDOM):
                return Place(file, node.lineno, method.name)
    return None


@dataclass(frozen=True, slots=True)
class Owner:
    """The class of a layer; `file` is a module's name for Paddle's own layers."""

    path: str
    name: str
    file: str


def owner_of(record: Record, path: str) -> Owner | None:
    """The layer that a dotted name belongs to: the longest known path that it begins with."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        for line in record.layers:
            head = ".".join(parts[:length])
            if head in line["layers"]:
                name, file = line["classes"][line["layers"][head]]
                return Owner(head, str(name), str(file))
    return None


def made_at(record: Record, name: str, root: Path | None) -> Place | None:
    """Where the kit makes what `name` belongs to, in the innermost of its own layers around it."""
    parts = name.partition("@")[0].split(".")
    for length in range(len(parts) - 1, 0, -1):
        owner = owner_of(record, ".".join(parts[:length]))
        if owner is not None and in_kit(owner.file, root):
            rest = parts[owner.path.count(".") + 1]
            place = attribute_place(owner.file, owner.name, rest)
            if place is not None:
                return place
    return None


def kit_classes(record: Record, root: Path | None) -> list[Any]:
    """`[name, file]` of all classes of layers that the kit defines, without repetition."""
    found: list[Any] = []
    for line in record.layers:
        found += [one for one in line["classes"] if in_kit(one[1], root) and one not in found]
    return found
