"""Times, sizes and figures in words, for people."""

from __future__ import annotations

_MINUTES_FROM_S = 120


def duration(seconds: float) -> str:
    """So many seconds in words, to the minute from two minutes on."""
    from humanize import precisedelta

    if seconds < _MINUTES_FROM_S:
        return precisedelta(round(seconds), suppress=["minutes"], format="%d")
    return precisedelta(60 * round(seconds / 60), minimum_unit="minutes", format="%d")


def number(value: object) -> str:
    """A figure for a table: three digits, a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def size(count: float) -> str:
    """So many bytes in words, by powers of 1000."""
    from rich.filesize import decimal

    return decimal(int(count))
