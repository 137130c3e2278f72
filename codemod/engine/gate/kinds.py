"""What a config object may be: an argparse namespace, a mapping, a dataclass, a node of yacs."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemod.code.module import Module, Scope


@dataclass(frozen=True)
class Namespace:
    """An argparse namespace; `parser` is the parser's name in `scope` of `module`.

    `call` parses, in the scope `parsing` of the file `home`. `mapping` where it is `vars()` of it.
    """

    module: Module
    scope: Scope
    parser: str
    home: Module
    parsing: Scope
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
    """A node of `yacs`, made as `name` in `scope`: a key that is not declared there is refused."""

    module: Module
    scope: Scope
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
