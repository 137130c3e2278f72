"""A checkpoint that one mode writes and the other reads, as a side of its own.

The state is what the trainer would save: of each net and each optimizer. After it was written every
weight is set to zero, so that what was not read shows in the next step.
"""

from __future__ import annotations

import os
from typing import Any

from .side_values import all_tensors

_ERROR_KEPT = 600


class Checkpoint:
    """Writes and reads the checkpoints of one process."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def through(self, side: str, roots: list[tuple[str, Any]], optimizers: list[Any]) -> None:
        """Let the other mode write all state, and the side's own mode read it."""
        paddle, switch = self._session.paddle, self._session.switch
        static, layers = side.startswith("static"), [layer for _, layer in roots]
        path = self._session.config.out + ".checkpoint"
        parts = [*roots, *((f"optimizer{n}", one) for n, one in enumerate(optimizers))]
        try:
            switch.to(not static, layers)
            paddle.save({name: part.state_dict() for name, part in parts}, path)
            with paddle.no_grad():
                for tensor in all_tensors(roots).values():
                    if not tensor.stop_gradient:
                        tensor.set_value(paddle.zeros_like(tensor))
            switch.to(static, layers)
            state = paddle.load(path)
            for name, part in parts:
                part.set_state_dict(state[name])
        except Exception as error:
            self._told(side, "fails", error=f"{type(error).__name__}: {error}"[-_ERROR_KEPT:])
        else:
            self._told(side, "ran")
        finally:
            switch.to(static, layers)
            if os.path.exists(path):
                os.unlink(path)

    def _told(self, side: str, outcome: str, **fields: Any) -> None:
        self._session.journal.write(t="leg", leg="read", net=side, outcome=outcome, **fields)
