"""D-03: a number is read out of a tensor with `.item()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import is_logged
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Calls of `.item()` on a tensor, and `.numpy()[0]`, whose value is used."""
    for call, base, _ in reached.methods("item"):
        kind = reached.kind(base)
        if not kind.is_python and not kind.has(Flag.NUMPY) and not is_logged(reached, call):
            yield call, ".item() in the forward pass"


HAZARD = Hazard(
    "D-03",
    "item-scale",
    verdicts("wrong wrong wrong break"),
    "Use t.detach() instead of a Python number made of a tensor.",
    "用 .detach() 保留张量，不取 Python 数值。",
    find,
)
