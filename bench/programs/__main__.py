"""Runs many programs on all cores and prints a table."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from bench.programs.grammar import drawn, number_of_productions, possible_pairs
from bench.programs.judged import WRONG, Tally, ask, changed


def main() -> int:
    """The table, and exit code 1 where a program went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--show", type=int, metavar="SEED", help="print one program and its change")
    options = parser.parse_args()
    if options.show is not None:
        _show(options.show)
        return 0
    start = options.seed * 1_000_000
    whole = Tally()
    with ProcessPoolExecutor(options.jobs) as pool:
        for answer in pool.map(ask, range(start, start + options.count), chunksize=100):
            whole.add(answer)
    print(f"{options.count} programs, seed {options.seed}, {number_of_productions()} productions,")
    print(f"{len(whole.pairs)} of {possible_pairs()} pairs of productions of two features\n")
    print("| outcome | programs |\n|---|---:|")
    for outcome, count in whole.outcomes.most_common():
        print(f"| {outcome} | {count} |")
    for fault, seeds in sorted(whole.faults.items(), key=lambda item: -len(item[1])):
        print(f"{fault}: {len(seeds)}, such as {seeds[:5]}")
    return int(whole.outcomes[WRONG] > 0)


def _show(seed: int) -> None:
    program = drawn(seed)
    made, files = changed(program)
    print(*(f"{feature}: {name}" for feature, name in sorted(program.features.items())), sep="\n")
    for path, text in files.items():
        print(f"--- {path}\n{text.decode()}".replace("\r\n", "\n").replace("\r", "\n"))
    for hook in made.hooks:
        print(hook.status.value, hook.file, hook.scope, hook.line, hook.switch, hook.reason)
    for skip in made.skipped:
        print("skipped", skip.file, skip.reason)
    answer = ask(seed)
    print(answer.outcome, answer.fault)


if __name__ == "__main__":
    sys.exit(main())
