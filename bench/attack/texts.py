"""Text of others in a line and a cell of Markdown, in HTML and on a terminal: it stays text.

Pieces that mean something to one of them are put together at random. What comes out is read by a
parser of Markdown and one of HTML: no link, picture, tag, row or control is the text's own.
"""

from __future__ import annotations

import html.parser
import random
import sys
import unicodedata
from typing import TYPE_CHECKING

import jinja2
from markdown_it import MarkdownIt

from bench.attack.table import attack
from codemod.base.terminal.text import harmless, in_markdown, one_line

if TYPE_CHECKING:
    from pathlib import Path

PIECES = (
    *("[", "]", "(", ")", "<", ">", "!", "|", "\\", "`", "``", "*", "_", "~", "#", "-", "=", ":"),
    *(
        "[a]",
        "(javascript:x)",
        "](//evil)",
        "\\](x)",
        "\\\\](x)",
        "][b]",
        "]: //evil",
        "![",
        "[^1]",
    ),
    *("<script>", "<img src=x onerror=y>", "<!--", "-->", "<b", "</td>", "&lt;", "&#60;", "&#x3c;"),
    *(
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        "\n# a",
        "\n- a",
        "\n|-|-|",
        "\n    a",
        "\u2028",
        "\u2029",
        "\x85",
    ),
    *("\x1b[2J", "\x1b]0;a\x07", "\x9b31m", "\x00", "\b", "\x7f", "\u202e", "\u2066", "\u200f"),
    *(
        "a",
        "self.x",
        "model.py",
        "模型",
        "é",
        '"',
        "'",
        "{{ 7 * 7 }}",
        "{% raw %}",
        "$(x)",
        "::set",
    ),
)
_KEPT = frozenset(
    ("table", "thead", "tbody", "tr", "th", "td", "p", "ul", "li", "code", "em", "strong", "s")
)
_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def attempt(seed: int, _folder: Path) -> str:
    """One text, in all the places."""
    draw = random.Random(seed)
    text = "".join(draw.choices(PIECES, k=draw.randint(1, 14)))
    safe = in_markdown(text)
    cell = f"| a | b | c |\n|---|---|---|\n| x | {safe} | y |\n"
    if fault := _acts(cell, cells=6) or _acts(f"- said: {safe} here\n", cells=0):
        return fault
    page = jinja2.Environment(autoescape=True, finalize=harmless).from_string("<p>{{ t }}</p>")
    if _Tags.of(page.render(t=text)) != ["p", "/p"]:
        return "HTML: a tag of its own"
    controls = [s for s in one_line(text) + safe if unicodedata.category(s) == "Cc"]
    return f"terminal: {controls[0]!r}" if controls else ""


def _acts(text: str, cells: int) -> str:
    """What a text of Markdown holds beyond its own list or table."""
    tokens = [inner for token in _PARSER.parse(text) for inner in (token, *(token.children or ()))]
    for token in tokens:
        if token.type.startswith(("link", "image", "html")):
            return f"Markdown: {token.type} of its own"
        if token.tag and token.tag not in _KEPT:
            return f"Markdown: <{token.tag}> of its own"
    found = sum(token.type in ("th_open", "td_open") for token in tokens)
    rows = sum(token.type in ("tr_open", "list_item_open") for token in tokens)
    return "" if (found, rows) == (cells, 2 if cells else 1) else "Markdown: a row of its own"


class _Tags(html.parser.HTMLParser):
    """The tags of a page, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    @classmethod
    def of(cls, page: str) -> list[str]:
        """Its tags."""
        made = cls()
        made.feed(page)
        made.close()
        return made.found

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Keep it."""
        self.found.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Keep it."""
        self.found.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        """Keep it."""
        self.found.append("!")


if __name__ == "__main__":
    sys.exit(attack("text of others in Markdown, HTML and on a terminal", 5000, attempt))
