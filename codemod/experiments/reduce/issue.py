"""The text of an issue for Paddle's developers, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from codemod.experiments.reduce.request import Reduced, ReduceRequest
from codemod.experiments.reduce.signature import Signature

MODES = {"ast": "full_graph=True (AST)", "sot": "full_graph=False (SOT)"}


@dataclass(frozen=True, slots=True)
class IssueWords:
    """The sentences of one language. `kinds` has a phrase for each kind of `Signature`."""

    heading: str
    what: str
    run: str
    table: str
    nothing: str
    printed: str
    same: str
    kinds: Mapping[str, str]
    forms: Mapping[str, str] = field(default_factory=dict)

    def said(self, found: Signature | None) -> str:
        """What a run shows, as a phrase of a table or a title."""
        if found is None:
            return self.nothing
        forms = [self.forms.get(form, form) for form in found.forms]
        return _cell(self.kinds[found.kind].format(*forms, detail=found.detail))


ENGLISH = IssueWords(
    heading="# paddle.jit.to_static, {mode}: {sought} (Paddle {releases})",
    what="The program below gives one thing in dynamic mode and another one in static mode "
    "({mode}). It needs Paddle alone, runs on the CPU, and ends with exit code 1 where the modes "
    "differ.",
    run="Save it as `program.py` and run `python program.py`.",
    table="What each release shows:",
    nothing="as in dynamic mode",
    printed="What it prints:",
    same="A program with the same cause is on file: `{same}`.",
    kinds={
        "error": "it ends with {detail}",
        "crash": "the process crashes ({detail})",
        "hang": "it does not end",
        "loss": "the result differs",
        "gradient's form": "a gradient is {} in dynamic mode, {} in static mode",
        "gradient": "gradients differ",
        "buffer": "buffers differ",
    },
    forms={"none": "missing"},
)
CHINESE = IssueWords(
    heading="# paddle.jit.to_static（{mode}）：{sought}（Paddle {releases}）",
    what="下面的程序在动态图与静态图（{mode}）下结果不同。它只依赖 Paddle，在 CPU 上运行；"
    "两种模式不同时退出码为 1。",
    run="保存为 `program.py`，运行 `python program.py`。",
    table="各版本的现象：",
    nothing="与动态图相同",
    printed="程序的输出：",
    same="已有一个原因相同的程序：`{same}`。",
    kinds={
        "error": "报错 {detail}",
        "crash": "进程崩溃（{detail}）",
        "hang": "一直不结束",
        "loss": "结果不同",
        "gradient's form": "动态图下梯度{}，静态图下{}",
        "gradient": "梯度不同",
        "buffer": "缓冲区不同",
    },
    forms={"none": "缺失", "dense": "稠密", "sparse": "稀疏"},
)


def title(asked: ReduceRequest, sought: Signature) -> str:
    """One line for the program's docstring."""
    shown = ENGLISH.said(sought)
    return f"{MODES[asked.mode]} parts from dynamic mode on Paddle {asked.paddle}: {shown}."


def text(result: Reduced, program: str, words: IssueWords) -> str:
    """The issue as Markdown."""
    mode, sought = MODES[result.mode], result.sought
    releases = result.fails_on or (result.paddle,)
    parts = [
        words.heading.format(mode=mode, releases=", ".join(releases), sought=words.said(sought)),
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
        cells = " | ".join(words.said(shown[mode]) for mode in ("ast", "sot"))
        rows.append(f"| {paddle} | {cells} |")
    return "\n".join(rows)


def _cell(said: str) -> str:
    return said.replace("|", "\\|").replace("\n", " ")
