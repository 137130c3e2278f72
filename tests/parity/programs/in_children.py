"""What the programs of float64 share: each try in a process of its own, float64 where it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import paddle


def double_if_asked() -> None:
    """Let float64 stand for float32, as the recorder does, if the command line says `double`."""
    if "double" in sys.argv:
        sys.path.insert(0, sys.argv[1])
        from parity_recorder.sides.double import Double  # type: ignore[import-not-found]

        Double(paddle).patch()


def in_a_child(told: Callable[[], str]) -> str:
    """What a function says in a process of its own: some end it, and say nothing."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, told().encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode()
    os.wait()
    return said
