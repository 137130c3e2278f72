"""A kit's own training step: all its nets and optimizers, its losses, on batches that were made."""

from __future__ import annotations

import dataclasses
import importlib
import sys
from typing import Any, Callable, Iterable


@dataclasses.dataclass
class Training:
    """A built training. `nets` are all layers of it by name, also those that no optimizer trains.

    `hook(to_static)` puts the hook where the kit's change puts it. `step(number)` feeds one made
    batch and runs the kit's own step; a run makes as many as it is asked for, and `steps` at least.
    """

    nets: dict[str, Any]
    hook: Callable[[Any], None]
    step: Callable[[int], None]
    steps: int = 2


def run(training: Training, static: bool, session: Any, phase: Callable[[str], None]) -> None:
    """Make the steps; the record also holds every parameter and buffer as the last one left it.

    Ends by the exception with which the recorder stops a training.
    """
    steps = max(training.steps, session.config.steps)
    # The recorder would stop when one optimizer has made so many steps, others none.
    session.config.steps = sys.maxsize
    phase("hook")
    before = _marks(training.nets)
    if static:
        training.hook(sys.modules["paddle"].jit.to_static)
    for number in numbers(session, steps):
        phase("step")
        training.step(number)
    after = _marks(training.nets)
    moved = {
        name: [sum(before[name].get(key) != mark for key, mark in marks.items()), len(marks)]
        for name, marks in after.items()
    }
    session.journal.write(t="nets", nets=moved)
    end = {f"{name}.{key}": mark for name, marks in after.items() for key, mark in marks.items()}
    session.journal.write(t="weights", opt=0, end=end)
    session.stop()


def numbers(session: Any, steps: int) -> Iterable[int]:
    """The number of each batch: in a run of sides each is handed out once a side."""
    if not session.lockstep.on:
        return range(steps)
    visits: Any = importlib.import_module("parity_recorder.sides.visits")
    handed_out: Iterable[int] = visits.Visits(iter(range(steps)), session.lockstep)
    return handed_out


def _marks(nets: dict[str, Any]) -> dict[str, dict[str, str]]:
    """A digest of each parameter and buffer of each net."""
    digests: Any = importlib.import_module("parity_recorder.values.digests")
    arrays: Any = importlib.import_module("parity_recorder.values.tensors")
    return {
        name: {
            key: digests.digest(arrays.to_array(value))
            for key, value in (*net.named_parameters(), *net.named_buffers())
            if value is not None and value._is_initialized()
        }
        for name, net in nets.items()
    }
