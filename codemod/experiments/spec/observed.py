"""Read what the observer wrote: the hooked layers, the kit's own specs, every call."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codemod.experiments.spec.nodes import Node, read
from codemod.training.record import read_lines


@dataclass(frozen=True, slots=True)
class ObservedHook:
    """One call of `to_static` on a layer; `spec` is the kit's own, None where it hands none."""

    number: int
    cls: str
    file: str
    line: int
    spec: Node | None


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the arguments in the order of `forward`, and keywords that it does not name."""

    training: bool
    arguments: tuple[tuple[str, Node], ...]
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layer:
    """One watched layer. `hook` is None where the tree hooks nothing; `size` counts parameters."""

    cls: str
    file: str
    line: int
    size: int
    hook: ObservedHook | None
    calls: tuple[Call, ...]

    def count(self, training: bool) -> int:
        """How many calls were seen in training, or in evaluation."""
        return sum(call.training is training for call in self.calls)


def read_observed(path: Path) -> tuple[Layer, ...]:
    """The layers that are hooked; where none is, the largest one that was trained."""
    hooks: dict[int, ObservedHook] = {}
    # By layer: the line of its first call, and all calls.
    growing: dict[int, tuple[dict[str, Any], list[Call]]] = {}
    for line in read_lines(path):
        if line["t"] == "hook":
            spec = None if line["spec"] is None else read(line["spec"])
            hook = ObservedHook(line["id"], line["cls"], line["file"], line["line"], spec)
            hooks[hook.number] = hook
        elif line["t"] == "call":
            arguments = tuple((name, read(raw)) for name, raw in line["args"])
            call = Call(line["training"], arguments, tuple(line["rest"]))
            growing.setdefault(line["layer"], (line, []))[1].append(call)
    layers = [_layer(first, calls, hooks) for first, calls in growing.values()]
    hooked = tuple(layer for layer in layers if layer.hook is not None)
    trained = [layer for layer in layers if layer.count(True)]
    return hooked or tuple(sorted(trained, key=lambda one: -one.size)[:1])


def _layer(first: dict[str, Any], calls: list[Call], hooks: dict[int, ObservedHook]) -> Layer:
    hook = hooks.get(first["hook"])
    return Layer(first["cls"], first["file"], first["line"], first["size"], hook, tuple(calls))
