"""Trainers of an unknown repository whose models are no nets over tensors of Paddle's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.base.reason import Reason

if TYPE_CHECKING:
    from codemod.code.module import Module

# Libraries whose graphs are objects: a forward takes them beside its tensors.
GRAPHS = frozenset(("pgl", "dgl"))


def foreign(module: Module) -> Reason | None:
    """Why a trainer of this file is left alone, as its imports say; None where they do not."""
    roots = {name.lstrip(".").partition(".")[0] for name in module.imports.values()}
    if "torch" in roots and "paddle" not in roots:
        return Reason.of("engine.pytorch")
    if graphs := sorted(roots & GRAPHS):
        return Reason.of("engine.graph-objects", library=graphs[0])
    return None
