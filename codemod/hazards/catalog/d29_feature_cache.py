"""D-29: a tensor is kept on the layer for others to read after forward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.model import Hazard, verdicts
from codemod.hazards.patterns import assigned, is_self_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.model import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`self.feat = tensor` where no method of the class reads `self.feat`, and other code does."""
    for node, target in assigned(reached):
        if is_self_attribute(target) and reached.kind(target).is_data:
            name = target.attr  # type: ignore[attr-defined]
            if not reads(reached, name) and reached.index.mentioned_outside(reached, name):
                yield node, f"{ast.unparse(target)} keeps a tensor that other code reads"


def reads(reached: Reached, name: str) -> bool:
    """Whether a method of the class, or of its bases, reads the attribute."""
    return reached.owner is not None and any(
        isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
        for method in reached.index.all_methods(reached.owner)
        for node in ast.walk(method.node)
    )


HAZARD = Hazard(
    "D-29",
    "feature-cache",
    verdicts("wrong wrong ok ok"),
    "Return it.",
    "作为返回值返回。",
    find,
)
