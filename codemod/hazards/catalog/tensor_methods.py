"""Methods of tensors that a static graph's variables lack."""

from __future__ import annotations

from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import handed
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import is_dtype
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import Flag


@finds("D-89")
def tensor_to(reached: Reached) -> Iterator[Match]:
    """A tensor is converted by its method `to`.

    `x.to("bool")`, `x.to(paddle.float32)`, `x.to(other)` of a tensor. What is not seen to be one
    counts where a dtype is written out; layers, which have that method too, do not.
    """
    for call, base, _ in reached.methods("to"):
        kind = reached.kind(base)
        to_dtype = any(is_dtype(reached, value) for value in handed(call))
        if not kind.has(Flag.LAYER) and (kind.is_tensor or to_dtype):
            yield call, Reason.of("hazards.method-of-tensor", name="to")
