"""What a program's lines give: shape and type of tensors, and whether they take a gradient."""

from __future__ import annotations

from typing import Any


class LineShapes:
    """`found` is `{line: {name: [shape, dtype, takes a gradient]}}` of what is bound then.

    What a line returns has the name "".
    """

    def __init__(self, paddle: Any, file: str) -> None:
        self._tensor, self._file = paddle.Tensor, file
        self._last: dict[Any, int] = {}
        self.found: dict[int, dict[str, list[Any]]] = {}

    def call(self, frame: Any, _event: str, _argument: Any) -> Any:
        """The trace function: it looks into frames of the program alone."""
        return self._line if frame.f_code.co_filename == self._file else None

    def _line(self, frame: Any, event: str, argument: Any) -> Any:
        done = self._last.get(frame)
        if done is not None:
            self._keep(done, frame.f_locals)
        if event == "return":
            self._keep(frame.f_lineno, {"": argument})
            self._last.pop(frame, None)
        else:
            self._last[frame] = frame.f_lineno
        return self._line

    def _keep(self, line: int, values: dict[str, Any]) -> None:
        known = self.found.setdefault(line, {})
        for name, value in values.items():
            if name not in known and isinstance(value, self._tensor):
                kind = str(value.dtype).rpartition(".")[2]
                known[name] = [list(value.shape), kind, not value.stop_gradient]
