"""D-45: the model's forward takes `**kwargs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.model import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.model import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`forward(self, x, **kw)` of a layer that a hook makes static."""
    arg = reached.function.node.args.kwarg
    if arg is not None and reached.unit.is_net and reached.is_forward:
        yield reached.function.node, f"forward takes **{arg.arg}"


HAZARD = Hazard(
    "D-45",
    "varkwargs",
    verdicts("error error ok ok"),
    "Name the arguments.",
    "改为具名参数。",
    find,
)
