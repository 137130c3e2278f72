"""A fault put into one gradient of the running training, read like any other, and taken out again.

What the judge is to see must come through the recorder: one plant a run shows that it does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..values.tensors import gradient_of, to_array

SIZE = 1e-3


def planted(
    session: Any, turn: int, names: list[str], parameters: list[Any]
) -> tuple[str, float, Any, Any] | None:
    """Name, size, gradient before, gradient with a fault of `SIZE` of its norm.

    The parameter is drawn by seed and turn among those with a dense gradient that is not zero;
    None where there is none. The gradient is as it was afterwards.
    """
    pairs = list(zip(names, parameters))
    order = np.random.RandomState([session.config.seed, turn]).permutation(len(pairs))
    for name, parameter in (pairs[place] for place in order):
        grad = parameter._grad_ivar()
        if parameter.stop_gradient or grad is None or grad.is_selected_rows():
            continue
        before = to_array(grad)
        if before is None or before.dtype.kind != "f" or not np.any(before):
            continue
        with session.paddle.no_grad():
            # Set on the gradient in place: what reads it next reads the fault.
            grad.set_value(before * np.array(1 + SIZE, before.dtype))
            after = gradient_of(parameter)
            grad.set_value(before)
        return name, SIZE, before, after
    return None
