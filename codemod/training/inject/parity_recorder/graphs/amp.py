"""Whether mixed precision was asked for, and whether it was real.

On devices without it Paddle warns once and trains in float32: equality then says nothing of AMP.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import Any, Iterator


def patch_amp(session: Any, counts: dict[str, float], as_paddle: Any) -> None:
    """Count `amp_asked` for each enabled guard in dynamic mode, `amp_real` where it took effect."""
    paddle = session.paddle
    # The package's attribute of this name is the function, so the module comes from sys.modules.
    module = sys.modules.get("paddle.amp.auto_cast")
    if module is None or not hasattr(module, "amp_guard"):
        return
    original = module.amp_guard

    def level() -> int:
        tracer = paddle.base.framework._dygraph_tracer()
        return int(getattr(tracer, "_amp_level", 0)) if tracer is not None else 0

    def guard(enable: bool = True, *args: Any, **kwargs: Any) -> Iterator[None]:
        with original(enable, *args, **kwargs):
            if enable and paddle.in_dynamic_mode():
                counts["amp_asked"] = counts.get("amp_asked", 0) + 1
                if level():
                    counts["amp_real"] = counts.get("amp_real", 0) + 1
            yield

    wrapped = contextlib.contextmanager(functools.wraps(original)(as_paddle(guard)))
    module.amp_guard = wrapped  # type: ignore[attr-defined, unused-ignore]
    if getattr(paddle.amp, "amp_guard", None) is original:
        paddle.amp.amp_guard = wrapped
