"""Lines that are kept beside a program: printed, or written anew with `--write`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def keep(file: Path, count: int, line: Callable[[int], str]) -> None:
    """Print the line of each seed, or put them all into the file."""
    lines = [line(seed) for seed in range(count)]
    if sys.argv[1:] == ["--write"]:
        file.write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    else:
        print("\n".join(lines))
