"""docs/results.md and its Chinese version describe the file as it is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from codemod.base.json_form import key_of
from codemod.judging.evidence import result
from codemod.judging.verdict import Explanation, FirstDifference

DOCS = Path(__file__).parents[2] / "docs"
# The titles of the sections in Chinese.
CHINESE = {
    "The file": "文件内容",
    "A mode": "一个模式",
    "The dynamic run": "动态图运行",
    "Gradients": "梯度",
    "Curves": "曲线",
}
# The parts of a result whose fields stand in the file beside its own.
PARTS = {"parity", "probe"}


@pytest.fixture(params=["results.md", "results.zh-CN.md"])
def page(request: pytest.FixtureRequest) -> str:
    """The page in one language, with the titles of the English one."""
    name: str = request.param
    text = (DOCS / name).read_text(encoding="utf-8")
    for title, chinese in CHINESE.items():
        text = text.replace(f"\n## {chinese}\n", f"\n## {title}\n")
    return text


def section(page: str, title: str) -> str:
    return page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def keys(kind: type) -> set[str]:
    return {key_of(field) for field in fields(kind)}


def rows(page: str, title: str) -> set[str]:
    return set(re.findall(r"^\| `(\w+)` \|", section(page, title), re.MULTILINE))


def test_the_tables_name_every_key_and_no_other(page: str) -> None:
    own = keys(result.Result) | keys(result.ParityPart) | keys(result.ProbePart)
    assert rows(page, "The file") == {"schema", *own} - PARTS
    assert rows(page, "A mode") == keys(result.ModeResult)
    assert rows(page, "The dynamic run") == keys(result.DynamicResult)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("A mode", FirstDifference),
        ("A mode", Explanation),
        ("Gradients", result.GradientSummary),
        ("Gradients", result.FurthestGradient),
        ("Curves", result.Curve),
    ],
)
def test_the_texts_name_every_key(page: str, title: str, kind: type) -> None:
    assert {key for key in keys(kind) if f"`{key}`" not in section(page, title)} == set()
