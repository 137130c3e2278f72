"""docs/results.md describes the file as it is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from codemod.base.json_form import key_of
from codemod.judging.evidence import result
from codemod.judging.verdict import Explanation, FirstDifference, Verdict

PAGE = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
# The parts of a result whose fields stand in the file beside its own.
PARTS = {"parity", "probe"}


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def keys(kind: type) -> set[str]:
    return {key_of(field) for field in fields(kind)}


def rows(title: str) -> set[str]:
    return set(re.findall(r"^\| `(\w+)` \|", section(title), re.MULTILINE))


def test_the_tables_name_every_key_and_no_other() -> None:
    own = keys(result.Result) | keys(result.ParityPart) | keys(result.ProbePart)
    assert rows("The file") == {"schema", *own} - PARTS
    assert rows("A mode") == keys(result.ModeResult)
    assert rows("The dynamic run") == keys(result.DynamicResult)


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
def test_the_texts_name_every_key(title: str, kind: type) -> None:
    assert {key for key in keys(kind) if f"`{key}`" not in section(title)} == set()


def test_every_verdict_is_named() -> None:
    assert [v for v in Verdict if f"`{v.value}`" not in section("A mode")] == []
