"""What a call is fed, as a tree: the common form of observed values and of specs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from codemod.base.reason import Reason

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor. A dim that is not fixed is None; `why` says of each dim what was seen.

    `place` is the file and line of the InputSpec, where the tree was read off a spec. `gradient`
    says that a fed tensor wants one: Paddle keeps programs for both.
    """

    shape: tuple[int | None, ...]
    dtype: str
    why: tuple[Reason, ...] = ()
    place: Place | None = None
    gradient: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list or a tuple, as `cls` says: a spec must be of the same class."""

    items: tuple[Node, ...]
    cls: str = "list"


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary; `cls` is its class, which AST compares with the spec's."""

    items: dict[str, Node]
    cls: str = "dict"


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is not a tensor: None, a bool, a number or a text."""

    value: bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class Opaque:
    """Anything else, and what has no common form; `cls` says what it is."""

    cls: str


Node: TypeAlias = Tensor | Sequence | Dictionary | Constant | Opaque


def read(raw: dict[str, Any]) -> Node:
    """The tree of a form that the observer wrote. Arrays are fed as tensors."""
    kind = raw["k"]
    if kind in ("tensor", "ndarray"):
        place = (raw["place"][0], raw["place"][1]) if raw.get("place") else None
        gradient = not raw.get("stop_gradient", True)
        return Tensor(tuple(raw["shape"]), raw["dtype"], place=place, gradient=gradient)
    if kind == "sequence":
        return Sequence(tuple(read(item) for item in raw["items"]), raw["cls"])
    if kind == "dict":
        return Dictionary({key: read(item) for key, item in raw["items"].items()}, raw["cls"])
    return Constant(raw["value"]) if kind == "constant" else Opaque(raw["cls"])


def inner(node: Node) -> Iterable[Node]:
    """What a tree holds directly."""
    if isinstance(node, Sequence):
        return node.items
    return node.items.values() if isinstance(node, Dictionary) else ()


def tensors(nodes: Iterable[Node]) -> list[Tensor]:
    """All tensors of some trees, in order."""
    held = ([one] if isinstance(one, Tensor) else tensors(inner(one)) for one in nodes)
    return [tensor for part in held for tensor in part]


def holds_tensor(node: Node) -> bool:
    """Whether there is a tensor anywhere in it."""
    return bool(tensors([node]))


def describe(node: Node) -> str:
    """A short name for messages."""
    if isinstance(node, Tensor):
        return f"tensor [{', '.join(map(str, node.shape))}] {node.dtype}"
    if isinstance(node, Sequence):
        return f"{node.cls} of {len(node.items)}"
    if isinstance(node, Dictionary):
        return f"{node.cls} of {len(node.items)} keys"
    return repr(node.value) if isinstance(node, Constant) else node.cls


def to_json(node: Node) -> dict[str, Any]:
    """The tree as one JSON object."""
    if isinstance(node, Tensor):
        why = {"why": [one.text() for one in node.why]} if node.why else {}
        return {"tensor": {"shape": list(node.shape), "dtype": node.dtype, **why}}
    if isinstance(node, Sequence):
        return {node.cls: [to_json(item) for item in node.items]}
    if isinstance(node, Dictionary):
        return {node.cls: {key: to_json(item) for key, item in node.items.items()}}
    return {"value": node.value} if isinstance(node, Constant) else {"object": node.cls}
