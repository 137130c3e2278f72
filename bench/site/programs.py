"""A page for each program that shows a fault of Paddle."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from bench.site.pages import TOP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.site.pages import Site

FOLDER = TOP / "docs" / "paddle-issues"
_ROW = re.compile(r"^\| \[?(\w+)\.py[^|]*\|(.*)\|$")


def write(site: Site) -> None:
    """Write a page for each program; their list is the guide of that folder."""
    told = dict(_tables("README.zh-CN.md" if site.language == "zh" else "README.md"))
    for file in sorted(FOLDER.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        says = ast.get_docstring(ast.parse(text)) or ""
        title, _, rest = says.partition("\n")
        page = f"docs/paddle-issues/{file.stem}"
        values = {"title": title, "says": rest.strip(), "code": _code(text)}
        tables = told[file.stem]
        site.render(page, "program", name=file.name, tables=tables, **values)


def _tables(page: str) -> Iterator[tuple[str, list[list[tuple[str, str]]]]]:
    """Of each program, a table's headings with its cells, for each table that has it."""
    found: dict[str, list[list[tuple[str, str]]]] = {}
    for table in _blocks(FOLDER / page):
        heads = [cell.strip() for cell in table[0].strip("|").split("|")][1:]
        for line in table[2:]:
            if row := _ROW.match(line):
                cells = [cell.strip() for cell in row[2].split("|")]
                found.setdefault(row[1], []).append(list(zip(heads, cells, strict=True)))
    yield from found.items()


def _blocks(page: Path) -> list[list[str]]:
    text = page.read_text(encoding="utf-8")
    return [block.splitlines() for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)]


def _code(text: str) -> str:
    """The program behind its docstring, which the page tells in prose."""
    tree = ast.parse(text)
    lines = text.splitlines()
    return "\n".join(lines[tree.body[0].end_lineno :]).strip()
