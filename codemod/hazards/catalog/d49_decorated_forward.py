"""D-49: the model's forward is decorated."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Any decorator on the `forward` of a layer that a hook makes static."""
    marks = reached.function.node.decorator_list
    if reached.unit.is_net and reached.is_forward:
        for mark in marks:
            if "to_static" not in ast.unparse(mark):
                yield reached.function.node, f"forward is decorated with {ast.unparse(mark)}"


HAZARD = Hazard(
    "D-49",
    "decorated-forward",
    verdicts("error error error error"),
    "Decorate a method that a plain forward calls.",
    "把装饰器放到被普通 forward 调用的方法上。",
    find,
)
