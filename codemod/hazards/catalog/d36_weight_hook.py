"""D-36: `spectral_norm` or `weight_norm` hooks a layer."""

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
    """Calls of `paddle.nn.utils.spectral_norm` and `weight_norm` in the layer's constructor."""
    made = own_constructor(reached)
    if made is not None:
        for call in named_in(reached, made, *HOOKS):
            yield call, f"{ast.unparse(call.func)}() hooks a layer of this class"


HOOKS = tuple(
    f"{place}.{name}"
    for place in ("paddle.nn.utils", "paddle.nn.utils.spectral_norm_hook")
    for name in ("spectral_norm", "weight_norm")
)


HAZARD = Hazard(
    "D-36",
    "weight-hook",
    verdicts("error error eager eager"),
    "Apply nn.SpectralNorm in forward and call the functional, or hook only the other parts.",
    "在 forward 中使用 nn.SpectralNorm 层与 functional 计算。",
    find,
)
