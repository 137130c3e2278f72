"""A kit's net with some of its layers static: whether it shows what the whole net shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from codemod.experiments.probe.server import Server
from codemod.experiments.reduce.halving import Halved, innermost
from codemod.experiments.reduce.signature import RunEnd, agrees, signature
from codemod.experiments.reduce.trial import IDLE_S, READINGS, Reading, read_end
from codemod.judging.evidence.result import ModeResult
from codemod.training.runner import DYNAMIC

# Each run builds the net again; one that takes longer is not halved.
_LIMIT_S = 120.0


@dataclass
class PartlyStatic:
    """Runs one model of a kit's on its server; `shown` is what its probe showed in `mode`."""

    server: Server
    config: str
    attempt: dict[str, Any]
    mode: str
    shown: ModeResult
    _dynamic: dict[bool, RunEnd] = field(default_factory=dict, repr=False)

    def innermost(self, goes_on: Callable[[], bool]) -> Halved:
        """Layers that show it by themselves, in the surest reading in which any does."""
        for reading in READINGS:
            if not goes_on():
                break
            dynamic = self._dynamic_run(reading)
            called = dynamic.content.get("called", ())
            if not dynamic.sound:
                continue
            place = innermost(partial(self._shows, reading), called, goes_on)
            if place.chain:
                return place
        return Halved()

    def _shows(self, reading: Reading, names: Sequence[str]) -> bool:
        static = self._run(self.mode, names, reading)
        found = signature(self._dynamic_run(reading), static, reading.noise)
        return found is not None and agrees(found, self.shown)

    def _dynamic_run(self, reading: Reading) -> RunEnd:
        if reading.double not in self._dynamic:
            self._dynamic[reading.double] = self._run(DYNAMIC, (), reading)
        return self._dynamic[reading.double]

    def _run(self, mode: str, static: Sequence[str], reading: Reading) -> RunEnd:
        answer = self.server.ask(
            "partly",
            "partly.json",
            _LIMIT_S,
            config=self.config,
            attempt=self.attempt,
            mode=mode,
            static=list(static),
            double=reading.double,
            idle_s=IDLE_S,
        )
        told, end = read_end(answer)
        return replace(end, content=told.get(mode, {}))
