"""A kit's configs as the kit loads them: base files merged, custom tags taken as plain data."""

from __future__ import annotations

import json
import posixpath
from typing import Any

import yaml

from codemod.base.files.yaml_file import check_depth
from codemod.code.kept import kept
from codemod.code.tree import Tree

_BASE: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 16
# A mapping that is merged into others over and over; more than any config has.
_MOST_MERGED = 20_000


class _Loader(_BASE):  # type: ignore[misc, valid-type]
    """Reads `!LinearWarmup {...}` as the mapping it holds: the audit builds no objects."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """As the safe loader does, but without growing twofold with every level.

        Raises:
            yaml.YAMLError: merge keys make more than 20,000 entries.
        """
        super().flatten_mapping(node)
        if len(node.value) > _MOST_MERGED:
            raise yaml.YAMLError("merge keys make a mapping of more than 20,000 entries")


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
        yaml.YAMLError: it is none, or is nested deeper than the C library's stack bears.
    """
    check_depth(text)
    return yaml.load(text, Loader=_Loader)  # noqa: S506


class Configs:
    """Loads configs, each file once. `faults[path]` says why one cannot be read."""

    def __init__(self, tree: Tree, base_keys: tuple[str, ...]) -> None:
        self.tree = tree
        self.base_keys = base_keys
        self.faults: dict[str, str] = {}
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
            self.faults[path] = "a base file is missing"
            return None
        except (*_TAG_FAULTS, ValueError, yaml.YAMLError, RecursionError, MemoryError) as fault:
            self.faults[path] = (str(fault) or type(fault).__name__).splitlines()[0]
            return None
        if not isinstance(data, dict):
            self.faults[path] = "holds no mapping"
            return None
        return data

    def _with_bases(self, path: str, own: dict[str, Any], depth: int) -> dict[str, Any] | None:
        bases: list[str] = []
        for key in self.base_keys:
            value = own.get(key)
            listed = value if isinstance(value, list) else [] if value is None else [value]
            if not all(isinstance(base, str) for base in listed):
                self.faults[path] = f"its {key} names no file"
                return None
            bases += listed
        folder = posixpath.dirname(path)
        places = tuple(posixpath.normpath(posixpath.join(folder, base)) for base in bases)
        self._bases[path] = places
        merged: dict[str, Any] = {}
        for where in places:
            loaded = self._load(where, depth + 1)
            if loaded is None:
                self.faults[path] = f"its base {where} cannot be read"
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
