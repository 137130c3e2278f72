"""D-68: time, files or the environment are read in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`time.time()`, `open()`, `os.environ`, `os.getenv()`."""
    for call, name in reached.calls:
        if name in CALLS or name.startswith(("os.environ", "os.path.")):
            yield call, f"{name}() in the forward pass"
    for node in reached.nodes:
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
            yield node, "os.environ in the forward pass"


CALLS = frozenset(("time.time", "time.perf_counter", "open", "os.getenv", "input"))


HAZARD = Hazard(
    "D-68",
    "time-io",
    verdicts("ok ok break break"),
    "Move it out of forward.",
    "移到 forward 之外。",
    find,
)
