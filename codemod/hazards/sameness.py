"""Which configs build the same computation: the same classes and switches, in other sizes.

Two configs are alike when they name the same nets and parts, meet the same hazards, and set the
same words, flags and kinds of numbers below the keys that hold the model. How large a number is
does not count, unless it chooses a class: a depth, a number of layers, a version. A factory's name
stands for what it hands to the class that it makes.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from codemod.code.traversal import walk
from codemod.hazards.hazard import Occurrence
from codemod.hazards.reach.index import Function
from codemod.hazards.reach.roots import RootFinder, Roots

# What a net starts from changes no step of it.
_STARTS_FROM = re.compile(r"pretrain|weights?$|checkpoint|load_static|url$", re.I)
# Numbers under such names choose between classes of blocks.
_CHOOSES = re.compile(r"depth$|layers?$|variant|version|arch|mode", re.I)
_NUMBER = re.compile(r"^-?\d+(\.\d+)?$")
_DIGITS = 16
_DEEPEST = 12


def starts_from(name: str) -> bool:
    """Whether a key says what a net starts from, which changes no step of it."""
    return _STARTS_FROM.search(name) is not None


class Sameness:
    """Names the computation of each config of a kit."""

    def __init__(self, finder: RootFinder) -> None:
        self._finder = finder
        self._factories: dict[str, list[Any]] = {}

    def of(self, roots: Roots, config: dict[str, Any], hazards: Iterable[Occurrence]) -> str | None:
        """A digest that alike configs share; None where the config's net is not known."""
        if not roots.nets:
            return None
        parts = {
            "nets": [f"{net.module.path}:{net.name}" for net in roots.nets],
            "parts": sorted(
                {f"{c.key.lower()} {c.owner.module.path}:{c.owner.name}" for c in roots.components}
            ),
            "hazards": sorted({f"{h.id} {h.file}:{h.line}" for h in hazards}),
            "set": self._sections(config),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:_DIGITS]

    def _sections(self, config: dict[str, Any]) -> list[Any]:
        """What stands below the keys of the model, with the blocks at the top that it names."""
        nets = [net for net in self._finder.nets_of(config) if ":" not in net]
        if not nets:
            # The nets have a place in the code: any key may be theirs.
            return [self._plain("", config)]
        found: list[Any] = []
        entered: set[str] = set()
        for net in nets:
            value: Any = config
            for part in net.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            found.append([net, self._plain(net.rpartition(".")[2], value)])
            waiting = list(_strings(value))
            while waiting:
                name = waiting.pop(0)
                block = config.get(name)
                if isinstance(block, dict) and name not in entered:
                    entered.add(name)
                    found.append([name, self._plain(name, block)])
                    waiting += _strings(block)
        return sorted(found, key=json.dumps)

    def _plain(self, key: str, value: Any, depth: int = 0) -> Any:
        if depth > _DEEPEST:
            return "…"
        if isinstance(value, dict):
            return {
                str(name): self._plain(str(name), inner, depth + 1)
                for name, inner in value.items()
                if not starts_from(str(name)) and not self._aside(str(name))
            }
        if isinstance(value, (list, tuple)):
            # A list of depths says how often blocks are repeated, not which.
            return [self._plain("", inner, depth + 1) for inner in value]
        if isinstance(value, str) and "/" in value:
            return "path"
        if isinstance(value, str) and not _NUMBER.match(value):
            return self._factory(value) or value
        return _size(key, value)

    def _aside(self, name: str) -> bool:
        return any(fnmatchcase(name, glob.rpartition(".")[2]) for glob in self._finder.aside)

    def _factory(self, name: str) -> list[Any] | None:
        """What the factory functions of that name hand to classes; None where there is none."""
        if name not in self._factories:
            index = self._finder.index
            made: list[Any] = []
            for place in index.places.get(name, ()):
                found = index.defined(place, name)
                if isinstance(found, Function):
                    made.append([place, *self._handed(found, 0)])
            self._factories[name] = made
        return self._factories[name] or None

    def _handed(self, factory: Function, depth: int) -> Iterator[Any]:
        """The calls of a factory that make something of the kit, with what they are given."""
        for node in walk(factory.node):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            called = self._finder.index.resolve(factory.module, name)
            if called is None or starts_from(name):
                continue
            given = [
                [word.arg or "**", self._expression(factory, word.arg or "", word.value)]
                for word in node.keywords
            ]
            given += [["", self._expression(factory, "", value)] for value in node.args]
            yield [name, given]
            if isinstance(called, Function) and called is not factory and depth < _DEEPEST:
                yield from self._handed(called, depth + 1)

    def _expression(self, factory: Function, key: str, value: ast.expr) -> Any:
        """An argument: constants of the file as what they hold, numbers as their kind."""
        if isinstance(value, ast.Subscript):
            table = _constant(factory.module.tree, value.value)
            for name, inner in _entries(table):
                if isinstance(value.slice, ast.Constant) and name == value.slice.value:
                    return self._expression(factory, key, inner)
        if isinstance(value, ast.Dict):
            return [
                [str(name), self._expression(factory, str(name), inner)]
                for name, inner in _entries(value)
            ]
        if isinstance(value, (ast.List, ast.Tuple)):
            return [self._expression(factory, "", inner) for inner in value.elts]
        if isinstance(value, ast.Constant):
            plain = value.value
            return _size(key, plain) if not isinstance(plain, str) else plain
        if isinstance(value, ast.Name) and (held := _constant(factory.module.tree, value)):
            return self._expression(factory, key, held)
        return ast.unparse(value)


def _size(key: str, value: Any) -> Any:
    """A number as none, some, or, where it chooses a class, itself; all else as it is."""
    if isinstance(value, (bool, type(None))):
        return value
    if _CHOOSES.search(key):
        return str(value)
    if isinstance(value, str):
        value = float(value)
    if isinstance(value, (int, float)):
        return 0 if value == 0 else "n"
    return str(value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
    elif isinstance(value, str):
        yield value


def _constant(tree: ast.Module, name: ast.expr) -> ast.expr | None:
    """What a file assigns to a name at its top."""
    for node in tree.body if isinstance(name, ast.Name) else ():
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == ast.unparse(name):
            return node.value
    return None


def _entries(table: ast.expr | None) -> Iterator[tuple[object, ast.expr]]:
    if isinstance(table, ast.Dict):
        for name, inner in zip(table.keys, table.values, strict=True):
            if isinstance(name, ast.Constant):
                yield name.value, inner
