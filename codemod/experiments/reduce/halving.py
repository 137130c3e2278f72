"""The innermost layer of a net that shows a fault by itself, found by halving.

Where nothing raises, no line names the place. So layers are made static, each by itself, while the
rest of the net stays dynamic: all that stand directly within one, then half of them, until one is
left; then those within it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from codemod.experiments.probe.server import Server
from codemod.experiments.reduce.signature import RunEnd, agrees, signature
from codemod.experiments.reduce.trial import IDLE_S, READINGS, Reading, read_end
from codemod.judging.evidence.result import ModeResult
from codemod.training.runner import DYNAMIC

# Each run builds the net again; one that takes longer is not halved.
_LIMIT_S = 120.0


@dataclass(frozen=True, slots=True)
class Halved:
    """Names of layers, each within the one before; `ended` unless the time was over first."""

    chain: tuple[str, ...] = ()
    ended: bool = True

    @property
    def layer(self) -> str:
        """The innermost layer that is known to show it by itself; empty where none is."""
        return self.chain[-1] if self.chain else ""


def innermost(
    shows: Callable[[Sequence[str]], bool], called: Sequence[str], goes_on: Callable[[], bool]
) -> Halved:
    """Layers that show the fault, the outermost first, each within the one before.

    `called` are names of layers in the order of their first call, a layer's parts named below it.
    `shows(names)` says whether the net shows the fault with these layers static. It ends where
    none of a layer's parts does alone, or `goes_on()` is no longer so.
    """
    chain: list[str] = []
    within = _outermost(called)
    while within and goes_on() and (found := _one(shows, within, goes_on)) is not None:
        chain.append(found)
        below = [name for name in called if name.startswith(f"{found}.")]
        within = _outermost(below)
    return Halved(tuple(chain), not within or goes_on())


def _outermost(names: Sequence[str]) -> list[str]:
    """Those that stand within no other one."""
    within = tuple(f"{name}." for name in names)
    return [name for name in names if not name.startswith(within)]


def _one(
    shows: Callable[[Sequence[str]], bool], names: list[str], goes_on: Callable[[], bool]
) -> str | None:
    """The first one of these that shows it alone, if halving comes down to one."""
    if not shows(names):
        return None
    while len(names) > 1:
        if not goes_on():
            return None
        first, rest = names[: len(names) // 2], names[len(names) // 2 :]
        if shows(first):
            names = first
        elif shows(rest):
            names = rest
        else:
            return None  # it takes some of both
    return names[0]


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
