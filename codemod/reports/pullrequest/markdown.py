"""Markdown: texts of others, which forge nothing of the page, and a kit's form for our own."""

from __future__ import annotations

import re

from codemod.reports.pullrequest.headline import Purpose

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


def form_level(form: str | None) -> int:
    """The level of the heading under which the text goes in a kit's form; 1 without a form."""
    found = re.findall(r"^(#+)[ \t]*Description[ \t]*$", form or "", re.MULTILINE)
    return len(found[0]) if found else 1


def in_form(text: str, form: str, purpose: Purpose = Purpose.NEW) -> str:
    """The text put into the kit's own form for pull requests, under `Description`."""
    answers = {
        "PR types": "Bug fixes" if purpose is Purpose.REPAIR else "New features",
        "PR changes": "Others",
        "Description": text.strip(),
    }
    lines: list[str] = []
    answered = False
    filling = False
    for line in form.splitlines():
        heading = line.lstrip("#").strip() if line.startswith("#") else ""
        if filling and line.lstrip().startswith("<!--"):
            continue  # the form's hint for the answer just given
        filling = False
        lines.append(line)
        if heading in answers:
            lines += ["", answers[heading]]
            answered = answered or heading == "Description"
            filling = True
    if not answered:
        lines += ["", text.strip()]
    return "\n".join(lines).rstrip() + "\n"
