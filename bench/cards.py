"""What `CUDA_VISIBLE_DEVICES` shows: the tool's answer beside that of CUDA's driver.

usage: python -m bench.cards [--count N] [--seed N]

Values are drawn: numbers, UUIDs and parts of them, in either case, with spaces, signs and commas
in odd places. A line is printed for each value that the two read differently, and their number at
the end; the exit code is then 1. Needs an NVIDIA driver; nothing is computed on the card.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import sys

from codemod.training.environment.cards import Card, cards


def driver_counts(value: str) -> int:
    """How many devices the driver shows to a process that has this value of the variable."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.environ["CUDA_VISIBLE_DEVICES"] = value
        count = ctypes.c_int()
        driver = ctypes.CDLL("libcuda.so.1")
        if driver.cuInit(0) == 0:
            driver.cuDeviceGetCount(ctypes.byref(count))
        os.write(writing, str(count.value).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    os.waitpid(child, 0)
    if not told:
        raise SystemExit("No driver answers: libcuda.so.1 cannot be loaded.")
    return int(told)


def tool_counts(value: str) -> int:
    """How many the tool says that there are."""
    os.environ["CUDA_VISIBLE_DEVICES"] = value
    return len(cards().cards)


def drawn(draw: random.Random, here: tuple[Card, ...]) -> str:
    """A value of one to three parts."""
    return ",".join(_part(draw, here) for _ in range(draw.choice((1, 1, 2, 2, 3))))


def _part(draw: random.Random, here: tuple[Card, ...]) -> str:
    card = draw.choice(here)
    uuid = card.uuid[: draw.randint(0, len(card.uuid))] if draw.random() < 0.6 else card.uuid
    kinds = (
        card.id,
        card.id,
        str(len(here)),
        uuid,
        uuid,
        uuid.lower(),
        uuid.upper(),
        "",
        "a",
        "-1",
    )
    before = draw.choice(("", "", "", "", " ", "+", "0", "0x", "\t", "MIG-"))
    after = draw.choice(("", "", "", "", " ", ".0", "-1", ";1", " 0", "x"))
    return before + draw.choice(kinds) + after


def main() -> int:
    """Compare them, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    here = cards()
    if not here.cards:
        raise SystemExit(f"No card can be asked: {here.why}.")
    draw, differ, names = random.Random(options.seed), 0, {card.uuid: "UUID" for card in here.cards}
    for _ in range(options.count):
        value = drawn(draw, here.cards)
        by_driver, by_tool = driver_counts(value), tool_counts(value)
        if by_driver != by_tool:
            differ += 1
            shown = value
            for uuid, name in names.items():
                shown = shown.replace(uuid, name)
            print(f"{shown!r}: the driver shows {by_driver}, the tool {by_tool}")
    print(f"{options.count} values, {differ} read differently")
    print(f"{len(here.cards)} cards, driver {here.cards[0].driver}")
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main())
