"""Functions of other packages that the kit's modules name: what each gave first in a call.

A program cannot import them. One that solves an assignment, say, stands between a net and its
loss, and what it gave once serves as well.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

from .states import copied

# What a program may import, for it comes with Paddle; the rest is the kit's or another package's.
ALLOWED = ("paddle", "numpy", "PIL")


class ForeignResults:
    """Keeps them by the function's `id`, from `put` to `restore`; `owns(file)`: it is the kit's."""

    def __init__(self, owns: Callable[[str], bool]) -> None:
        self._owns = owns
        self._put: list[tuple[dict[str, Any], str, Any]] = []
        self.first: dict[int, Any] = {}

    def put(self) -> None:
        """Let each function tell, wherever a module of the kit's has it."""
        for module in list(sys.modules.values()):
            if not self._owns(getattr(module, "__file__", None) or ""):
                continue
            for name, value in list(vars(module).items()):
                if self._foreign(value):
                    self._put.append((vars(module), name, value))
                    vars(module)[name] = self._telling(value)

    def restore(self) -> None:
        """Put the functions back."""
        while self._put:
            names, name, value = self._put.pop()
            names[name] = value

    def _foreign(self, value: Any) -> bool:
        if not inspect.isroutine(value) or not getattr(value, "__module__", None):
            return False
        return not allowed(value.__module__) and not self._owns(source_file(value) or "")

    def _telling(self, function: Any) -> Any:
        @functools.wraps(function)
        def told(*values: Any, **options: Any) -> Any:
            result = function(*values, **options)
            self.first.setdefault(id(function), copied(result))
            return result

        return told


def allowed(module: str) -> bool:
    """Whether a program may import a module."""
    first = module.partition(".")[0]
    return first in ALLOWED or first in sys.stdlib_module_names


def source_file(value: Any) -> str | None:
    """The file that a class or function is written in; None where it is of C, or neither."""
    try:
        return inspect.getsourcefile(value)
    except TypeError:
        return None
