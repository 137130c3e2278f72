"""MadeUp-up values: whatever a trainer asks of what is not there, named by the way it was asked.

A made-up value answers everything with another one. What it is worth in a condition follows from
its name and the run's seed alone, so two runs of nearly the same code take the same branches.
"""

from __future__ import annotations

import hashlib
import types
from typing import Any

from .journal import JOURNAL

# A condition that was true this often is false from then on: `while` loops end.
PATIENCE = 3
LONGEST_NAME = 400
# What is logged is no event: a trainer that logs its options logs the switch too.
LOGS = frozenset(("info", "debug", "warning", "warn", "error", "critical", "log"))


class MadeUpWorld:
    """What a run decides by: its seed, the switch's names, and whether it is on."""

    def __init__(self) -> None:
        self.begin(0, frozenset(), False)

    def begin(self, seed: int, switches: frozenset[str], on: bool, message: str = "") -> None:
        """Start a run; `switches` are the names by which the change's switch is read.

        `message` is what the change's own line logs: it is no event.
        """
        self.seed, self.switches, self.on, self.message = seed, switches, on, message
        self.asked: dict[str, int] = {}
        self.stable: dict[str, int] = {}
        self.made: dict[str, int] = {}

    def is_switch(self, key: Any) -> bool:
        """Whether a config's key, such as `runner.to_static`, is the change's switch."""
        return isinstance(key, str) and key.rpartition(".")[2] in self.switches

    def call(self, name: str) -> str:
        """The name of what a call gives: each call of one thing gives another."""
        number = self.made[name] = self.made.get(name, 0) + 1
        return "()" if number == 1 else f"()#{number}"

    def truth(self, name: str) -> bool:
        """What a made-up value counts as: by its name, and false when it was asked too often."""
        if name not in self.stable:
            digest = hashlib.blake2b(f"{self.seed}:{name}".encode(), digest_size=2).digest()
            self.stable[name] = digest[0] % 2
        self.asked[name] = self.asked.get(name, 0) + 1
        return bool(self.stable[name]) and self.asked[name] <= PATIENCE


WORLD = MadeUpWorld()


def layers_of(*values: Any) -> frozenset[str]:
    """The models that values came through, looked for in lists and dictionaries too."""
    found: set[str] = set()
    for value in values:
        if isinstance(value, MadeUp):
            found |= value._layers
        elif isinstance(value, (list, tuple)):
            found |= layers_of(*value)
        elif isinstance(value, dict):
            found |= layers_of(*value.values())
    return frozenset(found)


class Answering:
    """Attributes that it lacks are made up, under its name; those of the switch say if it is on."""

    def _made_up(self, name: str) -> MadeUp:
        return MadeUp(f"{type(self).__name__}.{name}")

    def __getattr__(self, name: str) -> Any:
        if name in WORLD.switches:
            return WORLD.on
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = self.__dict__[name] = self._made_up(name)
        return made


class MadeUp(Answering):
    """A made-up value; as a result of a model it knows which models it came through."""

    _name: str
    _layers: frozenset[str]

    def __init__(self, name: str, layers: frozenset[str] = frozenset()) -> None:
        object.__setattr__(self, "_name", name[-LONGEST_NAME:])
        object.__setattr__(self, "_layers", layers)

    def _next(self, step: str, *others: Any) -> MadeUp:
        return MadeUp(self._name + step, self._layers | layers_of(*others))

    def _made_up(self, name: str) -> MadeUp:
        return self._next(f".{name}")

    def __call__(self, *arguments: Any, **words: Any) -> Any:
        """What calls do: differentiate, read a switch, decorate, or run something made up."""
        method = self._name.rpartition(".")[2]
        if method == "backward":
            for layer in sorted(self._layers | layers_of(*arguments)):
                JOURNAL.note("train", layer)
            return None
        if arguments and WORLD.is_switch(arguments[0]):
            return WORLD.on
        only = arguments[0] if len(arguments) == 1 and not words else None
        if isinstance(only, (types.FunctionType, type)):
            return only
        if method == "parameters":
            return [self._next("()")]
        if any(isinstance(one, str) and one == WORLD.message for one in arguments):
            return None
        if method not in LOGS:
            JOURNAL.note("call", self._name)
        made = self._next(WORLD.call(self._name), *arguments, *words.values())
        object.__setattr__(made, "_layers", made._layers | {self._name})
        return made

    def __getitem__(self, key: Any) -> Any:
        if WORLD.is_switch(key):
            return WORLD.on
        kept = self.__dict__.setdefault("_items", {})
        word = repr(key) if isinstance(key, (str, int)) else "…"
        if word not in kept:
            kept[word] = self._next(f"[{word}]")
        return kept[word]

    def __setitem__(self, key: Any, value: Any) -> None:
        word = repr(key) if isinstance(key, (str, int)) else "…"
        self.__dict__.setdefault("_items", {})[word] = value

    def __delitem__(self, key: Any) -> None:
        pass

    def __contains__(self, key: Any) -> bool:
        if WORLD.is_switch(key):
            return True
        return WORLD.truth(f"{key!r} in {self._name}"[-LONGEST_NAME:])

    def __bool__(self) -> bool:
        return WORLD.truth(self._name)

    def __iter__(self) -> Any:
        return iter([self[0], self[1]])

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<{self._name}>"

    def __format__(self, how: str) -> str:
        return self._name

    def __hash__(self) -> int:
        return hash(self._name)

    def __enter__(self) -> Any:
        return self._next(" as")

    def __exit__(self, *_: object) -> None:
        return None

    def __deepcopy__(self, memo: object) -> MadeUp:
        JOURNAL.note("copy", self._name)
        return MadeUp(f"copy of {self._name}", self._layers)

    def __copy__(self) -> MadeUp:
        return MadeUp(f"copy of {self._name}", self._layers)

    def __mro_entries__(self, bases: object) -> tuple[type, ...]:
        return (Blank,)

    def __instancecheck__(self, value: object) -> bool:
        return WORLD.truth(f"isinstance {self._name}")

    def __subclasscheck__(self, value: object) -> bool:
        return False

    def __await__(self) -> Any:
        yield from ()
        return self


def _computed(sign: str) -> Any:
    def compute(self: MadeUp, other: Any = None) -> MadeUp:
        word = other._name if isinstance(other, MadeUp) else repr(other)[:40]
        return self._next(f" {sign} {word}", other)

    return compute


_SIGNS = (
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul "
    "rmatmul and rand or ror xor rxor lshift rshift neg pos abs invert lt le gt ge eq ne"
)
for _sign in _SIGNS.split():
    setattr(MadeUp, f"__{_sign}__", _computed(_sign))


# What it is worth as a number, and as the name of a file.
for _kind, _worth in {"len": 2, "int": 1, "index": 1, "float": 1.0, "fspath": "made-up"}.items():
    setattr(MadeUp, f"__{_kind}__", lambda _self, worth=_worth: worth)


class Blank(Answering):
    """The base class that stands for a made-up one: attributes it lacks are made up."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __init_subclass__(cls, **_: Any) -> None:
        pass


class MadeModule(Answering, types.ModuleType):
    """A module that is not there: every name in it is made up."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def _made_up(self, name: str) -> Any:
        return MadeUp(f"{self.__name__}.{name}")
