"""D-30: a buffer is written with `set_value` in forward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import is_self_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`self.buf.set_value(...)` and `paddle.assign(x, self.buf)`."""
    for call, base, _ in reached.methods("set_value", "copy_"):
        if is_self_attribute(base) and not reached.kind(base).is_python:
            yield call, f"{ast.unparse(base)} is written in place"
    for call, name in reached.calls:
        if name == "paddle.assign" and len(call.args) == 2 and is_self_attribute(call.args[1]):
            yield call, f"{ast.unparse(call.args[1])} is written in place"


HAZARD = Hazard(
    "D-30",
    "buffer-set-value",
    verdicts("error error error break"),
    "Write self.buf = new instead of self.buf.set_value(new).",
    "改为 self.buf = new_value。",
    find,
)
