"""How a kit's configs are read and lead to its hooks: `rules/<Kit>/configs.yaml`.

They are loaded as the kit loads them: base files merged, custom tags taken as plain data.
"""

from __future__ import annotations

import json
import posixpath
from dataclasses import dataclass
from typing import Any

import yaml

from codemod.base.files.yaml_file import LOADER, check_depth, read_yaml
from codemod.base.reason import Reason
from codemod.base.schema import read_record
from codemod.code.kept import kept
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit
from codemod.kits.folder import CONFIGS, kit_file


@dataclass(frozen=True)
class Need:
    """What a config must have for a hook to act on it.

    The value at the first of `key` that is there must exist, be `one_of` the given and stand in
    the literal list that the code calls `listed`, as far as these are stated; or name a class
    whose constructor `accepts` an argument. `absent` turns it round. `files` are where the code is
    looked up, and code that holds the text `unless` makes the need void. `refused` says that the
    rule leaves such configs alone on purpose, which is nothing to mend. With `behind` the hook is
    reached all the same, and training with it fails or is wrong.
    """

    key: tuple[str, ...]
    why: str
    one_of: tuple[str, ...] = ()
    listed: str = ""
    accepts: str = ""
    absent: bool = False
    files: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    unless: str = ""
    refused: bool = False
    behind: bool = False
    why_zh: str = ""

    @property
    def reason(self) -> Reason:
        """`why`, in both languages."""
        return Reason.said(self.why, self.why_zh)


@dataclass(frozen=True)
class Route:
    """A way from configs to a hook: `FILE:SCOPE` globs, conditions, and needs."""

    hooks: tuple[str, ...]
    when: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True)
class NamedNets:
    """The trained layers of configs whose `model` is one of these globs, as `nets` tells them."""

    models: tuple[str, ...]
    nets: tuple[str, ...]


@dataclass(frozen=True)
class ConfigRule:
    """How the kit's configs are read: which train, what they inherit, what names the model.

    `nets` are the keys under which the names of the trained layers stand, or places in the
    code (`{folder}/net.py:*`, `file.py:Class.factory`); without it `model`. The first of `named`
    whose globs the name of the model matches has others instead. `aside` are globs of dotted
    keys below them that name something else (a criterion outside of the model).
    `apart` are names of folders, in small letters, that hold programs of their own: a config that
    does not name the folder does not mean their classes.
    `code` are globs of files whose layers are trained as they are: a probe takes such a file in the
    place of a config.
    `settled` are hazards (D-71) that the kit's hook itself sees to: notes, no longer warnings.
    """

    routes: tuple[Route, ...]
    trains: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    nets: tuple[str, ...] = ()
    named: tuple[NamedNets, ...] = ()
    aside: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()


def config_rule(kit: Kit) -> ConfigRule | None:
    """The config rule of a kit, None where there is none.

    Raises:
        UsageError: the file is broken, with file and line.
    """
    file = kit_file(kit.name, CONFIGS)
    return read_record(ConfigRule, read_yaml(file)) if file else None


_DEEPEST = 16
# A mapping that is merged into others over and over; more than any config has.
_MOST_MERGED = 20_000
# More values than any config has, each counted as often as aliases name it: a walk would not end.
_MOST_VALUES = 1_000_000
_TEXT = "tag:yaml.org,2002:str"


class _Loader(LOADER):  # type: ignore[misc, valid-type]
    """Reads `!LinearWarmup {...}` as the mapping it holds: the audit builds no objects."""

    # No tag depends on a node's path here, and each node would ask.
    descend_resolver = ascend_resolver = lambda *_: None

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: tuple[bool, bool]) -> str:
        """The tag of a node; that of a plain word, which configs have over and over, is kept."""
        if kind is yaml.ScalarNode and implicit[0]:
            return _tag_of(value)
        return str(super().resolve(kind, value, implicit))

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """As the safe loader does; text, most of a config, without asking further."""
        if node.tag == _TEXT and type(node) is yaml.ScalarNode:
            return node.value
        return super().construct_object(node, deep)

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """As the safe loader does, but without growing twofold with every level.

        Raises:
            yaml.YAMLError: merge keys make more than 20,000 entries.
        """
        super().flatten_mapping(node)
        if len(node.value) > _MOST_MERGED:
            raise yaml.YAMLError("merge keys make a mapping of more than 20,000 entries")


@kept(None)
def _tag_of(word: str) -> str:
    """The tag of a word that is written plainly: `tag:yaml.org,2002:int` for 3."""
    made: Any = LOADER("")
    return str(made.resolve(yaml.ScalarNode, word, (True, False)))


def _plain(loader: Any, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


_Loader.add_multi_constructor("!", _plain)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _plain)


# What PyYAML's constructors raise for `!!timestamp x` and the like.
_TAG_FAULTS = (TypeError, AttributeError, LookupError)


def _yaml(text: str) -> Any:
    """A YAML document as plain data.

    Raises:
        yaml.YAMLError: it is none, is nested deeper than the C library's stack bears, or aliases
            make it endless.
    """
    check_depth(text)
    data = yaml.load(text, Loader=_Loader)  # noqa: S506
    if "*" in text and _values(data, {}) >= _MOST_VALUES:
        raise yaml.YAMLError(f"aliases make more than {_MOST_VALUES:,} values of it")
    return data


def _values(data: Any, known: dict[int, int]) -> int:
    """How many values a walk meets; endless, `_MOST_VALUES`, where one holds itself."""
    if not isinstance(data, (dict, list, tuple)):
        return 1
    if id(data) not in known:
        known[id(data)] = _MOST_VALUES
        inner = data.values() if isinstance(data, dict) else data
        known[id(data)] = 1 + sum(_values(value, known) for value in inner)
    return known[id(data)]


class Configs:
    """Loads configs, each file once. `faults[path]` says why one cannot be read."""

    def __init__(self, tree: Tree, base_keys: tuple[str, ...]) -> None:
        self.tree = tree
        self.base_keys = base_keys
        self.faults: dict[str, Reason] = {}
        self._loaded: dict[str, dict[str, Any] | None] = {}
        self._bases: dict[str, tuple[str, ...]] = {}

    def load(self, path: str) -> dict[str, Any] | None:
        """The config with its bases merged in, or None when it is not a readable mapping."""
        return self._load(path, 0)

    def files(self, path: str) -> tuple[str, ...]:
        """The config that was loaded and its base files, directly and through others, sorted."""
        found: set[str] = set()
        left = [path]
        while left:
            one = left.pop()
            if one not in found:
                found.add(one)
                left += self._bases.get(one, ())
        return tuple(sorted(found))

    def _load(self, path: str, depth: int) -> dict[str, Any] | None:
        if path not in self._loaded:
            self._loaded[path] = None
            own = self._read(path)
            if own is not None and depth < _DEEPEST:
                own = self._with_bases(path, own, depth)
            self._loaded[path] = own
        return self._loaded[path]

    def _read(self, path: str) -> dict[str, Any] | None:
        try:
            text = self.tree.read(path).decode("utf-8-sig")
            data = json.loads(text) if path.endswith(".json") else _yaml(text)
        except FileNotFoundError:
            self.faults[path] = Reason.of("kits.missing")
            return None
        except (*_TAG_FAULTS, ValueError, yaml.YAMLError, RecursionError, MemoryError) as fault:
            words = (str(fault) or type(fault).__name__).splitlines()[0]
            self.faults[path] = Reason.of("kits.unparsed", words=words)
            return None
        if not isinstance(data, dict):
            self.faults[path] = Reason.of("kits.no-mapping")
            return None
        return data

    def _with_bases(self, path: str, own: dict[str, Any], depth: int) -> dict[str, Any] | None:
        bases: list[str] = []
        for key in self.base_keys:
            value = own.get(key)
            listed = value if isinstance(value, list) else [] if value is None else [value]
            if not all(isinstance(base, str) for base in listed):
                self.faults[path] = Reason.of("kits.base-unnamed", key=key)
                return None
            bases += listed
        folder = posixpath.dirname(path)
        places = tuple(posixpath.normpath(posixpath.join(folder, base)) for base in bases)
        self._bases[path] = places
        merged: dict[str, Any] = {}
        for where in places:
            loaded = self._load(where, depth + 1)
            if loaded is None:
                why = self.faults.get(where) or Reason.of("kits.base-of-itself")
                self.faults[path] = Reason.of("kits.base-unreadable", base=where, why=why)
                return None
            merged = _merge(merged, loaded)
        return _merge(merged, own)


@kept(4)
def configs_of(tree: Tree, base_keys: tuple[str, ...]) -> Configs:
    """The configs of a tree, the same for all who load them one after the other."""
    return Configs(tree, base_keys)


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """`over` laid on `base`, key by key; `_inherited_: False` keeps a block to itself."""
    if over.get("_inherited_") is False:
        return over
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merge(old, value) if both else value  # type: ignore[arg-type]
    return merged


def lookup(config: Any, key: str) -> Any:
    """The value at a dotted key, None when absent; `*` means the first entry."""
    value = config
    for part in key.split("."):
        if isinstance(value, list) and part == "*":
            value = value[0] if value else None
        elif not isinstance(value, dict):
            return None
        elif part == "*":
            value = next(iter(value.values()), None)
        else:
            value = value.get(part)
    return value
