"""D-73: `itertools` in the forward pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`itertools.combinations`, `product` and `permutations`."""
    for call, name in reached.calls:
        if name in CALLS:
            yield call, f"{name}() in the forward pass"


CALLS = tuple(f"itertools.{name}" for name in ("combinations", "product", "permutations"))


HAZARD = Hazard(
    "D-73",
    "itertools",
    verdicts("ok ok error break"),
    "Make the list of pairs in __init__, or two loops.",
    "在 __init__ 中生成列表，或改为双重循环。",
    find,
)
