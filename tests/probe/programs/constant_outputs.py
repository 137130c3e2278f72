"""What the general loss makes of outputs without a gradient; prints "right" or what is wrong."""

from __future__ import annotations

import importlib
from typing import Any

paddle: Any = importlib.import_module("paddle")
objective: Any = importlib.import_module("probe_inside.objective").objective

trained = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
fixed = paddle.to_tensor([3.0])
opened = paddle.to_tensor([3.0], stop_gradient=False)
endless = paddle.to_tensor([float("inf")])

alone = float(objective(paddle, [trained * 2]))
# A mode that sees a gradient where another sees none must not change the loss.
closed = float(objective(paddle, [trained * 2, fixed]))
assert closed == float(objective(paddle, [trained * 2, opened]))
assert closed != alone
assert float(objective(paddle, [trained * 2, endless])) == alone
try:
    objective(paddle, [fixed])
except ValueError:
    print("right")
