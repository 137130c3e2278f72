"""Tensors that objects beside the nets keep under the names of the nets' weights.

`EMA.shadow[name]` is the common form of an average of weights: a dict, held by an object that is no
layer or by a module. Locals of functions are not looked through.
"""

from __future__ import annotations

import gc
import sys
from itertools import compress
from types import ModuleType
from typing import Any, Iterator

import numpy as np

# Their objects are not the kit's: what they keep shows in gradients, weights and buffers.
_OTHERS = frozenset(["builtins", "paddle", "numpy", "parity_recorder", *sys.builtin_module_names])

_is_dict = dict.__subclasscheck__


class Averages:
    """The dicts that were found at the last look; `refresh` walks all living objects."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[dict[str, Any], str]] = {}
        self._own: set[int] = set()

    def refresh(self, roots: list[tuple[str, Any]]) -> None:
        """Look again for dicts whose keys name weights of these nets."""
        keys, self._own = _state_of(roots)
        found: dict[str, list[tuple[dict[str, Any], str]]] = {}
        for label, names, attribute in _attributes():
            held = names[attribute]
            if not keys.isdisjoint(dict.keys(held)) and any(map(self._is_kept, dict.values(held))):
                found.setdefault(label, []).append((names, attribute))
        # Two of one name cannot be told apart in another process.
        self._found = {label: places[0] for label, places in found.items() if not places[1:]}

    def tensors(self) -> dict[str, Any]:
        """Tensors and arrays as `Class.attribute[key]`; the nets' own ones are left out."""
        return {
            f"{label}[{key}]": value
            for label, held in self.dicts().items()
            for key, value in dict.items(held)
            if self._is_kept(value)
        }

    def snapshot(self) -> list[tuple[dict[str, Any], str, Any, dict[Any, Any]]]:
        """Where each dict is held, the dict, and its values with a copy of each."""
        kept = {
            label: {key: (one, _copy(one)) for key, one in dict.items(held) if self._is_kept(one)}
            for label, held in self.dicts().items()
        }
        return [(*self._found[label], held, kept[label]) for label, held in self.dicts().items()]

    def dicts(self) -> dict[str, dict[str, Any]]:
        """The dicts by `Class.attribute`, as their holders have them now."""
        held = {label: names.get(attribute) for label, (names, attribute) in self._found.items()}
        return {label: one for label, one in held.items() if isinstance(one, dict)}

    def _is_kept(self, value: Any) -> bool:
        if isinstance(value, np.ndarray):
            return value.dtype.kind in "fiu"
        if not hasattr(type(value), "_grad_ivar") or id(value) in self._own:
            return False
        return bool(value._is_initialized())


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value.detach().clone()


def _state_of(roots: list[tuple[str, Any]]) -> tuple[set[Any], set[int]]:
    """The names of all weights and buffers, as each net and what it wraps has them; their ids."""
    keys: set[Any] = set()
    own: set[int] = set()
    for _, root in roots:
        for net in (root, *root.children()):
            for key, tensor in (*net.named_parameters(), *net.named_buffers()):
                keys.add(key)
                own.add(id(tensor))
    return keys, own


def _attributes() -> Iterator[tuple[str, dict[str, Any], str]]:
    """What is a dict: `Class.attribute` or `module.name`, the names it is among, its own name."""
    for holder in _holders(gc.get_objects()):
        try:
            names = object.__getattribute__(holder, "__dict__")
        except AttributeError:
            continue
        if not any(map(_is_dict, map(type, list(names.values())))):
            continue
        kind = type(holder)
        label = holder.__name__ if issubclass(kind, ModuleType) else kind.__name__
        for name, value in list(names.items()):
            if issubclass(type(value), dict) and dict.__len__(value):
                yield f"{label}.{name}", names, name


def _holders(objects: list[Any]) -> Iterator[Any]:
    """Those that are looked into. Nearly all objects are of a few classes: each is asked once."""
    try:
        holding = set(filter(_holds, set(map(type, objects))))
    except TypeError:  # a class of classes may take away its hash
        return (one for one in objects if _holds(type(one)))
    return compress(objects, map(holding.__contains__, map(type, objects)))


def _holds(kind: Any) -> bool:
    """Whether objects of a class are looked into: modules, and what is no class and the kit's."""
    if issubclass(kind, ModuleType):
        return True
    if not kind.__dictoffset__ or issubclass(kind, type):
        return False
    return str(kind.__module__).split(".")[0] not in _OTHERS
