"""What is written of a reduced program: one file that a developer runs, and the issue about it.

The file imports Paddle alone, prints what each mode gives, and ends with 1 where they differ. The
issue is for Paddle's developers, in English and Chinese.
"""

from __future__ import annotations

import textwrap
from functools import cache
from typing import TYPE_CHECKING, Any

from codemod.base.files.data_folder import table_beside
from codemod.base.terminal.templates import templates
from codemod.experiments.reduce.request import Reduced, ReduceRequest
from codemod.experiments.reduce.signature import Signature
from codemod.experiments.reduce.trial import Reading

if TYPE_CHECKING:
    import jinja2

MODES = {"ast": "full_graph=True (AST)", "sot": "full_graph=False (SOT)"}


@cache
def _template(name: str) -> jinja2.Template:
    return templates("codemod.experiments.reduce", lstrip_blocks=True).get_template(name)


def program(text: str, reading: Reading, apart: bool, words: str) -> str:
    """The file. `text` has `build()` and `step(net)`; `words` are its docstring.

    With `apart` each mode runs in a process of its own: one may crash, or never end.
    """
    lines = text.strip("\n").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(("import ", "from "))]
    behind = max(starts, default=0) + 1
    return _template("program.py.j2").render(
        words=textwrap.fill(words.replace('"""', "'''").replace("\\", "/"), 95),
        imports="\n".join(lines[:behind]),
        rest="\n".join(lines[behind:]),
        reading=reading,
        apart=apart,
    )


def said(found: Signature | None, language: str) -> str:
    """What a run shows, as a phrase of a table or a title."""
    words = _words(language)
    if found is None:
        return str(words["nothing"])
    forms = [words["forms"].get(form, form) for form in found.forms]
    phrase: str = words["kinds"][found.kind].format(*forms, detail=found.detail)
    return phrase.replace("|", "\\|").replace("\n", " ")


def _words(language: str) -> Any:
    return table_beside(__file__, "issue.yaml")[language]


def title(asked: ReduceRequest, sought: Signature) -> str:
    """One line for the program's docstring."""
    shown = said(sought, "en")
    return f"{MODES[asked.mode]} parts from dynamic mode on Paddle {asked.paddle}: {shown}."


def issue(result: Reduced, file: str, language: str) -> str:
    """The issue as Markdown, with the whole file."""
    return _template("issue.md.j2").render(
        words=_words(language),
        said=lambda found: said(found, language),
        mode=MODES[result.mode],
        result=result,
        program=file,
    )
