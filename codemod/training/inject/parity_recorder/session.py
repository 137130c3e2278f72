"""One recorded run: what is patched, in which order, and how it ends."""

from __future__ import annotations

import atexit
import ctypes
import faulthandler
import json
import os
import platform
import random
import signal
import sys
import time
import traceback
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import loader
from .graphs.static import Static
from .journal import Journal
from .sides.double import Double
from .sides.lockstep import Lockstep
from .sides.switch import HookSwitch
from .steps import Steps
from .values.inputs import Inputs
from .version import VERSION

if TYPE_CHECKING:
    from . import Config


_PR_SET_PDEATHSIG = 1


class TrainingStopped(SystemExit):
    """Ends the training after the last wanted step; no trainer's `except Exception` sees it."""


class Session:
    """Wires the parts together inside the kit's process."""

    def __init__(self, config: Config, paddle: Any) -> None:
        self.config = config
        self.paddle = paddle
        self.journal = Journal(config.out)
        self.pid = os.getpid()
        self.done = False
        self.steps: Any = None
        self.lockstep: Any = None
        self.double = Double(paddle)
        self.switch = HookSwitch(paddle)
        self.batches = loader.Batches()
        self._ended = False

    def begin(self) -> None:
        """Seed, patch Paddle, and write the first line."""
        faulthandler.enable()
        if self.config.ranks > 1 and sys.platform == "linux":
            # Paddle's launcher puts each process into a session of its own: no signal to ours
            # would end them.
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        self._seed()
        self._write_start()
        self._skip_own_frames()
        if self.config.double:
            self.double.patch()
        static = Static(self)
        inputs = Inputs(self)
        lockstep = self.lockstep = Lockstep(self)
        self.steps = Steps(self, static, lockstep)
        inputs.steps = self.steps
        lockstep.names, lockstep.static = self.steps.names, static
        loader.patch(self.paddle)
        self.batches.patch(self.paddle)
        static.patch(inputs)
        self.steps.patch()
        if self.config.mode == "dynamic" and not self.config.light:
            inputs.patch()
        if lockstep.on:
            lockstep.patch()
        self._watch_exit()

    def _seed(self) -> None:
        """The same start for kits that set no seed themselves, or seed by the clock."""
        by_number = random.seed

        def seed(a: Any = None, version: int = 2) -> None:
            # `random.seed(None)` takes the clock: two runs would shuffle their data differently.
            by_number(self.config.seed if a is None else a, version)

        random.seed = seed
        random.seed(self.config.seed)
        np.random.seed(self.config.seed)
        self.paddle.seed(self.config.seed)

    def _write_start(self) -> None:
        keys = (
            "FLAGS_",
            "OMP_",
            "MIN_GRAPH",
            "ENABLE_",
            "PYTHONHASHSEED",
            "SOT_",
            "STRICT_",
            "NVIDIA_",
            "MALLOC_",
            "MKL_",
        )
        self.journal.write(
            t="start",
            mode=self.config.mode,
            nudge=self.config.nudge,
            sides=self.config.sides,
            double=self.config.double,
            version=VERSION,
            seed=self.config.seed,
            paddle=self.paddle.__version__,
            python=platform.python_version(),
            numpy=np.__version__,
            machine=platform.machine(),
            system=platform.platform(),
            cuda=bool(self.paddle.is_compiled_with_cuda()),
            wanted=self.config.device,
            cinn=bool(getattr(self.paddle, "is_compiled_with_cinn", lambda: False)()),
            env={key: value for key, value in os.environ.items() if key.startswith(keys)},
            argv=sys.argv,
            pid=self.pid,
            time=time.time(),
        )

    def _skip_own_frames(self) -> None:
        """Keep SOT from translating the recorder's functions."""
        skip = getattr(self.paddle.framework.core, "eval_frame_skip_file_prefix", None)
        if skip is not None:
            skip((os.path.dirname(os.path.abspath(__file__)) + os.sep,))

    def _watch_exit(self) -> None:
        shown = sys.excepthook

        def excepthook(kind: Any, error: Any, trace: Any) -> None:
            self.end("exception", kind, error, trace)
            shown(kind, error, trace)

        sys.excepthook = excepthook
        # Paddle's own exit handlers run after ours, so a crash in them leaves a whole record.
        atexit.register(self._exit)

    def _exit(self) -> None:
        """The trainer came to an end of its own, before all wanted steps were there."""
        if not self._ended and os.getpid() == self.pid:
            self.end("exit", after=self.steps.finish())

    def end(
        self,
        reason: str,
        kind: Any = None,
        error: Any = None,
        trace: Any = None,
        after: Callable[[], None] | None = None,
    ) -> None:
        """Write the last line, once, and wait until all is on disk."""
        if self._ended or os.getpid() != self.pid:
            return
        self._ended = True
        fields: dict[str, Any] = {"t": "end", "reason": reason}
        if error is not None:
            frames = traceback.format_tb(trace)[-12:]
            fields.update(
                error=kind.__name__, message=str(error)[-4000:], traceback="".join(frames)[-6000:]
            )
        self.journal.write(**json.loads(json.dumps(fields, default=str)))
        try:
            if after is not None:
                after()
        finally:
            self.journal.close()

    def stop(self, after: Callable[[], None] | None = None) -> None:
        """End the training now that all wanted steps are recorded.

        `after` runs once the record says so: whatever becomes of it, the steps stand.
        """
        if self.done:
            # Somebody swallowed the first request; there is nothing left to lose.
            os._exit(0)
        self.done = True
        self.end("steps", after=after)
        raise TrainingStopped(0)
