"""Programs whose outputs are copies, for a run without what Paddle 2 makes of outputs.

Of a value that a program returns, and an operation on it that is its last one, Paddle 2 loses a
part of the gradient; so it does where a value is returned twice. Where a graph breaks, all that is
read behind the break is returned.
"""

from __future__ import annotations

import functools
import os
from typing import Any, Callable

COPIED_OUTPUTS = "CODEMOD_COPIED_OUTPUTS"


def copies_asked() -> bool:
    """Whether the run is to be made so."""
    return os.environ.get(COPIED_OUTPUTS) == "1"


def copy_outputs(translator: Any, paddle: Any, as_paddle: Callable[[Any], Any]) -> None:
    """Have each traced function return copies; `translator` is Paddle's module that traces."""
    original = translator.convert_to_static
    variable = paddle.static.Variable

    def copied(value: Any) -> Any:
        return paddle.assign(value) if isinstance(value, variable) else value

    def converted(function: Any) -> Any:
        traced = original(function)

        @functools.wraps(traced)
        def copying(*args: Any, **named: Any) -> Any:
            return paddle.utils.map_structure(copied, traced(*args, **named))

        return as_paddle(copying)

    translator.convert_to_static = as_paddle(converted)
