"""What the terminal can show: its encoding, and the user's wish for no colours."""

from __future__ import annotations

import codecs
import io
import os
import sys

# What our own texts hold beyond ASCII, for a GBK or an ASCII terminal.
_PLAIN = {
    "✓": "ok",
    "✗": "x",
    "⚠": "!",
    "○": "o",
    "→": "->",
    "–": "-",
    "—": "-",
    "\N{MINUS SIGN}": "-",
    "…": "...",
    "×": "x",
    "·": "-",
}


def make_sayable() -> None:
    """Have both streams print what they cannot encode plainly or escaped, instead of failing."""
    codecs.register_error("codemod", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="codemod")


def colours() -> bool | None:
    """False where NO_COLOR asks for none (no-color.org), True where FORCE_COLOR asks for some.

    Else None: each stream decides.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR", "0") not in ("", "0") else None


def help_width(most: int) -> int:
    """The columns of a help page, as click counts them.

    click asks `shutil` for the terminal's size, which loads every kind of archive.
    """
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        wide = int(columns)
    else:
        try:
            wide = os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 80
        except (OSError, ValueError):
            wide = 80
    return max(min(wide or 80, most) - 2, 50)


def _plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    piece = error.object[error.start : error.end]
    # A file's name need not be text. In JSON, too, its escape is the right one.
    shown = (
        _PLAIN.get(letter) or letter.encode("ascii", "backslashreplace").decode("ascii")
        for letter in piece
    )
    return "".join(shown), error.end
