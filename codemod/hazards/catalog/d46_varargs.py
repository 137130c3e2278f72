"""D-46: the model's forward takes `*args`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.model import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.model import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`forward(self, *xs)` of a layer that a hook makes static."""
    arg = reached.function.node.args.vararg
    if arg is not None and reached.unit.is_net and reached.is_forward:
        yield reached.function.node, f"forward takes *{arg.arg}"


HAZARD = Hazard(
    "D-46",
    "varargs",
    verdicts("error error error error"),
    "Take one list instead of *args.",
    "改为接收一个列表参数。",
    find,
)
