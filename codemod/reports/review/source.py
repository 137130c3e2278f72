"""Source text on a terminal, character for character.

Rich's own `Text` and `Syntax` expand tabs, fold long lines and drop control characters, so
lines are coloured here and handed to the console as finished segments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, starmap

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment, Segments
from rich.style import Style

from codemod.base.patch.hunks import split_lines
from codemod.base.terminal.text import visible

Run = tuple[str, Style | None]

NO_NEWLINE = "\\ No newline at end of file"


def decode(data: bytes) -> str:
    """Bytes as text; what is not UTF-8 shows as an escape, never as a lost character."""
    return data.decode("utf-8", errors="backslashreplace")


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end, as coloured runs."""

    runs: tuple[Run, ...]
    ended: bool = True

    @property
    def text(self) -> str:
        """The characters alone."""
        return "".join(text for text, _ in self.runs)

    @property
    def width(self) -> int:
        """Cells that the line takes on a terminal (a tab: unknown, so very wide)."""
        return 1 << 20 if "\t" in self.text else cell_len(self.text)


def put(console: Console, lines: Iterable[tuple[Run, ...]]) -> None:
    """Print finished lines as they are: no markup, no folding, no cropping."""
    rows = ([*starmap(Segment, line), Segment.line()] for line in lines)
    console.print(Segments(chain.from_iterable(rows)), soft_wrap=True)


def lines_of(data: bytes, path: str, *, coloured: bool, exact: bool) -> list[Line]:
    """A file's lines, coloured by its language.

    `exact` keeps control characters (a pipe gets the file's own text); else they are spelt
    out.
    """
    raw = [decode(line) for line in split_lines(data)]
    ended = [line.endswith("\n") for line in raw]
    texts = [line.removesuffix("\n") for line in raw]
    runs = _colour(texts, path) if coloured else [((text, None),) for text in texts]
    if not exact:
        runs = [tuple((visible(text), style) for text, style in line) for line in runs]
    return [Line(line, end) for line, end in zip(runs, ended, strict=True)]


def _colour(texts: list[str], path: str) -> list[tuple[Run, ...]]:
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound
    from rich.syntax import Syntax

    try:
        lexer = get_lexer_for_filename(path)
    except ClassNotFound:
        return [((text, None),) for text in texts]
    theme = Syntax.get_theme("ansi_dark")
    lines: list[list[Run]] = [[]]
    # The unprocessed stream is the text itself: no tab, CR or BOM is normalised away.
    for _, kind, value in lexer.get_tokens_unprocessed("\n".join(texts)):
        for index, piece in enumerate(value.split("\n")):
            if index:
                lines.append([])
            if piece:
                lines[-1].append((piece, theme.get_style_for_token(kind)))
    coloured = [tuple(line) for line in lines]
    faithful = [Line(line).text for line in coloured] == (texts or [""])
    return coloured[: len(texts)] if faithful else [((text, None),) for text in texts]


def marked(line: Line, style: Style) -> Iterator[Run]:
    """A line's runs with `style` laid over their colours."""
    for text, own in line.runs:
        yield text, own + style if own else style
