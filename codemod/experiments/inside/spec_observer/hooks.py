"""Watch `to_static`: which layers the kit hooks, where, and with which spec."""

from __future__ import annotations

import functools
import sys
from typing import Any

from .form import form


class Hooks:
    """Gives a layer back unchanged and tells `calls` to watch it."""

    def __init__(self, paddle: Any, writer: Any, calls: Any) -> None:
        self._paddle = paddle
        self._writer = writer
        self._calls = calls
        self._count = 0

    def patch(self) -> None:
        """Patch `paddle.jit.to_static`, and the specs, so that they know their line."""
        self._patch_spec(self._paddle.static.InputSpec)
        original = self._paddle.jit.to_static

        @functools.wraps(original)
        def to_static(*args: Any, **kwargs: Any) -> Any:
            target = args[0] if args else kwargs.get("function")
            frame = sys._getframe(1)
            # The parity recorder's own wrapper may lie between.
            while "parity_recorder" in frame.f_code.co_filename and frame.f_back is not None:
                frame = frame.f_back
            if _is_paddle(frame) or not isinstance(target, self._paddle.nn.Layer):
                return original(*args, **kwargs)
            spec = kwargs.get("input_spec", args[1] if len(args) > 1 else None)
            self._hooked(target, spec, frame)
            return target

        self._paddle.jit.to_static = to_static

    def _hooked(self, layer: Any, spec: Any, frame: Any) -> None:
        self._writer.write(
            t="hook",
            id=self._count,
            cls=type(layer).__name__,
            file=frame.f_code.co_filename,
            line=frame.f_lineno,
            spec=None if spec is None else form(spec),
        )
        self._calls.watch(layer, self._count)
        self._count += 1

    @staticmethod
    def _patch_spec(spec: Any) -> None:
        original = spec.__init__

        @functools.wraps(original)
        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            frame = sys._getframe(1)
            # `from_tensor` and `from_numpy` are Paddle's own lines; the kit's come before them.
            while frame.f_back is not None and _is_paddle(frame):
                frame = frame.f_back
            self._codemod_place = [frame.f_code.co_filename, frame.f_lineno]

        spec.__init__ = init


def _is_paddle(frame: Any) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("paddle.")
