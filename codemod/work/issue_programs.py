"""The programs of `docs/paddle-issues`, and what the page of that folder says of each."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path

from codemod.base.files.data_folder import data_path

FOLDER = data_path("docs/paddle-issues")
_ROW = re.compile(r"^\| \[?(\w+\.py)[^|]*\|(.*)\|$")

# Of one program: the headings of each table with its cells, in the order of the page.
Cells = list[list[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class IssueProgram:
    """A program that shows one fault of Paddle by itself.

    `says` is what goes wrong, `shows` by release whether it does and what the program prints, in
    the words of the page. `modes` are those that it shows in, `avoid` what avoids it, `config` a
    kit's config that meets it, `looked_for` the hazards that look for it, or why none does.
    `code` is the program behind its docstring.
    """

    name: str
    says: str
    modes: str
    avoid: str
    shows: dict[str, str] = field(default_factory=dict)
    config: str = ""
    looked_for: str = ""
    code: str = ""

    @property
    def hazards(self) -> tuple[str, ...]:
        """The ids of the hazards that look for its cause."""
        return tuple(re.findall(r"\b[DP]-\d+\b", self.looked_for))


@cache
def issue_programs(language: str) -> dict[str, IssueProgram]:
    """The programs by name (`returned_twice.py`), told in a language of the page."""
    page = FOLDER / ("README.zh-CN.md" if language == "zh" else "README.md")
    tables = sorted(tables_of(page).items())
    return {name: _program(name, found, language) for name, found in tables}


def _program(name: str, tables: Cells, language: str) -> IssueProgram:
    known, says, printed, releases, where = (
        [(head, cell.replace("`", "")) for head, cell in table] for table in tables
    )
    prints = dict(printed)
    mark = "：" if language == "zh" else ": "
    shows = {
        release: f"{shown}{mark}{prints[release]}" if release in prints else shown
        for release, shown in releases[:-1]
    }
    (_, modes), (_, avoid) = known[-2:]
    text = (FOLDER / name).read_text(encoding="utf-8")
    return IssueProgram(
        name, says[0][1], modes, avoid, shows, where[0][1], where[1][1], code_of(text)
    )


def tables_of(page: Path) -> dict[str, Cells]:
    """Of each program that a page has in its tables, the headings with its cells, by table."""
    found: dict[str, Cells] = {}
    text = page.read_text(encoding="utf-8").splitlines()
    for is_table, rows in groupby(text, key=lambda line: line.startswith("|")):
        if not is_table:
            continue
        lines = list(rows)
        heads = [cell.strip() for cell in lines[0].strip("|").split("|")][1:]
        for row in filter(None, map(_ROW.match, lines[2:])):
            cells = [cell.strip() for cell in row[2].split("|")]
            found.setdefault(row[1], []).append(list(zip(heads, cells, strict=True)))
    return found


def code_of(text: str) -> str:
    """A program behind its docstring, which the page tells in prose."""
    lines = text.splitlines()
    return "\n".join(lines[ast.parse(text).body[0].end_lineno :]).strip()
