"""Try programs: each in a forked child of a warm process, dynamic first, then static."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.base.errors import EnvironmentFault
from codemod.experiments.probe.server import Answer, Equipment, Servers
from codemod.experiments.reduce.cutting.cuts import Shapes
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
LIMIT_S = 40.0
# How large a difference is, in steps, and what part of it must be left.
_SIZES = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5)
_OF_DIFFERENCE = 1e-2
# What is smaller than a program takes no longer than it, but for what a busy machine adds.
_LONGER, _LEAST_S = 2.0, 4.0
# A static call that waits for itself uses no processor time.
IDLE_S = 8.0
_MEMORY_MB = 8192
# Processes that serve runs side by side.
AT_ONCE = 2


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
    """Runs programs with one Paddle, from several threads; each gets `limit_s` s of processor."""

    servers: Servers
    folder: Path
    limit_s: float = LIMIT_S
    _numbers: Iterator[int] = field(default_factory=itertools.count, repr=False)

    def signature(
        self, text: str, mode: str, reading: Reading, apart: bool = False
    ) -> Signature | None:
        """What goes wrong in a mode; None where nothing does, or dynamic mode fails as well.

        With `apart` the modes share no process.
        """
        with self._file(text) as file:
            told = self._run(file, (DYNAMIC,) if apart else (DYNAMIC, mode), reading.double)
            if apart:
                told |= self._run(file, (mode,), reading.double)
            found = signature(told[DYNAMIC], told[mode], reading.noise)
            if found is None or found.kind not in NUMERIC:
                return found
            if reading.at_most < float("inf"):
                further = signature(told[DYNAMIC], told[mode], reading.at_most)
                if further is not None:
                    return None
            if reading.noise == 0.0:  # what is looked for is rounding itself
                return found
            # Where the least change of the weights goes as far, rounding explains the difference.
            nudged = self._run(file, (DYNAMIC,), reading.double, nudge=True)
            moved = signature(told[DYNAMIC], nudged[DYNAMIC], reading.noise)
            return None if moved is not None and moved.kind in NUMERIC else found

    def settle(self, text: str, mode: str, reading: Reading) -> Reading:
        """Let what is cut from a program take no longer than the program, which is run for it.

        What is cut must differ by about as much, too: a small difference may have another cause.
        """
        with self._file(text) as file:
            told = self._run(file, (DYNAMIC, mode), reading.double)
        if all("s" in end.content for end in told.values()):
            took = sum(float(end.content["s"]) for end in told.values())
            self.limit_s = min(LIMIT_S, max(_LEAST_S, _LONGER * took))
        found = signature(told[DYNAMIC], told[mode], reading.noise)
        if found is None or found.kind not in NUMERIC or reading.noise == 0.0:
            return reading
        for size in _SIZES:
            if signature(told[DYNAMIC], told[mode], size) == found:
                return replace(reading, noise=max(reading.noise, size * _OF_DIFFERENCE))
        return reading

    def shapes(self, text: str, reading: Reading) -> Shapes:
        """What each line of a program binds and returns, in dynamic mode."""
        with self._file(text) as file:
            told = self._run(file, (DYNAMIC,), reading.double, shapes=True)
        found = told[DYNAMIC].content.get("shapes", {})
        return {int(line): names for line, names in found.items()}

    def dynamic_fails(self, text: str) -> str:
        """Why a program does not run in dynamic mode, in its own type; "" where it does."""
        with self._file(text) as file:
            end = self._run(file, (DYNAMIC,), double=False)[DYNAMIC]
        error = end.content.get("error")
        if error:
            last = error["message"].strip().rpartition("\n")[2].rstrip(".")
            return f"{error['class']}: {last}" if last else str(error["class"])
        if end.late:
            return f"it takes more than {self.limit_s:g} s"
        if end.code:
            return f"it ends with {end.code}"
        return "" if end.sound else "its loss is not finite"

    @contextlib.contextmanager
    def _file(self, text: str) -> Iterator[Path]:
        # AST reads a function's source by its file, and remembers it by that name.
        file = self.folder / f"candidate{next(self._numbers)}.py"
        file.write_text(text, encoding="utf-8")
        try:
            yield file
        finally:
            file.unlink()

    def _run(
        self, file: Path, modes: tuple[str, ...], double: bool, **more: bool
    ) -> dict[str, RunEnd]:
        """How each mode ended; those behind one that fails are not run, and end as it does."""
        asked = {"file": str(file), "modes": modes, "double": double, **more}
        limits = {"idle_s": IDLE_S, "memory_mb": _MEMORY_MB}
        with self.servers.lent() as server:
            answer = server.ask("program", "told.json", self.limit_s, **asked, **limits)
            told, last = read_end(answer)
        return {mode: RunEnd(told[mode]) if mode in told else last for mode in modes}


def read_end(answer: Answer) -> tuple[dict[str, Any], RunEnd]:
    """What a run wrote by mode, a part where it crashed, and how the last one ended."""
    told: dict[str, Any] = {}
    with contextlib.suppress(EnvironmentFault), given.believed(answer.out):
        for line in given.lines(answer.out):
            told.update(json.loads(line))
    return told, RunEnd({}, answer.code, answer.timed_out, given.tail(answer.log, 20000))


@contextlib.contextmanager
def trial(python: Path, folder: Path) -> Iterator[Trial]:
    """A trial with the Paddle of that interpreter; its files lie in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    # What a program writes beside itself is seen by the box alone.
    root = folder / "root"
    root.mkdir(exist_ok=True)
    with Servers(Equipment(python, PLAIN), root, folder, AT_ONCE) as servers:
        yield Trial(servers, folder)
