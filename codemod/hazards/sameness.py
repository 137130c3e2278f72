"""Which configs build the same computation: the same classes and switches, in other sizes.

Two configs are alike when they name the same nets and parts, meet the same hazards, and set the
same words, flags and kinds of numbers below the keys that hold the model. How large a number is
does not count, unless it chooses a class: a depth, a number of layers, a version. A factory's name
stands for what it hands to the class that it makes, and of classes of the same code but for their
numbers each for the first.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache, partial
from typing import Any

from codemod.code.traversal import walk
from codemod.hazards.chosen import chosen, collapsed
from codemod.hazards.hazard import Occurrence
from codemod.hazards.reach.index import Class, Function
from codemod.hazards.reach.roots import RootFinder, Roots
from codemod.hazards.twins import CHOOSES, first_twin
from codemod.kits.config_rule import lookup

# What a net starts from, and how fast its parts learn, changes no step of it.
_STARTS_FROM = re.compile(
    r"pretrain|weights?$|checkpoint|load_static|url$|lr_mult|relative_lr|^lr$|learning_rate", re.I
)
_NUMBER = re.compile(r"^-?\d+(\.\d+)?$")
# The place of a block among many: it names a stage's end.
_COUNTED = re.compile(r"\[\d+\]")
_SAYING = ("name", "type")
_DIGITS = 16
_DEEPEST = 12
_Makers = dict[str, Class]


def starts_from(name: str) -> bool:
    """Whether a key says what a net starts from, which changes no step of it."""
    return _STARTS_FROM.search(name) is not None


class Sameness:
    """Names the computation of each config of a kit."""

    def __init__(self, finder: RootFinder) -> None:
        self._finder = finder
        self._globs = [glob.rpartition(".")[2] for glob in finder.aside]
        self._aside = cache(self._is_aside)
        self._factories: dict[str, list[Any]] = {}
        self._chosen = cache(partial(chosen, finder.index))
        self._twin = cache(partial(first_twin, finder.index))
        self._class = cache(self._class_name)

    def of(self, roots: Roots, config: dict[str, Any], hazards: Iterable[Occurrence]) -> str | None:
        """A digest that alike configs share; None where the config's net is not known."""
        if not roots.nets:
            return None
        parts = {
            "nets": [self._twin(net).place for net in roots.nets],
            "parts": sorted(
                {f"{c.key.lower()} {self._twin(c.owner).place}" for c in roots.components}
            ),
            "hazards": sorted({f"{h.id} {h.file}:{self._line(h)}" for h in hazards}),
            "set": self._sections(roots, config),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:_DIGITS]

    def _line(self, hazard: Occurrence) -> int:
        """Its line, in the first of the classes that are that one in other sizes."""
        owner = self._finder.index.defined(hazard.file, hazard.scope.partition(".")[0])
        if not isinstance(owner, Class) or owner.module.path != hazard.file:
            return hazard.line
        return hazard.line - owner.node.lineno + self._twin(owner).node.lineno

    def _class_name(self, name: str) -> str:
        """The first of the classes that are the one of that name in other sizes."""
        index = self._finder.index
        places = index.places.get(name, ())
        found = index.defined(places[0], name) if len(places) == 1 else None
        return self._twin(found).name if isinstance(found, Class) else name

    def _sections(self, roots: Roots, config: dict[str, Any]) -> list[Any]:
        """What stands below the keys of the model, with the blocks at the top that it names."""
        makers = self._makers(roots)
        nets = [net for net in self._finder.nets_of(config) if ":" not in net]
        if not nets:
            # The nets have a place in the code: any key may be theirs.
            return [self._plain("", config, makers)]
        found: list[Any] = []
        entered: set[str] = set()
        for net in nets:
            value = lookup(config, net)
            found.append([net, self._plain(net.rpartition(".")[2], value, makers)])
            waiting = list(self._strings(value))
            while waiting:
                name = waiting.pop(0)
                block = config.get(name)
                if isinstance(block, dict) and name not in entered:
                    entered.add(name)
                    found.append([name, self._plain(name, block, makers)])
                    waiting += self._strings(block)
        return sorted(found, key=json.dumps)

    def _strings(self, value: Any) -> Iterator[str]:
        """All words of a block but what is none of a net's."""
        if isinstance(value, dict):
            for name, inner in value.items():
                if not self._aside(str(name)):
                    yield str(name)
                    yield from self._strings(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from self._strings(inner)
        elif isinstance(value, str):
            yield value

    def _makers(self, roots: Roots) -> _Makers:
        """The classes that the config names, by their names; those that two have are left out."""
        owners = dict.fromkeys((*roots.nets, *(c.owner for c in roots.components)))
        count = Counter(owner.name for owner in owners)
        return {owner.name: owner for owner in owners if count[owner.name] == 1}

    def _plain(self, key: str, value: Any, makers: _Makers, depth: int = 0) -> Any:
        if depth > _DEEPEST:
            return "…"
        if isinstance(value, dict):
            return self._block(key, value, makers, depth)
        if isinstance(value, (list, tuple)):
            return collapsed([self._plain("", inner, makers, depth + 1) for inner in value])
        if isinstance(value, str):
            return self._text(key, value)
        return _size(key, value)

    def _block(self, key: str, block: dict[str, Any], makers: _Makers, depth: int) -> Any:
        """A block as the class takes it that it is of, where that is known."""
        names = (key, *(block.get(word) for word in _SAYING))
        owner = next((makers[name] for name in names if name in makers), None)
        init = self._finder.index.method(owner, "__init__") if owner else None
        plain = {
            str(name): self._plain(str(name), inner, makers, depth + 1)
            for name, inner in block.items()
            if not self._aside(str(name))
        }
        return self._filled(init, owner, block, plain) if init else plain

    def _filled(
        self, maker: Function, owner: Class | None, given: dict[str, Any], plain: dict[str, Any]
    ) -> dict[str, Any]:
        """All arguments of a call: what they choose, and defaults where none are given."""
        for name in maker.parameters[1 if maker.owner else 0 :]:
            if self._aside(name):
                continue
            default = maker.defaults.get(name)
            if name in given:
                value = given[name]
            elif default is not None:
                plain[name] = self._expression(maker, name, default)
                value = default.value if isinstance(default, ast.Constant) else None
            else:
                # The kit's own code gives it: as a number, where configs do so.
                plain[name], value = "n", None
            if choice := self._choice(maker, owner, name, value):
                plain[name] = choice
        return plain

    def _choice(
        self, maker: Function, owner: Class | None, name: str, value: Any
    ) -> list[str] | str | None:
        """What an argument chooses; None where it counts as it is."""
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not isinstance(value, str) and not (number and CHOOSES.search(name)):
            return None
        found = self._chosen(maker, owner, name, value)
        # A text that chooses nothing is handed on unseen; a number is one.
        return "n" if number and found == [] else found or None

    def _is_aside(self, name: str) -> bool:
        """Whether a key is none of a net's, or says what it starts from or how fast it learns."""
        return starts_from(name) or any(fnmatchcase(name, glob) for glob in self._globs)

    def _text(self, key: str, value: str) -> Any:
        if "/" in value:
            return "path"
        if _NUMBER.match(value):
            return _size(key, value)
        return self._factory(value) or _COUNTED.sub("[n]", self._class(value))

    def _factory(self, name: str) -> list[Any] | None:
        """What the factory functions of that name hand to classes; None where there is none."""
        if name not in self._factories:
            index = self._finder.index
            made: list[Any] = []
            self._factories[name] = made  # one that hands on its own name
            for place in index.places.get(name, ()):
                found = index.defined(place, name)
                if isinstance(found, Function):
                    made.append([place, *self._handed(found, 0)])
        return self._factories[name] or None

    def _handed(self, factory: Function, depth: int) -> Iterator[Any]:
        """The calls of a factory that make something of the kit, with what they are given."""
        index = self._finder.index
        for node in walk(factory.node):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            called = index.resolve(factory.module, name)
            if called is None or starts_from(name):
                continue
            if isinstance(called, Class):
                init = index.method(called, "__init__")
                yield [name, self._arguments(factory, node, called, init)]
                continue
            yield [name, self._arguments(factory, node, None, called)]
            if called is not factory and depth < _DEEPEST:
                yield from self._handed(called, depth + 1)

    def _arguments(
        self, factory: Function, call: ast.Call, owner: Class | None, maker: Function | None
    ) -> dict[str, Any]:
        """What a call gives, by parameter; what it hands on as it came is not told."""
        names = maker.parameters[1 if maker.owner else 0 :] if maker else ()
        given: dict[str, ast.expr] = {}
        for at, value in enumerate(call.args):
            given[names[at] if at < len(names) else f"{at}"] = value
        given |= {word.arg: word.value for word in call.keywords if word.arg}
        plain = {
            name: self._expression(factory, name, value)
            for name, value in given.items()
            if not self._aside(name)
        }
        if maker is None:
            return plain
        held = {n: v.value if isinstance(v, ast.Constant) else None for n, v in given.items()}
        return self._filled(maker, owner, held, plain)

    def _expression(self, factory: Function, key: str, value: ast.expr) -> Any:
        """An argument: constants of the file as what they hold, numbers as their kind."""
        match value:
            case ast.Subscript():
                table = _constant(factory.module.tree, value.value)
                for name, inner in _entries(table):
                    if isinstance(value.slice, ast.Constant) and name == value.slice.value:
                        return self._expression(factory, key, inner)
            case ast.Dict():
                return {
                    str(name): self._expression(factory, str(name), inner)
                    for name, inner in _entries(value)
                }
            case ast.List() | ast.Tuple():
                return collapsed([self._expression(factory, "", inner) for inner in value.elts])
            case ast.BinOp(op=ast.Mult(), left=ast.List() as some):
                return self._expression(factory, key, some)
            case ast.BinOp(op=ast.Add()):
                sides = [self._expression(factory, key, v) for v in (value.left, value.right)]
                if all(isinstance(side, list) for side in sides):
                    return collapsed([*sides[0], *sides[1]])
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return _size(key, -number)
            case ast.Constant():
                plain = value.value
                return self._text(key, plain) if isinstance(plain, str) else _size(key, plain)
            case ast.Name() if held := _constant(factory.module.tree, value):
                return self._expression(factory, key, held)
        return ast.unparse(value)


def _size(key: str, value: Any) -> Any:
    """A number as its sign or, where it chooses a class, itself; all else as it is."""
    if isinstance(value, (bool, type(None))):
        return value
    if CHOOSES.search(key):
        return str(value)
    if isinstance(value, str):
        value = float(value)
    if isinstance(value, (int, float)):
        return 0 if value == 0 else "n" if value > 0 else "-n"
    return str(value)


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
