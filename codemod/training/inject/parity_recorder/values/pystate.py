"""Python state that a frozen graph would stop updating: layers' plain attributes."""

from __future__ import annotations

import itertools
import re
import weakref
from typing import Any, Iterator

import numpy as np

from .digests import digest
from .naming import caches
from .tensors import to_array

# Looking through all attributes of a large net costs milliseconds, so not at every step.
STATE_AT = frozenset([0, 1, 2, 3, 5, 10, 20, 30, 40, 49])
# Attributes of every layer that say nothing of the kit's own state.
_PADDLES_OWN = frozenset(["training", "_built", "_full_name", "_helper", "_name", "_dtype"])
# What every layer keeps of its parts and hooks, in dicts and sets.
_is_layers_own = re.compile(
    "_(parameters|buffers|sub_layers|non_persistable_buffer_names_set|loaddict_holder|original_funcs"
    "|customized_attrs|forward_(pre|post)_hooks.*|state_dict_hooks)"
).fullmatch
_HOLDERS = (dict, set, frozenset, np.ndarray)
# Of one attribute so many values are looked at, nested so deep, so many bytes of an array.
_MOST, _DEEPEST, _BYTES = 1000, 4, 1 << 24
_SHOWN = 200


def _told(text: str) -> str:
    """A text that is shown as it is, or cut, with a digest of all of it."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 17] + ":" + digest(text.encode())


def _plain(value: Any, depth: int = 0) -> str | None:
    """A short text for numbers, texts, arrays, and lists and sets of them; None for all else."""
    if value is None or isinstance(value, (bool, int, float, str, np.generic)):
        return _told(repr(value))
    if isinstance(value, np.ndarray):
        small = value.nbytes <= _BYTES and not value.dtype.hasobject
        return f"array:{value.shape}:{digest(value)}" if small else None
    if isinstance(value, (list, tuple, set, frozenset)) and depth < _DEEPEST:
        items = [_plain(item, depth + 1) for item in itertools.islice(value, _MOST)]
        if any(item is None for item in items):
            return None
        ordered = sorted(map(str, items)) if isinstance(value, (set, frozenset)) else items
        text = repr(ordered if len(value) <= _MOST else [len(value), *ordered])
        kept = any(str(item).startswith("tensor:") for item in items)
        # A tensor in it is to be known as one, however deep it is and however long the list.
        return "tensor:" + digest(text.encode()) if kept else _told(text)
    # Asked of the type, for a kit's mapping may raise KeyError for a name that it lacks.
    if hasattr(type(value), "_grad_ivar"):
        array = to_array(value)
        return "tensor:" + ("empty" if array is None else digest(array))
    if type(value).__module__.startswith("paddle.base.libpaddle.pir") or (
        type(value).__name__ == "Variable"
    ):
        return "static-variable"
    return None


def _leaves(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """What can be told of an attribute, each entry of a dict by itself: a counter, a cache."""
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, item in itertools.islice(dict.items(value), _MOST):
            if _is_name(key):
                yield from _leaves(f"{name}[{_told(repr(key))}]", item, depth + 1)
        return
    text = _plain(value)
    if text is not None:
        yield name, text


def _is_name(key: Any) -> bool:
    """Whether another process has this key, too: what is an address there is another one here."""
    if isinstance(key, tuple):
        return all(map(_is_name, key))
    return isinstance(key, str) or (isinstance(key, int) and abs(key) < 1 << 32)


def attributes(roots: list[tuple[str, Any]]) -> dict[str, str]:
    """All watched attributes of all layers, by path."""
    found: dict[str, str] = {}
    for root, layer in roots:
        for path, part in layer.named_sublayers(include_self=True):
            prefix = f"{root}.{path}." if path else f"{root}."
            # Paddle's own layers cache tensors; what a kit changes in them are numbers.
            own = type(part).__module__.startswith("paddle.")
            held = {name: part._buffers.get(name) for name in caches(part)}
            for name, value in [*part.__dict__.items(), *held.items()]:
                if name in _PADDLES_OWN:
                    continue
                if isinstance(value, _HOLDERS) and (own or _is_layers_own(name)):
                    continue
                told = itertools.islice(_leaves(prefix + name, value), _MOST)
                found.update((key, text) for key, text in told if not (own and "tensor:" in text))
    return found


class PythonState:
    """Tells, at each look, which attributes have changed since the first look at their net.

    A net that is made later than the others, such as a loss when it is first asked for, has its
    first look then. Whether it is there already depends on when the run looks.
    """

    def __init__(self) -> None:
        self._first: dict[int, tuple[Any, dict[str, str]]] = {}

    def changed(self, roots: list[tuple[str, Any]]) -> dict[str, str]:
        """Attributes that differ from the first look, with their present value."""
        found: dict[str, str] = {}
        for name, root in roots:
            now = attributes([("", root)])
            alive, first = self._first.get(id(root), (lambda: None, now))
            if alive() is not root:
                first = now
                self._first[id(root)] = (weakref.ref(root), first)
            found.update((name + key, now[key]) for key in now if first.get(key) != now[key])
        return found
