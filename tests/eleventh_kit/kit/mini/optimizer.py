"""An optimizer that does not derive from Paddle's."""

from __future__ import annotations

from typing import Any

import paddle


class Descent:
    """Plain gradient descent."""

    def __init__(self, parameters: Any, rate: float) -> None:
        self.param_groups = [{"params": list(parameters)}]
        self.rate = rate

    def get_lr(self) -> float:
        """The learning rate."""
        return self.rate

    def step(self) -> None:
        """Move each parameter against its gradient."""
        with paddle.no_grad():
            for parameter in self.param_groups[0]["params"]:
                parameter.set_value(parameter - self.rate * parameter.grad)

    def clear_grad(self) -> None:
        """Forget the gradients."""
        for parameter in self.param_groups[0]["params"]:
            parameter.clear_gradient()
