"""What is to be hooked: a model in a scope, and what tells that a name is none."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.engine.module import dotted

if TYPE_CHECKING:
    from codemod.engine.module import Module, Scope

NOT_MODELS = re.compile(r"loss|criteri|metric|optim", re.IGNORECASE)
NOT_TRAINING = re.compile(
    r"(^|[_.])(eval|evaluate|test|infer|inference|predict|export|validate|val|slim|demo)($|[_.])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Target:
    """A model to be hooked in a scope; `name` is what it is called there.

    `doubt` says why it must be left alone, where it must.
    """

    module: Module
    scope: Scope
    name: str
    doubt: str = ""


def is_fluid(scope: Scope) -> bool:
    """Whether the scope trains with `paddle.fluid`, which had no `paddle.jit.to_static`."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in ("dygraph", "optimizer")
        and dotted(node.value) in ("fluid", "paddle.fluid")
        for node in ast.walk(scope.node)
    )
