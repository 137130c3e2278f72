"""What a terminal of some columns shows after some bytes: enough for git, rich, pip and uv."""

from __future__ import annotations

import re
import unicodedata

# Text, control characters, and the sequences that move the cursor, clear or colour.
_PIECE = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b.|([\r\n\b])|([^\x1b\r\n\b]+)", re.DOTALL)


class Screen:
    """The lines of a terminal that is `columns` wide and as high as it need be."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._rows: list[list[str]] = [[]]
        self._row = 0
        self._column = 0

    def feed(self, text: str) -> None:
        """Take what a program wrote."""
        for match in _PIECE.finditer(text):
            amounts, order, control, plain = match.groups()
            if order:
                self._obey(order, int(amounts) if amounts.isdigit() else 0)
            elif control == "\r":
                self._column = 0
            elif control == "\n":
                self._down()
            elif control == "\b":
                self._column = max(0, self._column - 1)
            elif plain:
                for letter in plain:
                    self._write(letter)

    def lines(self) -> list[str]:
        """What stands there, without the empty lines at the end."""
        rows = ["".join(row).rstrip() for row in self._rows]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    def _obey(self, order: str, amount: int) -> None:
        if order == "A":
            self._row = max(0, self._row - max(1, amount))
        elif order == "B":
            for _ in range(max(1, amount)):
                self._down()
        elif order == "G":
            self._column = max(0, amount - 1)
        elif order == "D":
            self._column = max(0, self._column - max(1, amount))
        elif order == "C":
            self._column += max(1, amount)
        elif order == "K":
            self._rows[self._row][0 if amount == 2 else self._column :] = []
        elif order == "J":
            self._rows[self._row][self._column :] = []
            del self._rows[self._row + 1 :]

    def _down(self) -> None:
        self._row += 1
        while len(self._rows) <= self._row:
            self._rows.append([])

    def _write(self, letter: str) -> None:
        if letter < " " or unicodedata.combining(letter):
            return
        width = 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if self._column + width > self._columns:
            self._down()
            self._column = 0
        row = self._rows[self._row]
        row.extend(" " * (self._column + width - len(row)))
        # The second half of a wide letter is nothing of its own.
        row[self._column : self._column + width] = [letter, ""][:width]
        self._column += width
