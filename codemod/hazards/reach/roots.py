"""The classes that a config names: the model itself, and the parts that it is built from.

General over kits: a string (or a mapping's key) under the config's model keys that names a
layer or a factory of the kit. Where several files define the name, the one whose path shares
most words with the place in the config is meant. Which keys hold the model, and a model that
no key names, are data: `nets` of `rules/<Kit>/configs.yaml`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from codemod.base.files.data_folder import table_beside
from codemod.hazards.reach.builds import Builder
from codemod.hazards.reach.index import Class, Function, Index
from codemod.kits.config_rule import ConfigRule, lookup

_NAME = re.compile(r"^[A-Za-z_]\w*$")
_PADDLES = frozenset({"nn", "paddle"})
_APART = frozenset(table_beside(__file__, "roots.yaml")["apart"])
# A block with one of them does not name a class by its key.
_SAYING = frozenset(("name", "type", "framework"))
_DEEPEST = 12
# How much more a class counts that is decorated: a registry of the kit knows it.
_REGISTERED = 3
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """A class that a config names, and the key under which it is named."""

    key: str
    owner: Class


@dataclass(frozen=True, slots=True)
class Roots:
    """What a config trains: the nets at its top, and every component that it names."""

    config: str
    nets: tuple[Class, ...]
    components: tuple[Component, ...]
    words: frozenset[str]  # every key that the config sets to something


@dataclass(frozen=True, slots=True)
class _Walk:
    """A walk through a config; it leaves the components that it found, with their depths."""

    config: dict[str, Any]
    path: str
    found: list[tuple[int, Component]] = field(default_factory=list)
    entered: set[str] = field(default_factory=set)  # blocks at the config's top


class RootFinder:
    """Finds what the configs of one kit name."""

    def __init__(self, index: Index, builder: Builder, rule: ConfigRule) -> None:
        self.index = index
        self.builder = builder
        self.rule = rule
        self.aside = rule.aside
        self._apart = _APART | frozenset(rule.apart)
        self._chosen = cache(self._choose)
        self._files = cache(self._files_of)

    def roots(self, path: str, config: dict[str, Any]) -> Roots:
        """The roots of one config; empty `nets` where it names no class of the kit."""
        found: list[tuple[int, Component]] = []
        placed: list[Class] = []
        for net in self.nets_of(config):
            if ":" in net:
                placed += self._placed(net, path)
            else:
                walk = _Walk(config, path)
                self._collect(lookup(config, net), tuple(net.split(".")), 0, walk)
                found += walk.found
        found += self._defaults([c for _, c in found], config, path)
        top = min((depth for depth, _ in found), default=0)
        nets = placed or [c.owner for depth, c in found if depth == top]
        components = tuple(dict.fromkeys(c for _, c in found))
        return Roots(path, tuple(dict.fromkeys(nets)), components, frozenset(_words(config, [])))

    def nets_of(self, config: dict[str, Any]) -> tuple[str, ...]:
        """The keys and places of a config's trained layers: those of its model's name first."""
        names = (lookup(config, key) for key in self.rule.model)
        name = next((found for found in names if isinstance(found, str)), "")
        for one in self.rule.named:
            if any(fnmatchcase(name, glob) for glob in one.models):
                return one.nets
        return self.rule.nets or self.rule.model

    # --- places that no key names -------------------------------------------------------

    def _placed(self, net: str, path: str) -> list[Class]:
        """`{folder}/net.py:*`, `file.py:Class`, `file.py:Class.factory`."""
        folder = path.rpartition("/")[0]
        glob = net.format(folder=folder, parent=folder.rpartition("/")[2])
        file, _, name = glob.partition(":")
        return [owner for place in self._files(file) for owner in self._in_file(place, name)]

    def _files_of(self, glob: str) -> list[str]:
        return [path for path in self.index.tree.paths(".py") if fnmatchcase(path, glob)]

    def _in_file(self, place: str, name: str) -> list[Class]:
        head, _, method = name.partition(".")
        if method:
            owner = self.index.defined(place, head)
            factory = self.index.method(owner, method) if isinstance(owner, Class) else None
            made = self.builder.returned(factory, factory.owner) if factory else None
            return made.in_order if made else []
        return [
            owner
            for owner in self.index.classes(place)
            if fnmatchcase(owner.name, head) and self.index.is_layer(owner)
        ]

    # --- names in the config ------------------------------------------------------------

    def _collect(self, value: Any, key: Key, depth: int, walk: _Walk) -> None:
        if depth > _DEEPEST or self._is_aside(key):
            return
        if isinstance(value, dict):
            for name, inner in value.items():
                if inner is None or (isinstance(inner, dict) and not _SAYING & set(inner)):
                    self._add(str(name), (*key, str(name)), depth + 1, walk)
                self._collect(inner, (*key, str(name)), depth + 1, walk)
        elif isinstance(value, list):
            for inner in value:
                self._collect(inner, key, depth, walk)
        elif isinstance(value, str):
            self._add(value, key, depth, walk)

    def _add(self, name: str, key: Key, depth: int, walk: _Walk) -> None:
        for owner in self.named(name, key, walk.config, walk.path):
            walk.found.append((depth, Component(_label(key), owner)))
            block = walk.config.get(name)
            if name not in walk.entered and isinstance(block, dict):
                walk.entered.add(name)
                self._collect(block, (*key, name), depth + 1, walk)

    def _is_aside(self, key: Key) -> bool:
        return any(fnmatchcase(".".join(key), glob) for glob in self.aside)

    def _defaults(
        self, components: list[Component], config: dict[str, Any], path: str
    ) -> Iterator[tuple[int, Component]]:
        """Arguments whose default is a class's name, where the config sets nothing else."""
        given = {(c.key.lower()) for c in components}
        queue = [c.owner for c in components]
        seen: set[Class] = set()
        while queue:
            owner = queue.pop()
            maker = self.index.method(owner, "__init__") if owner not in seen else None
            seen.add(owner)
            for name, default in maker.defaults.items() if maker else ():
                text = default.value if isinstance(default, ast.Constant) else None
                known = name.lower() in given or self._is_aside((owner.name, name))
                if isinstance(text, str) and not known:
                    for part in self.named(text, (name,), config, path):
                        yield _DEEPEST, Component(name, part)
                        queue.append(part)

    def named(self, name: str, place: Key, config: dict[str, Any], path: str) -> tuple[Class, ...]:
        """The classes that a name can mean, seen from a place in a config.

        `nn.LayerNorm` is Paddle's, whatever class of the kit has the same last name.
        """
        owner, _, name = name.rpartition(".")
        if owner.partition(".")[0] in _PADDLES:
            return ()
        if not _NAME.match(name) or name not in self.index.places:
            return ()
        return self._chosen(name, _context(place, config, path))

    def _choose(self, name: str, context: frozenset[str]) -> tuple[Class, ...]:
        """The classes in the files that fit best; a file that no longer can is not parsed."""
        places = self.index.places[name]
        scores = [self._score(place, context) for place in places]
        best = -sys.maxsize
        found: dict[int, list[Class]] = {}
        for number in sorted(range(len(places)), key=lambda one: -scores[one]):
            if scores[number] + _REGISTERED < best:
                break
            made = self.index.defined(places[number], name)
            classes = self._classes(made)
            if classes:
                registered = isinstance(made, Class) and bool(made.node.decorator_list)
                score = scores[number] + _REGISTERED * registered
                if score > best:
                    best, found = score, {}
                if score == best:
                    found[number] = classes
        return tuple(dict.fromkeys(one for number in sorted(found) for one in found[number]))

    def _score(self, place: str, context: frozenset[str]) -> int:
        """How well a file fits the place in the config; folders of other programs come last."""
        parts = [part.lower() for part in place.split("/")]
        apart = [p for p in parts[:-1] if p in self._apart and p.rstrip("s") not in context]
        hits = sum(any(word in part for part in parts) for word in context)
        prefix = any(parts[-1].startswith(f"{word}_") for word in context)
        return hits + prefix - 10 * len(apart)

    def _classes(self, found: Class | Function | None) -> list[Class]:
        if isinstance(found, Class):
            called = self.index.is_layer(found) or self.index.method(found, "__call__")
            return [found] if called else []
        if isinstance(found, Function):
            return self.builder.returned(found, None).in_order
        return []


def _label(key: Key) -> str:
    """The key that says what a component is: `Backbone` of `Arch.Backbone.name`."""
    plain = [part for part in key if part not in _SAYING]
    return plain[-1] if plain else key[-1]


def _context(key: Key, config: dict[str, Any], path: str) -> frozenset[str]:
    """Words that say where a name stands: its keys, the config's folders, the task."""
    words = [*key, *path.split("/")[:-1]]
    top = config.get(key[0])
    if isinstance(top, dict):
        words += [str(v) for k, v in top.items() if isinstance(v, str) and "type" in k]
    return frozenset(word.lower().rstrip("s") for word in words if len(word) > 2)


def _words(value: Any, found: list[str]) -> list[str]:
    """The keys below a value that are set to something, after those that were found before."""
    if isinstance(value, dict):
        found += [str(name) for name, inner in value.items() if inner not in (False, None)]
        value = value.values()
    elif not isinstance(value, list):
        return found
    for inner in value:
        if isinstance(inner, (dict, list)):
            _words(inner, found)
    return found
