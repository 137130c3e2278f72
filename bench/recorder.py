"""What the recorder costs: interleaved runs of two small nets, with it and without it.

Every run is a process of its own that trains one net for a fixed number of steps and prints the
time of each step after warm-up. A round holds one run bare, one with the light recorder (losses
and counters only) and one with all digests, in an order that turns from round to round; the ratios
are taken within a round, so that a busy machine hits all three alike. Beside wall time stands the
processor time of the training thread, which other processes do not lengthen, and that of the whole
process, which holds the hashing in the writer's thread too.

    python -m bench.recorder [--rounds 7] [--steps 60] [--paddle 2.6.2]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from codemod.kits.paddles import measured
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.runner import RunRequest, environment

PROGRAM = Path(__file__).parent / "recorder_nets.py"
NETS = ("conv", "embedding")
KINDS = ("bare", "light", "digests")
CLOCKS = ("wall", "training thread", "whole process")


def run_once(python: Path, net: str, kind: str, steps: int, folder: Path) -> list[list[float]]:
    """The seconds of each step of one run, by each of the clocks."""
    out = folder / "record.jsonl"
    out.unlink(missing_ok=True)
    # One step more than the program makes, so that it ends by itself and prints its times.
    wanted = RunRequest("bench", "dynamic", steps + 1, light=kind == "light")
    env = environment(wanted, out, "cpu", {}, folder / "home")
    if kind == "bare":
        del env["CODEMOD_PARITY"]
    command = [str(python), str(PROGRAM), net, str(steps)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("TIMES ")]
    if done.returncode != 0 or not lines:
        sys.exit(f"{net} {kind} failed: {done.stderr.strip()[-800:]}")
    recorded = out.read_text().count('"t":"step"') if out.is_file() else 0
    if recorded != (0 if kind == "bare" else steps):
        sys.exit(f"{net} {kind}: {recorded} steps were recorded")
    times: list[list[float]] = json.loads(lines[-1][len("TIMES ") :])
    return times


def one_round(
    python: Path, net: str, turn: int, steps: int, folder: Path
) -> dict[tuple[str, str], float]:
    """Milliseconds a step by kind and clock, the median of each kind's run."""
    order = [KINDS[(turn + place) % len(KINDS)] for place in range(len(KINDS))]
    found = {}
    for kind in order:
        times = run_once(python, net, kind, steps, folder)
        for clock, column in zip(CLOCKS, zip(*times, strict=True), strict=True):
            found[kind, clock] = 1000 * statistics.median(column)
    return found


def spread(values: list[float]) -> str:
    """Median, lowest and highest."""
    return f"{statistics.median(values):.3f} ({min(values):.3f} to {max(values):.3f})"


def main() -> None:
    """Measure and print one line a net and kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--paddle", default=measured()[0])
    asked = parser.parse_args()
    python = ensure(EnvSpec(asked.paddle))
    print(f"Paddle {asked.paddle}, {os.cpu_count()} cores, {asked.steps} steps a run")
    with tempfile.TemporaryDirectory() as folder:
        for net in NETS:
            rounds = [
                one_round(python, net, turn, asked.steps, Path(folder))
                for turn in range(asked.rounds)
            ]
            for clock in CLOCKS:
                bare = statistics.median(found["bare", clock] for found in rounds)
                print(f"{net:10} bare     {clock:16} {bare:8.2f} ms a step")
            for kind in KINDS[1:]:
                for clock in CLOCKS:
                    ratios = [found[kind, clock] / found["bare", clock] for found in rounds]
                    print(f"{net:10} {kind:8} {clock:16} {spread(ratios)} times bare")


if __name__ == "__main__":
    main()
