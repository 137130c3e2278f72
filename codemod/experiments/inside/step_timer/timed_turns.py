"""Turns of the sides: each batch is trained dynamic and static, from the same weights, and timed.

The recorder's lockstep hands out the batches. The order within a pair turns from pair to pair.
Weights and all else are put back before each side's turn, so that both find the caches alike; the
clock runs from the batch being handed out to the last update. Training goes on from the end of
the last side. With one side alone nothing is put back: it is the kit's own training.
"""

# mypy: disable-error-code=misc

from __future__ import annotations

import functools
import json
import os
import time
import weakref
from importlib import import_module
from typing import Any

from .forwards import Forwards

recorder_lockstep: Any = import_module("parity_recorder.sides.lockstep")
recorder_visits: Any = import_module("parity_recorder.sides.visits")
recorder_snapshot: Any = import_module("parity_recorder.sides.snapshot")


class TimedVisits(recorder_visits.Visits):
    """Hands out a batch once a side, and starts the clock when the trainer has it."""

    def __init__(self, inner: Any, turns: Any) -> None:
        super().__init__(turns.watched(inner), turns)

    def __next__(self) -> Any:
        self._lockstep.asked(self)
        batch = super().__next__()
        self._lockstep.handed(self)
        return batch


class TimedTurns(recorder_lockstep.Lockstep):
    """Turns of one or two sides, a line for each."""

    _master: Any
    _side: str

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self._clock = session.clock
        self._loader_s = 0.0
        self._fixed: Any = None
        self._inputs = ""
        self._forwards = Forwards()

    def patch(self) -> None:
        """Make every data loader hand out its batches once a side."""
        loader = self._session.paddle.io.DataLoader
        original = loader.__iter__
        self._accumulators = recorder_snapshot.Accumulators(self._session.paddle)
        self._holders = recorder_snapshot.Holders(self._session.paddle)

        @functools.wraps(original)
        def visits(this: Any) -> Any:
            return TimedVisits(original(this), self)

        loader.__iter__ = visits

    def watched(self, inner: Any) -> Any:
        """The batches of a loader, the time that each took noted; one batch if they are fixed."""
        while True:
            began = time.perf_counter()
            try:
                batch = next(inner)
            except StopIteration:
                return
            if self._session.options["fixed"] and self.training():
                self._fixed = batch if self._fixed is None else self._fixed
                batch = recorder_visits.copy_batch(self._fixed)
            self._loader_s = time.perf_counter() - began
            yield batch

    def asked(self, iterator: Any) -> None:
        """A loader is asked: what the trainer did up to now is its own, or forward's."""
        self._clock.mark("forward" if self.follows(iterator) else "rest")

    def handed(self, iterator: Any) -> None:
        """A loader has answered: the leading one's batch starts a turn, another's goes on."""
        if self._side and iterator is self._master():
            self._clock.start()
        else:
            self._clock.mark("")

    def next_sides(self) -> list[str]:
        """The sides of the batch that comes next, in this pair's order."""
        if self._side and self._master() is None:
            # A trainer may look at a first batch and drop the loader: that was no turn.
            self._side = ""
            self._pair -= 1
        turned = (self._pair + 1 + self._session.options["first"]) % 2
        return self.sides[::-1] if turned else list(self.sides)

    def begin(self, iterator: Any, side: str) -> None:
        """Start a side's turn; the first one remembers everything."""
        if self._master() is None:
            self._master = weakref.ref(iterator)
        if iterator is not self._master():
            return
        if self._side:
            self._end_turn()
        else:
            self._pair += 1
            self._order = 0
            self._look()
            self._start = self._snapshot() if len(self.sides) > 1 else None
        if self._start is not None:
            self._start.restore()
        self._side = side
        self._forwards.note(self.names.roots)
        self._forwards.turn(side == "static")
        self._session.paddle.jit.enable_to_static(side == "static")

    def finish(self, iterator: Any) -> None:
        """End a pair."""
        if iterator is not self._master() or not self._side:
            return
        self._end_turn()
        self._side = ""
        self._start = None
        self._master = lambda: None
        if self._pair + 1 >= self._session.config.steps:
            self._session.stop()

    def _end_turn(self) -> None:
        """Write the line of a turn, now that the clock stands."""
        self._clock.stop()
        fields = {
            "opt": 0,
            "step": self._pair,
            "losses": [],
            "t": "timed",
            "side": self._side,
            "order": self._order,
            **self._clock.measured,
            "loader": self._loader_s,
            "load": os.getloadavg()[0],
            "switches": self._clock.switches,
            "static": self.static.take(),
        }
        inputs = self._described()
        if inputs != self._inputs:
            fields["inputs"] = json.loads(inputs)
            self._inputs = inputs
        self._order += 1
        self._session.journal.write(**fields)

    def _described(self) -> str:
        """What the hooked layers were called with; as it was where the turn was a dynamic one."""
        told = self._session.calls.take()
        if self._side != "static":
            return self._inputs
        return json.dumps(told, sort_keys=True, default=str)
