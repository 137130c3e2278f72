"""A table for people, for whatever reads a pipe, and for a narrow terminal."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence

from codemod.cli.output import say

PIPE = 80
"""What a table in a pipe may take: a log is read on any terminal."""
# Wider than any terminal: what a table would take if it were free to.
_WIDE = 10_000


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print columns of plain text into a pipe, a table on a terminal.

    Where these are wider than the terminal, or than 80 columns in a pipe, each row becomes a few
    lines: no cell is cut.
    """
    if not sys.stdout.isatty():
        widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
        if sum(widths) + 2 * (len(widths) - 1) > PIPE:
            _print_blocks(headings, rows, PIPE)
            return
        for row in (headings, *rows):
            say("  ".join(map(str.ljust, row, widths)).rstrip())
        return
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    console = Console()
    table = Table(*headings)
    for row in rows:
        table.add_row(*map(Text, row))
    unbounded = console.options.update(max_width=_WIDE)
    if Measurement.get(console, unbounded, table).maximum <= console.width:
        console.print(table)
    else:
        _print_blocks(headings, rows, console.width)


def _print_blocks(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> None:
    for row in rows:
        pairs = (f"{name} {cell}" for name, cell in zip(headings[1:], row[1:], strict=True) if cell)
        # A pair is not parted at a line's end, unless it is longer than a line.
        text = "; ".join(
            pair.replace(" ", "\N{NO-BREAK SPACE}") if len(pair) < width - 2 else pair
            for pair in pairs
        )
        say(row[0])
        for line in textwrap.wrap(text, width - 2, break_long_words=False, break_on_hyphens=False):
            say(f"  {line}".replace("\N{NO-BREAK SPACE}", " "))
