"""Comments that suppress findings, and those that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.audit.findings import Finding, Level
from codemod.audit.suppression import Suppressed, suppress
from codemod.base.reason import Reason
from codemod.code.tree import Tree

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("not-hooked", "config-blocked")


def judged(root: Path, text: str, line: int | None, file: str = "train.py") -> Suppressed:
    (root / file).write_text(text, encoding="utf-8")
    finding = Finding("not-hooked", Level.WARNING, file, line, Reason.said("It is so."))
    return suppress(Tree(root), (finding,), KINDS)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1  # codemod: ignore[not-hooked] it goes next week\n", 1),
        ("# codemod: ignore[config-blocked, not-hooked]: it goes next week\na = 1\n", 2),
        ("a = 1\n\n# codemod:ignore[not-hooked] -- it goes next week\n", None),
    ],
    ids=["same line", "line above", "whole file"],
)
def test_a_comment_with_a_reason(tmp_path: Path, text: str, line: int | None) -> None:
    found = judged(tmp_path, text, line)
    assert found.open == ()
    ((_, comment),) = found.suppressed
    assert comment.reason == "it goes next week"


def test_a_yaml_file_has_comments_too(tmp_path: Path) -> None:
    text = "# codemod: ignore[not-hooked] it goes next week\na: 1\n"
    assert judged(tmp_path, text, None, "a.yml").open == ()


@pytest.mark.parametrize(
    "text",
    [
        "# codemod: ignore[config-blocked] another kind\na = 1\n",
        "# codemod: ignore[not-hooked] too far away\n\na = 1\n",
        "a = 'codemod: ignore[not-hooked] not a comment'\n",
    ],
    ids=["another kind", "too far", "text"],
)
def test_what_does_not_apply(tmp_path: Path, text: str) -> None:
    found = judged(tmp_path, text, text.count("\n"))
    assert [finding.id for finding in found.open] == ["not-hooked"]


@pytest.mark.parametrize(
    ("comment", "why"),
    [
        ("# codemod: ignore[not-hooked]", "no reason"),
        ("# codemod: ignore everything", "no kind"),
        ("# codemod: ignore[not-hoked] a slip", "not-hoked"),
    ],
)
def test_a_bad_comment_is_itself_a_finding(tmp_path: Path, comment: str, why: str) -> None:
    found = judged(tmp_path, f"a = 1  {comment}\n", 1)
    assert [finding.id for finding in found.open] == ["not-hooked", "bad-suppression"]
    assert why in found.open[1].message
    assert found.suppressed == ()
