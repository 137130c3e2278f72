"""What a net's building and its first call reach: functions, arguments of objects, fed tensors."""

from __future__ import annotations

import os
import sys
from typing import Any

# Objects whose arguments are kept; a kit that builds more builds them in loops of its own.
_MOST = 200000


class Construction:
    """How an object was made: the arguments of its class's outermost `__init__`."""

    def __init__(self, made: Any, named: dict[str, Any], more: tuple[Any, ...]) -> None:
        self.made = made
        self.named = named
        self.more = more


class CallWatch:
    """Traces Python calls while the context lasts; files below `root` are the kit's."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root) + os.sep
        self._own: dict[str, bool] = {}
        self.reached: set[tuple[str, int]] = set()
        self.made: dict[int, Construction] = {}
        self.calls: dict[int, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {}

    def __enter__(self) -> CallWatch:
        sys.setprofile(self._event)
        return self

    def __exit__(self, *_ended: object) -> None:
        sys.setprofile(None)

    def owns(self, file: str) -> bool:
        """Whether a file is the kit's."""
        if file not in self._own:
            self._own[file] = os.path.realpath(file).startswith(self._root)
        return self._own[file]

    def _event(self, frame: Any, event: str, _argument: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        if self.owns(code.co_filename):
            self.reached.add((os.path.realpath(code.co_filename), code.co_firstlineno))
        if code.co_name == "__init__" and code.co_argcount:
            self._keep(frame, code)

    def _keep(self, frame: Any, code: Any) -> None:
        values = frame.f_locals
        made = values.get(code.co_varnames[0])
        if id(made) in self.made or len(self.made) > _MOST:
            return
        count = code.co_argcount + code.co_kwonlyargcount
        names = code.co_varnames[1:count]
        named = {name: _copied(values[name]) for name in names if name in values}
        more: tuple[Any, ...] = ()
        if code.co_flags & 0x04:
            more = tuple(_copied(values[code.co_varnames[count]]))
            count += 1
        if code.co_flags & 0x08:
            named.update(_copied(values[code.co_varnames[count]]))
        # The object is held, so that its number stays its own.
        self.made[id(made)] = Construction(made, named, more)

    def watch_layers(self, paddle: Any) -> None:
        """Keep the arguments of each layer's first call from now on."""
        own = paddle.nn.Layer.__call__

        def called(layer: Any, *inputs: Any, **options: Any) -> Any:
            self.calls.setdefault(id(layer), (layer, _copied(inputs), _copied(options)))
            return own(layer, *inputs, **options)

        paddle.nn.Layer.__call__ = called


def _copied(value: Any) -> Any:
    """Containers as they are now; what they hold stays what it is."""
    if type(value) in (list, tuple):
        return type(value)(_copied(item) for item in value)
    if isinstance(value, dict) and type(value).__name__ != "OrderedDict":
        try:
            return type(value)({key: _copied(item) for key, item in value.items()})
        except Exception:
            return value
    return value
