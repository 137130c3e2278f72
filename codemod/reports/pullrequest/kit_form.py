"""A kit's own form for pull requests, with the text in its place."""

from __future__ import annotations

import re

from codemod.reports.pullrequest.headline import Purpose


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
