"""D-17: `break` or `continue` on a tensor's condition."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import tensor_ifs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """A tensor `if` within a loop that leaves it or goes on."""
    for node in tensor_ifs(reached):
        leaves = any(isinstance(s, (ast.Break, ast.Continue)) for s in (*node.body, *node.orelse))
        if leaves:
            yield node, "a loop is left on a tensor's condition"


HAZARD = Hazard(
    "D-17",
    "for-break",
    verdicts("error error break eager"),
    "Loop a fixed number of times with a mask.",
    "改为定长循环加掩码。",
    find,
)
