"""What a net's building and its first call reach: arguments of objects, lines, fed tensors."""

from __future__ import annotations

import dataclasses
import inspect
import os
import sys
from types import CodeType
from typing import Any

from .foreign import ForeignResults, source_file
from .leaves import float_paths, leaves
from .states import Moment, copied

# Objects whose arguments are kept; a kit that builds more builds them in loops of its own.
_MOST = 200000


@dataclasses.dataclass
class Construction:
    """How an object was made: the arguments of the outermost `__init__` that is not the kit's."""

    made: Any
    named: dict[str, Any]
    more: tuple[Any, ...]
    code: Any


class CallWatch:
    """Keeps what is made while the context lasts; files below `root` are the kit's."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root) + os.sep
        self._own: dict[str, bool] = {}
        self._files: dict[str, str] = {}
        # Lines of the kit's code that ran in the call, and all names and texts in its functions.
        self.lines: set[tuple[str, int]] = set()
        self.used: set[str] = set()
        self._codes: set[CodeType] = set()
        self.made: dict[int, Construction] = {}
        self.calls: dict[int, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {}
        # The tensors of a layer's call that took a gradient then: the layer may change that.
        self.grown: dict[int, set[int]] = {}
        # How each tensor of floats is reached in what a layer's first call gave as `out`.
        self.gave: dict[int, list[str]] = {}
        # How all was when a layer was first called.
        self.moments: dict[int, Moment] = {}
        self._kinds: dict[type, bool] = {}
        self.foreign = ForeignResults(self.owns)
        self._calling = False
        self._layer: Any = None
        self._tensor: Any = None

    def __enter__(self) -> CallWatch:
        # Not a profile function: that is told of calls of C as well, and each time Python writes
        # the frame's names anew into the `locals()` that the kit may be going through.
        sys.settrace(self._event)
        return self

    def __exit__(self, *_ended: object) -> None:
        sys.settrace(None)
        self.foreign.restore()

    def owns(self, file: str) -> bool:
        """Whether a file is the kit's."""
        if file not in self._own:
            self._own[file] = os.path.realpath(file).startswith(self._root)
        return self._own[file]

    def ran(self, file: str, first: int, last: int) -> bool:
        """Whether one of these lines of a file ran in the call."""
        return any((file, line) in self.lines for line in range(first, last + 1))

    def _event(self, frame: Any, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if code.co_name == "__init__" and code.co_argcount:
            self._keep(frame, code)
        return self._called(frame) if self._calling else None

    def _keep(self, frame: Any, code: Any) -> None:
        names, rest, options, values = inspect.getargvalues(frame)
        made = values.get(names[0])
        if self.owns(code.co_filename) or id(made) in self.made or len(self.made) > _MOST:
            return
        named = {name: copied(values[name]) for name in names[1:] if name in values}
        if options:
            named.update(copied(values[options]))
        # The object is held, so that its number stays its own.
        more = tuple(copied(values[rest])) if rest else ()
        self.made[id(made)] = Construction(made, named, more, code)

    def watch_call(self, paddle: Any) -> None:
        """From now on, keep the arguments of each layer's first call, and the lines that run."""
        own = paddle.nn.Layer.__call__
        self._layer, self._tensor = paddle.nn.Layer, paddle.Tensor

        def called(layer: Any, *inputs: Any, **options: Any) -> Any:
            self._fed(layer, inputs, options)
            out = own(layer, *inputs, **options)
            self.gave.setdefault(id(layer), float_paths(paddle, out, "out"))
            return out

        paddle.nn.Layer.__call__ = called
        self.foreign.put()
        self._calling = True

    def _fed(self, layer: Any, inputs: tuple[Any, ...], options: dict[str, Any]) -> None:
        if id(layer) in self.calls:
            return
        self.calls[id(layer)] = (layer, copied(inputs), copied(options))
        tensors = [one for one in leaves((inputs, options)) if isinstance(one, self._tensor)]
        self.grown[id(layer)] = {id(one) for one in tensors if not one.stop_gradient}
        if not type(layer).__module__.startswith("paddle."):  # no program is written of these
            fed = (inputs, options)
            self.moments[id(layer)] = Moment(self._tensor, self._has_parts, layer, *fed)

    def _has_parts(self, value: Any) -> bool:
        return isinstance(value, self._layer) or self.is_kits(type(value))

    def is_kits(self, kind: type) -> bool:
        """Whether a class is the kit's own."""
        if kind not in self._kinds:
            file = source_file(kind)
            self._kinds[kind] = file is not None and self.owns(file)
        return self._kinds[kind]

    def _directly(self, frame: Any, code: Any) -> None:
        """Keep the arguments of a `forward` that is called past `__call__`, as some trainers do."""
        names, rest, more, values = inspect.getargvalues(frame)
        count = code.co_argcount
        layer = values.get(names[0]) if count else None
        if isinstance(layer, self._layer):
            inputs = (*(values[name] for name in names[1:count]), *(values[rest] if rest else ()))
            options = {name: values[name] for name in names[count:]}
            self._fed(layer, inputs, {**options, **(values[more] if more else {})})

    def _called(self, frame: Any) -> Any:
        code = frame.f_code
        if not self.owns(code.co_filename):
            return None
        if code.co_name == "forward":
            self._directly(frame, code)
        self._name(code)
        file = self._real(code.co_filename)
        self.lines.add((file, code.co_firstlineno))

        def line(_frame: Any, event: str, _argument: Any) -> Any:
            if event == "line":
                self.lines.add((file, _frame.f_lineno))
            return line

        return line

    def _real(self, file: str) -> str:
        if file not in self._files:
            self._files[file] = os.path.realpath(file)
        return self._files[file]

    def _name(self, code: CodeType) -> None:
        if code in self._codes:
            return
        self._codes.add(code)
        self.used.update(code.co_names)
        self.used.update(value for value in code.co_consts if isinstance(value, str))
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self._name(inner)
