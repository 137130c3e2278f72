"""A function as one concrete class runs it, and what has been learnt about it so far."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from codemod.hazards.reach.index import Class, Function
from codemod.hazards.reach.values import UNKNOWN, ValueKind

# What a call hands on with `**`, among what it hands on by name.
SPREAD = "**"
Given = tuple[list[ValueKind], dict[str, ValueKind]]
"""What a call hands on: its positional arguments, and those by name."""


@dataclass(eq=False, slots=True)
class Unit:
    """A function as one concrete class runs it."""

    function: Function
    owner: Class | None
    params: dict[str, ValueKind] = field(default_factory=dict)
    result: ValueKind = UNKNOWN
    kinds: dict[ast.AST, ValueKind] = field(default_factory=dict)
    live: dict[int, ast.stmt] = field(default_factory=dict)
    edges: dict[Unit, None] = field(default_factory=dict)
    open: dict[tuple[str, str], Given] = field(default_factory=dict)
    callers: dict[Unit, None] = field(default_factory=dict)
    passes: int = 0
    rest: bool = False  # a caller hands on more than the parameters that have a name
    is_net: bool = False  # the forward of a layer that a hook makes static, not of a part
