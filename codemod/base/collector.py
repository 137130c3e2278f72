"""Python's cyclic garbage collector, held back where nothing is garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """No collection inside: for work that fills the memory with syntax trees.

    They are millions of small objects without cycles. The collector would walk them over and
    over, half of the time on a large kit, and free none.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
