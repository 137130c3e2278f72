"""Names for parameters that mean the same in two processes.

Paddle numbers parameters as they are made, so names differ from process to process and collide
between nets. Here a parameter is named by the layer that owns it and its path there, which is the
same in both runs; what belongs to no layer is named by its place in the optimizer.
"""

from __future__ import annotations

import gc
import re
from typing import Any


def _order(layer: Any) -> tuple[int, str, int]:
    """By order of making; wrappers of unlike layers count each for itself, so the name decides."""
    name = str(getattr(layer, "_full_name", ""))
    found = re.search(r"(?<!\d)(\d+)$", name)
    return int(found.group(1)) if found else 0, name, _copy_number(layer)


def _copy_number(layer: Any) -> int:
    """Which copy the layer is; -1 for one that is none.

    A deep copy keeps the layer's number, and Paddle adds a running one to the names of
    its parameters. The order of the collector says nothing: tracing a program changes it.
    """
    for parameter in layer.parameters():
        found = re.search(r"_deepcopy_(\d+)$", str(parameter.name))
        return int(found.group(1)) if found else -1
    return -1


def find_roots(paddle: Any) -> list[tuple[str, Any]]:
    """All living layers that are part of no other, as (name, layer).

    The name is the class, with a running number by order of making where a class occurs twice.
    """
    base = paddle.nn.Layer
    layers = [
        thing
        for thing in gc.get_objects()
        if issubclass(type(thing), base)
        and not type(thing).__module__.startswith("paddle.jit")
        # unpickled or half-made layers have no such dictionary yet
        and "_sub_layers" in thing.__dict__
    ]
    inner = {id(sub) for layer in layers for sub in _within(layer)}
    roots = [layer for layer in layers if id(layer) not in inner]
    views = _views(paddle, layers, roots)
    by_class: dict[str, list[Any]] = {}
    for layer in roots:
        if id(layer) not in views:
            by_class.setdefault(type(layer).__name__, []).append(layer)
    named = []
    for name in sorted(by_class):
        group = sorted(by_class[name], key=_order)
        for index, layer in enumerate(group):
            named.append((f"{name}#{index}" if len(group) > 1 else name, layer))
    return named


def _within(layer: Any) -> list[Any]:
    return list(layer.__dict__["_sub_layers"].values())


def _views(paddle: Any, layers: list[Any], roots: list[Any]) -> set[int]:
    """Those of the roots that are lists of layers which others hold, too.

    A slice of a list of layers is a list of its own. Dynamic mode lets it go, SOT keeps it: it
    would give its layers other names than they have in dynamic mode.
    """
    lists = (paddle.nn.LayerList, paddle.nn.Sequential)
    loose = [layer for layer in roots if isinstance(layer, lists) and _within(layer)]
    apart = {id(layer) for layer in loose}
    held = {id(sub) for layer in layers if id(layer) not in apart for sub in _within(layer)}
    return {id(layer) for layer in loose if all(id(sub) in held for sub in _within(layer))}


def _walk(
    layer: Any, path: str, seen: set[Any], paddles: Any, found: list[tuple[str, Any]]
) -> None:
    if type(layer).named_sublayers is not paddles:
        # A kit's own way to name what is in a layer.
        found.extend(layer.named_sublayers(prefix=path, include_self=True, layers_set=seen))
        return
    if layer not in seen:
        seen.add(layer)
        found.append((path, layer))
    for key, inner in layer._sub_layers.items():
        if inner is not None:
            _walk(inner, path + ("." if path else "") + key, seen, paddles, found)


class Names:
    """Maps parameters, buffers and layers to names; looks again when it meets a stranger."""

    def __init__(self, paddle: Any) -> None:
        self._paddle = paddle
        self._parameters: dict[int, str] = {}
        self._trained: dict[int, Any] = {}
        self._given: dict[int, tuple[Any, list[int], list[str]]] = {}
        self.roots: list[tuple[str, Any]] = []

    def refresh(self) -> None:
        """Look at all living layers again."""
        self.roots = find_roots(self._paddle)
        self._parameters = {}
        # The largest owner names a parameter: a wrapper or a loss may hold the model too.
        sized = [(len(list(layer.parameters())), name, layer) for name, layer in self.roots]
        for _, name, layer in sorted(sized, key=lambda item: (item[0], item[1])):
            for path, parameter in layer.named_parameters():
                self._parameters[id(parameter)] = f"{name}.{path}"

    def trains(self, parameters: list[Any]) -> None:
        """Note which parameters an optimizer has been seen to train: those are not statistics."""
        for parameter in parameters:
            if not parameter.stop_gradient:
                # Kept alive, so that no other tensor can take its identity.
                self._trained[id(parameter)] = parameter

    def trained(self, tensor: Any) -> bool:
        """Whether an optimizer has been seen to train this one."""
        return id(tensor) in self._trained

    def of(self, parameters: list[Any], optimizer: int) -> list[str]:
        """Unique names for an optimizer's parameters, in their order."""
        ids = [id(parameter) for parameter in parameters]
        by, known, given = self._given.get(optimizer, (None, [], []))
        if by is self._parameters and known == ids:
            return given
        if not all(key in self._parameters for key in ids):
            self.refresh()
        names: list[str] = []
        seen: set[str] = set()
        for index, parameter in enumerate(parameters):
            place = f"optimizer{optimizer}[{index}]"
            name = self._parameters.get(id(parameter), place)
            name = f"{name}@{place}" if name in seen else name
            seen.add(name)
            names.append(name)
        # With a stranger among them the layers are looked through at each step.
        if all(key in self._parameters for key in ids):
            self._given[optimizer] = (self._parameters, ids, names)
        return names

    def buffers(self) -> dict[str, Any]:
        """All persistable buffers of all roots by name; a buffer held twice counts once.

        A tensor that forward leaves on a layer becomes a buffer too, of the other kind: a cache.
        Running statistics that are parameters (those of `nn.BatchNorm`) count as buffers.
        """
        found: dict[str, Any] = {}
        seen: set[int] = set()
        for name, layer in self.roots:
            for path, part in self._parts(layer):
                held = [item for item in part._buffers.items() if item[0] not in caches(part)]
                for key, buffer in (*held, *self._statistics(part)):
                    if buffer is not None and id(buffer) not in seen:
                        seen.add(id(buffer))
                        found[".".join(word for word in (name, path, key) if word)] = buffer
        return found

    def _parts(self, layer: Any) -> list[tuple[str, Any]]:
        """What `layer.named_sublayers(include_self=True)` gives, without its nested generators."""
        found: list[tuple[str, Any]] = []
        _walk(layer, "", set(), self._paddle.nn.Layer.named_sublayers, found)
        return found

    def untrained(self) -> dict[str, Any]:
        """The weights that no optimizer has been seen to train, by name: teachers, frozen ones.

        What counts as a buffer is left out; a weight that is held twice counts once.
        """
        seen = {id(buffer) for buffer in self.buffers().values()} | set(self._trained)
        found: dict[str, Any] = {}
        for name, layer in self.roots:
            for path, parameter in layer.named_parameters():
                if id(parameter) not in seen and parameter._is_initialized():
                    seen.add(id(parameter))
                    found[f"{name}.{path}"] = parameter
        return found

    def _statistics(self, part: Any) -> list[tuple[str, Any]]:
        """The vectors among a training layer's own parameters that nothing trains.

        Frozen matrices are left out: copying a frozen backbone at every step would cost a lot, and
        what forward updates has one number a channel.
        """
        if not part.training:
            return []
        return [
            (key, parameter)
            for key, parameter in part._parameters.items()
            if parameter is not None
            and parameter.stop_gradient
            and id(parameter) not in self._trained
            and len(parameter.shape) <= 1
        ]


def caches(layer: Any) -> Any:
    """The names of a layer's buffers that its checkpoint leaves out."""
    return getattr(layer, "_non_persistable_buffer_names_set", ())
