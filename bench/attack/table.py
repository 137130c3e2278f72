"""What all attacks share: their options, their trainer, and the row they print."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MEMORY = Path("/dev/shm")
TRAIN = b"""\
import argparse

import paddle

from net import Net, loader


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=1)
    return parser.parse_args()


def main(args):
    model = Net()
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(parameters=model.parameters())
    for _ in range(args.epochs):
        for batch in loader():
            loss = model(batch)
            loss.backward()
            optimizer.step()


if __name__ == '__main__':
    main(parse_args())
"""


def attack(name: str, count: int, attempt: Callable[[int, Path], str]) -> int:
    """Try `attempt` on many seeds, each in a folder of its own; print the row.

    An attempt returns what went wrong, or nothing. The exit code is 1 where something did.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures: Counter[str] = Counter()
    example: dict[str, int] = {}
    start = options.seed * 1_000_000
    for seed in range(start, start + options.count):
        if fault := tried(attempt, seed):
            failures[fault] += 1
            example.setdefault(fault, seed)
    print("| attack | tries | failures |\n|---|---:|---:|")
    print(f"| {name}, seed {options.seed} | {options.count} | {failures.total()} |")
    for fault, times in failures.most_common():
        print(f"{fault}: {times}, such as {example[fault]}")
    return int(bool(failures))


def tried(attempt: Callable[[int, Path], str], seed: int) -> str:
    """One attempt, with a state folder of its own.

    In a file system in memory where there is one: on a busy disk thousands of attempts would wait
    for `fsync` for hours.
    """
    memory = MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="codemod-attack-", dir=memory) as folder:
        place = Path(folder)
        before = os.environ.get("XDG_STATE_HOME")
        os.environ["XDG_STATE_HOME"] = str(place / "state")
        try:
            return attempt(seed, place)
        finally:
            os.environ.pop("XDG_STATE_HOME")
            if before is not None:
                os.environ["XDG_STATE_HOME"] = before
