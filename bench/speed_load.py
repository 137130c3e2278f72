"""One config timed while other work comes and goes: what load does to a ratio of speed.

usage: python -m bench.speed_load --workspace DIR KIT CONFIG [--mode ast|sot] [--steps N]
                                  [--paddle V]

One process of `codemod parity --speed` trains its pairs. Every five seconds two others wake up or
go to sleep: `spin` counts, `stream` goes through arrays larger than the caches. Printed are, for
each state of the machine, the medians of a step's processor time and of the pairs' ratios. So the
process, its memory and its programs are the same, and what differs is the company.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import signal
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from bench.config_queue import LIMIT_S, Kits
from codemod.judging.speed.timings import DYNAMIC, STATIC, TimedTurn, Timings, read_timings
from codemod.judging.thresholds import SPEED_WARMUP
from codemod.kits.paddles import measured
from codemod.training.launch import slug

if TYPE_CHECKING:
    from collections.abc import Callable

SLICE_S = 5
COMPANY = {
    "spin": "while True: pass",
    "stream": "import numpy as n\na = n.ones(8 << 20)\nb = n.ones(8 << 20)\n"
    "while True: n.add(a, 1.0, out=b)",
}
TURNS = ("alone", "spin", "alone", "stream")

Slice = tuple[str, int, int]
"""A state, and the turns that began in it: from, to."""


def newest(folder: Path, pattern: str, since: float) -> Timings:
    """What the record of these holds that was written after a moment."""
    files = [file for file in folder.glob(pattern) if file.stat().st_mtime >= since]
    return read_timings(files[0]) if files else Timings()


def busy(argv: list[str], read: Callable[[], Timings], turns: int) -> list[Slice]:
    """Run the command with company that comes and goes until it has trained all its turns."""
    company = {
        name: [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
        for name, code in COMPANY.items()
    }

    def tell(name: str, what: signal.Signals) -> None:
        for process in company.get(name, ()):
            process.send_signal(what)

    for name in company:
        tell(name, signal.SIGSTOP)
    found: list[Slice] = []
    training = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    try:
        for state in itertools.cycle(TURNS):
            before = len(read().turns)
            if before >= turns or training.poll() is not None:
                return found
            tell(state, signal.SIGCONT)
            time.sleep(SLICE_S)
            tell(state, signal.SIGSTOP)
            found.append((state, before, len(read().turns)))
    finally:
        for process in (training, *itertools.chain(*company.values())):
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait()
    return found


def pairs(turns: tuple[TimedTurn, ...], first: int, last: int) -> list[dict[str, float]]:
    """Seconds by side of the settled pairs that lie wholly between two turns."""
    sides: dict[int, dict[str, float]] = defaultdict(dict)
    # The turn that was under way at the change belongs to neither.
    for turn in turns[first + 1 : last]:
        if turn.pair >= SPEED_WARMUP and not turn.made:
            seconds = turn.processor
            sides[turn.pair][turn.side] = sum(seconds.values()) - seconds["rest"]
    return [one for one in sides.values() if len(one) == 2]


def main() -> int:
    """Time one config and print a line a state."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("kit")
    parser.add_argument("config")
    parser.add_argument("--workspace", type=Path, default=Path(".codemod"))
    parser.add_argument("--mode", default="ast", choices=("ast", "sot"))
    parser.add_argument("--steps", type=int, default=150, help="pairs")
    parser.add_argument("--paddle", default=measured()[-1])
    asked = parser.parse_args()
    kits = Kits(asked.workspace.absolute(), time.monotonic() + LIMIT_S)
    words = ["parity", asked.kit, "-c", asked.config, "--paddle", asked.paddle, "--device", "cpu"]
    words += ["--speed", "--processes", "1", "--modes", asked.mode, "--steps", str(asked.steps)]
    words += ["--path", str(kits.hooked(asked.kit)), "--workspace", str(kits.workspace)]
    folder, began = kits.workspace / "runs" / asked.kit, time.time()
    record = f"{slug(asked.config)}-*-speed/{asked.mode}-0.jsonl"
    read = functools.partial(newest, folder, record, began)
    slices = busy([sys.executable, "-m", "codemod", *words], read, 2 * asked.steps)
    turns = read().turns
    for state in dict.fromkeys(TURNS):
        of_state = [pair for name, *ends in slices if name == state for pair in pairs(turns, *ends)]
        if of_state:
            dynamic, static = (
                1000 * statistics.median(pair[side] for pair in of_state)
                for side in (DYNAMIC, STATIC)
            )
            low, middle, high = statistics.quantiles(
                (pair[DYNAMIC] / pair[STATIC] for pair in of_state), n=4
            )
            print(
                f"{state}: {len(of_state)} pairs, dynamic {dynamic:.1f} ms, static {static:.1f} "
                f"ms, ratio {middle:.3f} (half of them {low:.3f} to {high:.3f})"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
