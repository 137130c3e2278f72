"""What a config object may be: an argparse namespace, a mapping, a dataclass, a node of yacs."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemod.code.module import Module
from codemod.engine.point import Point


@dataclass(frozen=True)
class Namespace:
    """An argparse namespace; `parser` is the name of what `call` parses, `at` the point it is at.

    The call is at `parsing`. `mapping` where it is `vars()` of it.
    """

    at: Point
    parser: str
    parsing: Point
    call: ast.Call
    mapping: bool = False


@dataclass(frozen=True)
class Mapping:
    """Something read with `.get(key, default)`."""


@dataclass(frozen=True)
class Dataclass:
    """An instance of a dataclass that a command-line parser fills."""

    module: Module
    node: ast.ClassDef


@dataclass(frozen=True)
class Node:
    """A node of `yacs`, made as `name` at a point: a key that is not declared there is refused."""

    at: Point
    name: str


@dataclass(frozen=True)
class Own:
    """What the code makes of its own names, `locals()`: no user fills it."""


@dataclass(frozen=True)
class Several:
    """What the callers of a function give it where they differ; None is what cannot be told."""

    each: tuple[Namespace | Mapping | Dataclass | Node | Own | None, ...]


One = Namespace | Mapping | Dataclass | Node | Own
Origin = One | Several


def alternatives(origin: Origin | None) -> tuple[One | None, ...]:
    """Each thing that an object may be."""
    return origin.each if isinstance(origin, Several) else (origin,)
