"""What a layer keeps on itself."""

from __future__ import annotations

import ast

from codemod.audit.fixes.remedy import mends, reread, source_of
from codemod.base.reason import Reason, Refusal
from codemod.engine.rewrite.ops import Action
from codemod.hazards.reach.reached import Reached


@mends("D-70")
def mangled_name(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`self.__name` becomes `self._Class__name`, which is what Python makes of it in a class."""
    assert isinstance(node, ast.Attribute)
    owner = reached.function.owner
    plain = owner.name.lstrip("_") if owner is not None else ""
    if not plain:
        return Refusal(Reason.of("audit.mangles-none"))
    return reread(reached, node, f"{source_of(reached, node.value)}._{plain}{node.attr}")
