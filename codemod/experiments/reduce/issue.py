"""The text of an issue for Paddle's developers, in English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass

from codemod.experiments.reduce.request import Reduced, ReduceRequest
from codemod.experiments.reduce.signature import Signature

MODES = {"ast": "full_graph=True (AST)", "sot": "full_graph=False (SOT)"}


@dataclass(frozen=True, slots=True)
class IssueWords:
    """The sentences of one language."""

    heading: str
    what: str
    run: str
    table: str
    nothing: str
    printed: str
    same: str


ENGLISH = IssueWords(
    heading="# to_static, {mode}, Paddle {paddle}: {sought}",
    what="The program below gives one thing in dynamic mode and another one in static mode "
    "({mode}). It needs Paddle alone, runs on the CPU, and ends with exit code 1 where the modes "
    "differ.",
    run="Save it as `program.py` and run `python program.py`.",
    table="What each release shows:",
    nothing="equal to dynamic mode",
    printed="What it prints:",
    same="A program with the same cause is on file: `{same}`.",
)
CHINESE = IssueWords(
    heading="# to_static（{mode}）在 Paddle {paddle} 上的问题：{sought}",
    what="下面的程序在动态图与静态图（{mode}）下结果不同。它只依赖 Paddle，在 CPU 上运行；"
    "两种模式不同时退出码为 1。",
    run="保存为 `program.py`，运行 `python program.py`。",
    table="各版本的现象：",
    nothing="与动态图相同",
    printed="程序的输出：",
    same="已有一个原因相同的程序：`{same}`。",
)


def title(asked: ReduceRequest, sought: Signature) -> str:
    """One line for the program's docstring."""
    return f"{MODES[asked.mode]} on Paddle {asked.paddle} parts from dynamic mode: {sought}."


def text(result: Reduced, program: str, words: IssueWords) -> str:
    """The issue as Markdown."""
    mode = MODES[result.mode]
    parts = [
        words.heading.format(mode=mode, paddle=result.paddle, sought=_cell(result.sought)),
        words.what.format(mode=mode),
        f"{words.run}\n\n```python\n{program}```",
        f"{words.table}\n\n{_table(result, words)}",
        words.printed
        + "\n\n```\n"
        + "\n".join(p.line for _, p in sorted(result.printed.items()))
        + "\n```",
    ]
    if result.same:
        parts.append(words.same.format(same=result.same))
    return "\n\n".join(parts) + "\n"


def _table(result: Reduced, words: IssueWords) -> str:
    rows = ["| Paddle | AST | SOT |", "|---|---|---|"]
    for paddle, shown in sorted(result.shown.items()):
        cells = " | ".join(_cell(shown[mode]) or words.nothing for mode in ("ast", "sot"))
        rows.append(f"| {paddle} | {cells} |")
    return "\n".join(rows)


def _cell(said: str) -> str:
    return said.replace("|", "\\|").replace("\n", " ")
