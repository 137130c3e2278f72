"""D-76: one of Paddle's recurrent layers is called."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import named_in, own_constructor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Calls of an attribute that a constructor fills with `nn.LSTM`, `GRU` or `SimpleRNN`."""
    made = own_constructor(reached)
    for call in named_in(reached, made, *RECURRENT) if made is not None else ():
        yield call, f"{ast.unparse(call.func)} asks for the build of Paddle within its forward"


RECURRENT = tuple(f"paddle.nn.{name}" for name in ("LSTM", "GRU", "SimpleRNN"))


HAZARD = Hazard(
    "D-76",
    "rnn-layer",
    verdicts("ok ok break ok"),
    "Nothing is needed; Paddle 3.x keeps it in the graph.",
    "无需修改；Paddle 3.x 不再断图。",
    find,
)
