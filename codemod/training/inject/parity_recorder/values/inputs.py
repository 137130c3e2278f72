"""What each hooked layer was fed: shapes, dtypes and nesting, each distinct form once."""

from __future__ import annotations

import functools
import json
import weakref
from typing import Any

from .tensors import structure

FORMS_KEPT = 200


class Inputs:
    """Collects the forms of calls. In dynamic runs the outermost layers' calls are watched.

    In static runs `StaticFunction.__call__` reports (see `static.py`): a wrapper around
    `Layer.__call__` would be seen by SOT and change what it captures.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self._forms: set[str] = set()
        self._depth = 0
        self.steps: Any = None

    def name_of(self, function: Any) -> str:
        """The class whose forward a StaticFunction replaces, or the function's name."""
        owner = getattr(function, "_class_instance", None)
        if isinstance(owner, weakref.ref):
            owner = owner()
        if owner is not None:
            return type(owner).__name__
        return str(getattr(function, "__name__", "function"))

    def seen(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Write the form of one call if it is new."""
        if len(self._forms) >= FORMS_KEPT or self._session.config.light:
            return
        form = {
            "layer": name,
            "args": [structure(value) for value in args],
            "kwargs": {key: structure(value) for key, value in kwargs.items()},
        }
        text = json.dumps(form, sort_keys=True, default=str)
        if text not in self._forms:
            self._forms.add(text)
            step = self.steps.total if self.steps is not None else 0
            self._session.journal.write(t="input", step=step, **json.loads(text))

    def patch(self) -> None:
        """Watch the outermost calls of layers in a dynamic run."""
        layer = self._session.paddle.nn.Layer
        original = layer.__call__

        @functools.wraps(original)
        def call(module: Any, *args: Any, **kwargs: Any) -> Any:
            if self._depth == 0 and not type(module).__module__.startswith("paddle."):
                self.seen(type(module).__name__, args, kwargs)
            self._depth += 1
            try:
                return original(module, *args, **kwargs)
            finally:
                self._depth -= 1

        layer.__call__ = call
