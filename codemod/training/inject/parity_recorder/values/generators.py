"""The random generators of Python, NumPy and Paddle: their states taken now, digested later."""

from __future__ import annotations

import ctypes
import hashlib
import random
import struct
import sys
from typing import Any, Callable

import numpy as np

from .digests import digest

# What MT19937 keeps in memory: 624 words of 32 bits, then the number of those that are used up.
_WORDS_B = 624 * 4
_STATE_B = _WORDS_B + ctypes.sizeof(ctypes.c_int)


class _PythonState:
    """Python's global generator, read from its memory, for a state of 625 numbers is slow to make.

    The object's head is followed by the number of words that are used up, then by the words; the
    first reading is compared with what Python says.
    """

    def __init__(self) -> None:
        self._known: Any = None
        self._address: int | None = None

    def take(self) -> tuple[bytes | None, Any]:
        """The state's memory and the next number of `gauss`; or None and the state itself."""
        held: Any = getattr(random.getstate, "__self__", None)
        if held is None or held is not self._known:
            self._known, self._address = held, _python_address(held)
        if self._address is None:
            return None, random.getstate()
        return ctypes.string_at(self._address, _STATE_B), held.gauss_next


def _python_address(generator: Any) -> int | None:
    size = object.__basicsize__ + _STATE_B
    if type(generator) is not random.Random or random.Random.__basicsize__ < size:
        return None
    held: Any = generator
    address = id(held) + object.__basicsize__
    taken = ctypes.string_at(address, _STATE_B), held.gauss_next
    return address if _python_state(taken) == held.getstate() else None


def _python_state(taken: tuple[bytes | None, Any]) -> Any:
    """What `random.getstate` would have said when it was taken."""
    raw, rest = taken
    if raw is None:
        return rest
    used, *words = struct.unpack("=i624I", raw)
    return random.Random.VERSION, (*words, used), rest


class _NumpyState:
    """NumPy's global generator, read from its memory: asking for its state costs forty times that.

    The first reading of a generator is compared with what NumPy says; where they are not alike,
    NumPy is asked each time.
    """

    def __init__(self) -> None:
        self._known: Any = None
        self._address: int | None = None

    def take(self) -> tuple[Any, int]:
        """The state's words, as an array or as their bytes, and how many of them are used up."""
        held = _numpy_generator()
        if held is None or held is not self._known:
            self._known, self._address = held, _state_address(held)
        if self._address is None:
            return _told_by_numpy()
        return _read(self._address)


def _numpy_generator() -> Any:
    owner = getattr(getattr(np.random, "mtrand", None), "_rand", None)
    return getattr(owner, "_bit_generator", None)


def _state_address(generator: Any) -> int | None:
    """Where an MT19937 keeps its state; None for others, and where memory holds something else."""
    if type(generator).__name__ != "MT19937":
        return None
    try:
        address = int(generator.ctypes.state_address)
        words, used = _told_by_numpy()
        alike = _read(address) == (words.tobytes(), used)
    except (AttributeError, ImportError, TypeError, ValueError):  # another NumPy, or no ctypes
        return None
    return address if alike else None


def _read(address: int) -> tuple[bytes, int]:
    raw = ctypes.string_at(address, _STATE_B)
    return raw[:_WORDS_B], int.from_bytes(raw[_WORDS_B:], sys.byteorder, signed=True)


def _told_by_numpy() -> tuple[Any, int]:
    state: Any = np.random.get_state()
    return state[1], int(state[2])


_python, _numpy = _PythonState(), _NumpyState()


def take_random(paddle: Any) -> Callable[[], dict[str, str]]:
    """The states as they are now; called, what comes back digests them.

    All three are copies, so that it may be called later and in another thread: most of the work is
    writing the numbers out.
    """
    python, (words, used), states = _python.take(), _numpy.take(), paddle.get_rng_state()

    def digests() -> dict[str, str]:
        return {
            "python": _digested("python", python, lambda taken: repr(_python_state(taken))),
            "numpy": "{}:{}".format(digest(words), used),
            "paddle": _digested("paddle", _numbers(states), " ".join),
        }

    return digests


def _numbers(states: Any) -> list[str]:
    words = [word for state in states for word in str(state).split()]
    # Some builds print a pointer among the numbers.
    return [word for word in words if word[:2] != "0x"]


# The last state of each, with its digest: most steps draw from none of them.
_last: dict[str, tuple[Any, str]] = {}


def _digested(name: str, state: Any, written: Callable[[Any], str]) -> str:
    known = _last.get(name)
    if known is None or known[0] != state:
        text = written(state).encode()
        known = _last[name] = (state, hashlib.blake2b(text, digest_size=8).hexdigest())
    return known[1]


def random_state(paddle: Any) -> dict[str, str]:
    """Digests of the random generators of Python, NumPy and Paddle."""
    return take_random(paddle)()
