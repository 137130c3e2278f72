"""D-48: the first parameter of forward is not called self."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """The first parameter of the model's `forward`."""
    names = reached.function.parameters
    if reached.unit.is_net and reached.is_forward and names and names[0] != "self":
        yield reached.function.node, f"the first parameter is called {names[0]}"


HAZARD = Hazard(
    "D-48",
    "non-self",
    verdicts("error error error error"),
    "Call the first parameter of forward self.",
    "改名为 self。",
    find,
)
