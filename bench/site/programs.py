"""A page for each program that shows a fault of Paddle."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.work.issue_programs import FOLDER, code_of, tables_of

if TYPE_CHECKING:
    from bench.site.pages import Site


def write(site: Site) -> None:
    """Write a page for each program; their list is the guide of that folder."""
    told = tables_of(FOLDER / ("README.zh-CN.md" if site.language == "zh" else "README.md"))
    for file in sorted(FOLDER.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        says = ast.get_docstring(ast.parse(text)) or ""
        title, _, rest = says.partition("\n")
        page = f"docs/paddle-issues/{file.stem}"
        values = {"title": title, "says": rest.strip(), "code": code_of(text)}
        tables = told[file.name]
        site.render(page, "program", name=file.name, tables=tables, **values)
