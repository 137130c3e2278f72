"""Try a program: a dynamic and a static run at the same time, each in a warm process of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.base.errors import EnvironmentFault
from codemod.experiments.probe.server import Server
from codemod.experiments.reduce.cuts import Shapes
from codemod.experiments.reduce.signature import (
    NOISE_DOUBLE,
    NOISE_SINGLE,
    NUMERIC,
    RunEnd,
    Signature,
    signature,
)
from codemod.training.runner import DYNAMIC

PLAIN = Path(__file__).parent / "inside" / "reduce_inside" / "plain.py"
# A program of one layer runs for a moment; what takes longer would be tried too few times.
LIMIT_S = 20.0
# A static call that waits for itself uses no processor time.
IDLE_S = 15.0
_MEMORY_MB = 8192


@dataclass(frozen=True, slots=True)
class Reading:
    """How two runs are compared: in float64 or in the program's own type, how far apart is equal.

    With `at_most`, numbers that are further apart than that are another fault.
    """

    double: bool
    noise: float
    at_most: float = float("inf")


# From the surest to the finest: rounding alone is what neither of the first two sees.
READINGS = (
    Reading(True, NOISE_DOUBLE),
    Reading(False, NOISE_SINGLE),
    Reading(False, 0.0, NOISE_SINGLE),
)


@dataclass
class Trial:
    """Runs programs with one Paddle. `runs` counts those that were made."""

    servers: dict[str, Server]
    folder: Path
    runs: int = 0
    _number: int = field(default=0, repr=False)

    def signature(self, text: str, mode: str, reading: Reading) -> Signature | None:
        """What goes wrong in a mode; None where nothing does, or dynamic mode fails as well."""
        self._number += 1
        # AST reads a function's source by its file, and remembers it by that name.
        file = self.folder / f"candidate{self._number}.py"
        file.write_text(text, encoding="utf-8")
        try:
            return self._found(file, mode, reading)
        finally:
            file.unlink()

    def _found(self, file: Path, mode: str, reading: Reading) -> Signature | None:
        told = self._both(file, mode, reading.double)
        found = signature(told[DYNAMIC], told[mode], reading.noise)
        if found is None or found.kind not in NUMERIC:
            return found
        if reading.at_most < float("inf"):
            further = signature(told[DYNAMIC], told[mode], reading.at_most)
            if further is not None:
                return None
        # Where the least change of the weights goes as far, rounding explains the difference.
        self.runs += 1
        nudged = self._run(self.servers[DYNAMIC], file, DYNAMIC, reading.double, nudge=True)
        return None if self._alike(told[DYNAMIC], nudged, reading) else found

    @staticmethod
    def _alike(dynamic: RunEnd, nudged: RunEnd, reading: Reading) -> bool:
        if reading.noise == 0.0:  # what is looked for is rounding itself
            return False
        moved = signature(dynamic, nudged, reading.noise)
        return moved is not None and moved.kind in NUMERIC

    def shapes(self, text: str, reading: Reading) -> Shapes:
        """What each line of a program binds and returns, in dynamic mode."""
        file = self.folder / "shapes.py"
        file.write_text(text, encoding="utf-8")
        told = self._run(self.servers[DYNAMIC], file, DYNAMIC, reading.double, shapes=True)
        self.runs += 1
        return {int(line): names for line, names in told.content.get("shapes", {}).items()}

    def _both(self, file: Path, mode: str, double: bool) -> dict[str, RunEnd]:
        def run(server: Server, one: str) -> RunEnd:
            return self._run(server, file, one, double)

        modes = (DYNAMIC, mode)
        # The servers differ, so that the two runs share nothing but the file.
        with ThreadPoolExecutor(len(modes)) as threads:
            told = list(threads.map(run, self.servers.values(), modes))
        self.runs += len(modes)
        return dict(zip(modes, told, strict=True))

    def _run(self, server: Server, file: Path, mode: str, double: bool, **more: bool) -> RunEnd:
        out, log = server.folder / f"{mode}.json", server.folder / f"{mode}.log"
        answer = server.ask(
            "program",
            out,
            log,
            LIMIT_S,
            file=str(file),
            mode=mode,
            double=double,
            **more,
            idle_s=IDLE_S,
            memory_mb=_MEMORY_MB,
        )
        content: dict[str, Any] = {}
        # A program that crashes or is ended may leave a part of its answer.
        with contextlib.suppress(EnvironmentFault), given.believed(out):
            content = dict(given.content(out) or {})
        return RunEnd(content, answer.code, answer.timed_out, given.tail(log, 20000))


@contextlib.contextmanager
def trial(python: Path, folder: Path) -> Iterator[Trial]:
    """A trial with the Paddle of that interpreter; its files lie in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    # What a program writes beside itself is seen by the box alone.
    root = folder / "root"
    root.mkdir(exist_ok=True)
    with contextlib.ExitStack() as stack:
        servers = {
            name: stack.enter_context(Server(python, root, PLAIN, folder / f"{name}.server.log"))
            for name in (DYNAMIC, "static")
        }
        yield Trial(servers, folder)
