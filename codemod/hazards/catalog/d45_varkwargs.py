"""D-45: the model's forward takes `**kwargs`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`forward(self, x, **kw)` of a layer that a hook makes static, where it reads `kw["mask"]`.

    One that only hands them on (`self.train_forward(x, **kw)`) is seldom given any.
    """
    arg = reached.function.node.args.kwarg
    if arg is not None and reached.unit.is_net and reached.is_forward:
        reads = (n for n in reached.nodes if isinstance(n, ast.Subscript))
        if any(isinstance(n.value, ast.Name) and n.value.id == arg.arg for n in reads):
            yield reached.function.node, f"forward takes **{arg.arg}"


HAZARD = Hazard(
    "D-45",
    "varkwargs",
    verdicts("error error ok ok"),
    "Name the arguments.",
    "改为具名参数。",
    find,
)
