"""Texts of others in Markdown: each stays in its place, and forges nothing of the page."""

from __future__ import annotations

import re

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#!|~]")


def code(text: str) -> str:
    """Inline code in Markdown, whatever backticks the text holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{' '.join(text.split())}{pad}{fence}"


def cell(text: str) -> str:
    """Text that stays inside its table cell."""
    return " ".join(text.replace("|", "\\|").split())


def plain(text: str) -> str:
    """Text as it is: on one line, no heading, picture, link, mention or HTML of its own."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split())).replace("@", "&#64;")


def shell_line(text: str) -> str:
    """A command on one line that does not end the block it stands in."""
    return " ".join(text.split()).replace("```", "` ` `")


def plural(word: str, number: int) -> str:
    """The word for so many: `1 file`, `2 files`; of two words, both."""
    return word if number == 1 else " or ".join(f"{one}s" for one in word.split(" or "))


def first_sentence(text: str) -> str:
    """The first sentence of a reason; the text's fold holds the rest."""
    return re.split(r"(?<=\.)\s+(?=[A-Z])|(?<=。)", " ".join(text.split()), maxsplit=1)[0]
