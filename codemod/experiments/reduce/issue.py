"""The text of an issue for Paddle's developers, in English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from codemod.base.files.data_folder import table_beside
from codemod.experiments.reduce.request import Reduced, ReduceRequest
from codemod.experiments.reduce.signature import Signature

MODES = {"ast": "full_graph=True (AST)", "sot": "full_graph=False (SOT)"}


@dataclass(frozen=True, slots=True)
class IssueWords:
    """The sentences of one language, "en" or "zh"."""

    language: str

    def __getitem__(self, name: str) -> Any:
        return table_beside(__file__, "issue.yaml")[self.language][name]

    def said(self, found: Signature | None) -> str:
        """What a run shows, as a phrase of a table or a title."""
        if found is None:
            return str(self["nothing"])
        forms = [self["forms"].get(form, form) for form in found.forms]
        return _cell(self["kinds"][found.kind].format(*forms, detail=found.detail))


ENGLISH, CHINESE = IssueWords("en"), IssueWords("zh")


def title(asked: ReduceRequest, sought: Signature) -> str:
    """One line for the program's docstring."""
    shown = ENGLISH.said(sought)
    return f"{MODES[asked.mode]} parts from dynamic mode on Paddle {asked.paddle}: {shown}."


def text(result: Reduced, program: str, words: IssueWords) -> str:
    """The issue as Markdown."""
    mode, sought = MODES[result.mode], result.sought
    releases = result.fails_on or (result.paddle,)
    parts = [
        words["heading"].format(mode=mode, releases=", ".join(releases), sought=words.said(sought)),
        words["what"].format(mode=mode),
        f"{words['run']}\n\n```python\n{program}```",
        f"{words['table']}\n\n{_table(result, words)}",
        words["printed"]
        + "\n\n```\n"
        + "\n".join(p.line for _, p in sorted(result.printed.items()))
        + "\n```",
    ]
    if result.same:
        parts.append(words["same"].format(same=result.same))
    return "\n\n".join(parts) + "\n"


def _table(result: Reduced, words: IssueWords) -> str:
    rows = ["| Paddle | AST | SOT |", "|---|---|---|"]
    for paddle, shown in sorted(result.shown.items()):
        cells = " | ".join(words.said(shown[mode]) for mode in ("ast", "sot"))
        rows.append(f"| {paddle} | {cells} |")
    return "\n".join(rows)


def _cell(said: str) -> str:
    return said.replace("|", "\\|").replace("\n", " ")
