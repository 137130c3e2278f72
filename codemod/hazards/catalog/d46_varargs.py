"""D-46: the model's forward takes its arguments as `*args`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`forward(self, *xs)` of a layer that a hook makes static.

    Beside named arguments (`x, *rest`) it fails only where a call hands over more than those,
    which a trainer that knows nothing but the batch does not.
    """
    given = reached.function.node.args
    arg, named = given.vararg, [*given.posonlyargs, *given.args][1:]
    if arg is not None and not named and reached.unit.is_net and reached.is_forward:
        yield reached.function.node, f"forward takes *{arg.arg}"


HAZARD = Hazard(
    "D-46",
    "varargs",
    verdicts("error error error error"),
    "Take one list instead of *args.",
    "改为接收一个列表参数。",
    find,
)
