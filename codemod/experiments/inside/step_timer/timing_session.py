"""One timed run: what is patched, in which order, and how it ends."""

# The recorder's modules are known when the kit's process runs.
# mypy: disable-error-code=misc

from __future__ import annotations

import faulthandler
import functools
import os
import resource
from importlib import import_module
from typing import Any, Callable

from .clock import Clock
from .timed_steps import TimedSteps
from .timed_turns import TimedTurns

recorder_session: Any = import_module("parity_recorder.session")
recorder_inputs: Any = import_module("parity_recorder.values.inputs")
recorder_tensors: Any = import_module("parity_recorder.values.tensors")
recorder_static: Any = import_module("parity_recorder.graphs.static")
recorder_loader: Any = import_module("parity_recorder.loader")


def _quiet_when_off() -> None:
    """Take out what Paddle logs at every call of a hooked layer while static graphs are off.

    That would make the dynamic side milliseconds slower than dynamic training is.
    """
    logging: Any = import_module("paddle.jit.dy2static.logging_utils")
    original = logging.warn

    @functools.wraps(original)
    def warn(message: str, *args: Any, **kwargs: Any) -> None:
        if "does NOT work when setting" not in message:
            original(message, *args, **kwargs)

    logging.warn = warn


class LastCalls(recorder_inputs.Inputs):
    """What the hooked layers were called with in this turn; described when the clock stands."""

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self._calls: list[Any] = []

    def name_of(self, function: Any) -> Any:
        """The function itself: naming it takes time."""
        return function

    def seen(self, function: Any, args: Any, kwargs: Any) -> None:
        """Keep one call of a turn."""
        if self._session.clock.on:
            self._calls.append((function, args, kwargs))

    def take(self) -> list[dict[str, Any]]:
        """The forms of the calls since this was last asked for."""
        calls, self._calls = self._calls, []
        return [
            {
                "layer": super(LastCalls, self).name_of(function),
                "args": [recorder_tensors.structure(value) for value in args],
                "kwargs": {key: recorder_tensors.structure(one) for key, one in kwargs.items()},
            }
            for function, args, kwargs in calls
        ]


class TimingSession(recorder_session.Session):
    """Wires the timer together inside the kit's process, on the recorder's parts."""

    def __init__(self, config: Any, options: dict[str, Any], paddle: Any) -> None:
        super().__init__(config, paddle)
        self.options = options
        self.clock = Clock(paddle, config.device)
        self.calls = LastCalls(self)

    def begin(self) -> None:
        """Seed, patch Paddle, and write the first line."""
        faulthandler.enable()
        self._seed()
        self._write_start()
        self._skip_own_frames()
        static = recorder_static.Static(self)
        turns = TimedTurns(self)
        self.steps = TimedSteps(self, static, turns)
        turns.names, turns.static = self.steps.names, static
        recorder_loader.patch(self.paddle)
        static.patch(self.calls)
        _quiet_when_off()
        self.steps.patch()
        turns.patch()
        self._watch_exit()

    def _skip_own_frames(self) -> None:
        """Keep SOT from translating the timer's functions and the recorder's."""
        super()._skip_own_frames()
        skip = getattr(self.paddle.framework.core, "eval_frame_skip_file_prefix", None)
        if skip is not None:
            skip((os.path.dirname(os.path.abspath(__file__)) + os.sep,))

    def stop(self, after: Callable[[], None] | None = None) -> None:
        """End the training now that all wanted turns are timed."""
        peak = {"rss_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}
        if self.config.device.startswith("gpu"):
            peak["card_kb"] = self.paddle.device.cuda.max_memory_allocated() // 1024
        self.journal.write(t="memory", **peak)
        super().stop(after)
