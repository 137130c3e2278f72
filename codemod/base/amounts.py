"""Times and sizes in words, for people."""

from __future__ import annotations

_MINUTES_FROM_S = 120
_HOURS_FROM_MIN = 120


def duration(seconds: float) -> str:
    """So many seconds in words: minutes from two minutes on, hours and minutes from two hours."""
    if seconds < _MINUTES_FROM_S:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return (
        f"{minutes} min" if minutes < _HOURS_FROM_MIN else f"{minutes // 60} h {minutes % 60} min"
    )


def size(count: float) -> str:
    """So many bytes in words, by powers of 1000."""
    from rich.filesize import decimal

    return decimal(int(count))
