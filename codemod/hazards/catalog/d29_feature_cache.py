"""D-29: a tensor is kept on the layer for others to read after forward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted
from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import assigned, is_self_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached

MOST_FILES = 12  # a name in more files says nothing of this attribute


def find(reached: Reached) -> Iterator[Finding]:
    """`self.feat = tensor` where no method of the class reads `self.feat`, and other code does."""
    for node, target in assigned(reached):
        if is_self_attribute(target) and reached.kind(target).is_data:
            name = target.attr  # type: ignore[attr-defined]
            if not reads(reached, name) and read_after(reached, name):
                yield node, f"{ast.unparse(target)} keeps a tensor that other code reads"


def reads(reached: Reached, name: str) -> bool:
    """Whether a method of the class, or of its bases, reads the attribute."""
    return reached.owner is not None and any(
        isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
        for method in reached.index.all_methods(reached.owner)
        for node in ast.walk(method.node)
    )


def read_after(reached: Reached, name: str) -> bool:
    """Whether a function that no forward reaches reads an attribute of that name."""
    project = reached.index.project
    package = reached.function.module.path.split("/")[0]
    paths = [
        p for p in project.mentioning(f".{name}") if p.startswith(f"{package}/") or "/" not in p
    ]
    for path in paths if len(paths) <= MOST_FILES else ():
        module = project.module(path)
        for scope in module.scopes[1:] if module is not None else ():
            if not scope.mentions(f".{name}") or reached.world.reaches(scope.node):  # type: ignore[arg-type]
                continue
            if any(
                isinstance(node, ast.Attribute)
                and node.attr == name
                and dotted(node.value) != "self"
                for node in scope.nodes
            ):
                return True
    return False


HAZARD = Hazard(
    "D-29",
    "feature-cache",
    verdicts("wrong wrong ok ok"),
    "Return the features.",
    "作为返回值返回。",
    find,
)
