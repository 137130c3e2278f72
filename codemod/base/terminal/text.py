"""Text of others, such as names of files, put where it must not do harm."""

from __future__ import annotations

import re

# What a terminal would act on instead of showing; tab and line feed stay.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# What ends a line for Markdown; the bracket by which text becomes a link, picture or reference, and
# the bar that ends a cell, with the backslashes before them.
_SPACES = str.maketrans(dict.fromkeys("\n\r\t\v\f\u0085\u2028\u2029", " "))
_LINK = re.compile(r"(?<!\\)(\\*)(\](?=[(\[:])|\|)")
_LONGEST_WORD = 40


def visible(text: str) -> str:
    """Control characters spelt out (`^M`, `<U+202E>`), so that none can hide or act."""
    return _CONTROL.sub(_spelt, text)


def one_line(text: str) -> str:
    """As `visible`, on one line: a file's name cannot make a line of its own."""
    return visible(text).replace("\n", "^J").replace("\t", "^I")


def shortened(text: str, longest: int, *, end: bool = False) -> str:
    """Whole words of `text`, and an ellipsis for the rest: `longest` characters at most.

    Its first words, or its last with `end`. A word of more than 40 characters, a path say, is cut.
    """
    if len(text) <= longest:
        return text
    if end:
        return shortened(text[::-1], longest)[::-1]
    room = longest - len(" …")
    words = text[:room] if text[room].isspace() else text[:room].rpartition(" ")[0]
    kept = words if words and room - len(words) <= _LONGEST_WORD else text[:room]
    return f"{kept.rstrip()} …"


def _spelt(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return f"^{chr(code + 0x40)}"
    return "^?" if code == 0x7F else f"<U+{code:04X}>"


def in_markdown(text: str) -> str:
    """Text of others in a cell or a line of Markdown: no link, HTML, row or control of its own.

    Backticks and emphasis stay, for sentences of ours hold names in them.
    """
    flat = text.translate(_SPACES)
    return one_line(_LINK.sub(_escaped, flat).replace("<", "&lt;"))


def _escaped(match: re.Match[str]) -> str:
    """With an odd number of backslashes before it: two of them are one, and escape nothing."""
    before, sign = match.groups()
    return before + sign if len(before) % 2 else f"{before}\\{sign}"


def harmless(value: object) -> object:
    """A value as a template prints it: without signs that act; what is markup already stays."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return visible(str(value)) if is_text else value
