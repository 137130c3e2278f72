"""D-11: a name is bound in only one branch of a tensor `if`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.live import ends
from codemod.hazards.patterns import has_name_before, loaded_after, stored, tensor_ifs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Names that only one branch binds, that nothing binds above, and that are read below."""
    for node in tensor_ifs(reached):
        here, there = stored(node.body), stored(node.orelse)
        for name in sorted(here.keys() ^ there.keys()):
            only = node.body if name in here else node.orelse
            if (
                not ends(only)
                and not ends(node.orelse if only is node.body else node.body)
                and not has_name_before(reached, name, node)
                and loaded_after(reached, name, node)
            ):
                yield node, f"{name} is bound in one branch alone"


HAZARD = Hazard(
    "D-11",
    "if-undefined",
    verdicts("ok error eager ok"),
    "Give the name a value of the same kind before the if (zeros_like).",
    "在 if 之前赋同类型初值（如 zeros_like）。",
    find,
)
