"""What stands in the place of data, models and training, so that option code runs in a moment."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any


class Ended(BaseException):
    """The end of one try: training would begin. Not an `Exception`: trainers catch those."""


class Anything:
    """An object that has every attribute, can be called, and counts as one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Whatever is called gives another one."""
        return Anything()

    def __getitem__(self, key: Any) -> Any:
        return Anything()

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 1000

    def __int__(self) -> int:
        return 1

    __index__ = __int__

    def __float__(self) -> float:
        return 1.0

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *about: object) -> None:
        pass

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def _itself(self, *others: Any) -> Any:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _itself
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __neg__ = _itself

    def __lt__(self, other: Any) -> bool:
        return False

    __le__ = __gt__ = __ge__ = __lt__


def net() -> Any:
    """A small layer with one weight, which has every other attribute too."""
    nn: Any = importlib.import_module("paddle").nn

    class Net(nn.Layer):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.weight = self.create_parameter([1])

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                if name.startswith("__"):
                    raise
                return Anything()

    return Net()


def begins(*args: Any, **kwargs: Any) -> Any:
    """Stands where training begins: from here on no hook comes."""
    raise Ended


def replace(names: dict[str, Any]) -> None:
    """Put stand-ins in the place of `module:attribute` or `module:Class.attribute`."""
    for place, stand_in in names.items():
        module, _, path = place.partition(":")
        owner: Any = importlib.import_module(module)
        *above, last = path.split(".")
        for name in above:
            owner = getattr(owner, name)
        setattr(owner, last, stand_in)


def ways(
    key: str,
    option: Sequence[str] = (),
    flag: str = "",
    on: Sequence[str] = ("True",),
    off: Sequence[str] = ("False", "false", "0"),
) -> list[dict[str, Any]]:
    """The ways to turn a switch on and off, by the command line or by `key` of the config.

    `option` are the words that set it, with `{}` for the value; `flag` turns it on by itself.
    """

    def given(value: str) -> dict[str, Any]:
        words = [word.format(value) for word in option]
        return {"name": " ".join(words), "argv": words}

    flags = [{"name": flag, "argv": [flag]}] if flag else []
    yaml = [{"name": f"{key}: {to} in the YAML", "yaml": {key: to}} for to in (True, False)]
    found = [*flags, *(map(given, on) if option else ()), yaml[0]]
    return [*({**way, "on": True} for way in found), yaml[1], *(map(given, off) if option else ())]
