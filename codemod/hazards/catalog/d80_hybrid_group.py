"""D-80: the forward pass asks fleet for its communication group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`fleet.get_hybrid_communicate_group()`.

    In a single process it raises, which models catch; SOT of 3.3 looks for the group in the
    module of that name and does not come to the `except`.
    """
    for call, name in reached.calls:
        if name.rpartition(".")[2] == "get_hybrid_communicate_group":
            yield call, f"{name}() raises in a single process, whose except SOT of 3.3 misses"


HAZARD = Hazard(
    "D-80",
    "hybrid-group",
    verdicts("ok ok ok error"),
    "Ask for the group when the layer is built and keep the answer.",
    "在构造层时查询并保存通信组。",
    find,
)
