"""What runs took on this machine, kept for the next one's estimate."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from codemod.base.files.shared_file import held, replace_file
from codemod.base.files.state import cache_folder
from codemod.base.terminal.amounts import duration

_FILE = "run-costs.json"
# The machine may be busy today and idle tomorrow: only the last ones tell.
_KEPT = 9


def foretold(work: str, kit: str, number: float = 1) -> str:
    """How long so many pieces of `work` on a kit will take, in words.

    By the median of the kit's last ones on this machine, else of any kit's.
    """
    from statistics import median  # takes 8 ms, and most commands foretell nothing

    known = _read(_place())
    seconds = known.get(f"{work} {kit}") or [
        one for key, found in known.items() if key.startswith(f"{work} ") for one in found
    ]
    if not seconds:
        return "how long is not known: none was timed on this machine yet"
    return f"about {duration(median(seconds) * number)} by the last on this machine"


def typical(work: str, kits: Sequence[str]) -> list[float] | None:
    """Seconds that a piece of `work` took on each kit, by their medians; None where one is new."""
    from statistics import median

    known = _read(_place())
    found = [known.get(f"{work} {kit}", []) for kit in kits]
    return [median(seconds) for seconds in found] if all(found) else None


@contextmanager
def timed(work: str, kit: str) -> Iterator[None]:
    """Keep what the block takes, in seconds, unless it fails."""
    began = time.monotonic()
    yield
    keep_all(work, {kit: time.monotonic() - began})


def keep_all(work: str, seconds: Mapping[str, float]) -> None:
    """Keep what one piece of `work` took on each kit."""
    file = _place()
    with held(file):
        known = _read(file)
        for kit, taken in seconds.items():
            key = f"{work} {kit}"
            known[key] = [*known.get(key, ()), round(taken, 1)][-_KEPT:]
        replace_file(file, json.dumps(known, indent=1).encode())


def _place() -> Path:
    return cache_folder() / _FILE


def _read(file: Path) -> dict[str, list[float]]:
    """What is kept; nothing of a file of another form, which the next run writes anew."""
    try:
        read = json.loads(file.read_bytes())
        return {str(key): [float(one) for one in found] for key, found in read.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
