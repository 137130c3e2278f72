"""Every hazard finds its own cases, and is silent where the code is harmless."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
import yaml

from codemod.base.messages import table
from codemod.code.tree import Tree
from codemod.hazards import scan
from codemod.hazards.catalog import CATALOG, TEXTS
from codemod.hazards.finders import FINDERS
from codemod.hazards.measured import TABLE
from codemod.hazards.reach.reached import Reached
from codemod.hazards.reach.values import ValueKind

TOP = Path(__file__).parents[2]
HEAD = "\n".join(
    (
        "import collections, copy, dataclasses, logging, math, os, random, time",
        "import numpy as np",
        "import paddle",
        "import paddle.nn as nn",
        "import paddle.nn.functional as F",
        "logger = logging.getLogger(__name__)",
        "",
    )
)


CASES = {
    id_: (file.stem, cases)
    for file in sorted(TABLE.parent.glob("*.yaml"))
    if file != TABLE
    for id_, cases in yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader).items()
}


def module(text: str) -> str:
    """A class body becomes the class `Net`; a text that holds the class stays as it is."""
    if "class Net" in text:
        return HEAD + text
    lines = text.split("\n\n\n", 1)  # what follows two empty lines stands outside of the class
    body = textwrap.indent(lines[0], "    ")
    return HEAD + f"class Net(nn.Layer):\n{body}\n" + "".join(f"\n\n{t}" for t in lines[1:])


def ids(root: Path, text: str) -> set[str]:
    root.joinpath("net.py").write_text(module(text), encoding="utf-8")
    return {found.id for found in scan(Tree(root), ["net.py:Net"])}


@pytest.mark.parametrize("hazard", sorted(CASES))
def test_cases(tmp_path: Path, hazard: str) -> None:
    _, sorts = CASES[hazard]
    each = [(sort, text) for sort, texts in sorts.items() for text in texts]
    for number, (sort, text) in enumerate(each):
        root = tmp_path / str(number)
        root.mkdir()
        found = ids(root, text)
        assert (hazard in found) == (sort == "flagged"), (text, found)


def test_a_hazard_has_cases_of_both_sorts_beside_the_function_that_looks_for_it() -> None:
    for hazard in CATALOG:
        if hazard.find is None:
            assert hazard.id not in CASES
            continue
        theme, sorts = CASES[hazard.id]
        assert set(sorts) == {"flagged", "silent"} and all(sorts.values()), hazard.id
        assert hazard.find.__module__ == f"codemod.hazards.catalog.{theme}", hazard.id
        own = theme != "simple"  # those of the table are made by one function for each sort
        assert not own or hazard.find.__name__ == hazard.name.replace("-", "_"), hazard.id


def test_every_function_and_every_case_has_a_row_in_the_table() -> None:
    ids = [hazard.id for hazard in CATALOG]
    assert ids == sorted(set(ids), key=lambda id_: int(id_[2:])), "rows by number, each once"
    assert set(FINDERS) == set(CASES) < set(ids)


def test_names_and_remedies_are_well_formed() -> None:
    for id_, (name, remedy) in TEXTS.items():
        assert re.fullmatch(r"[DP]-\d{2,}", id_)
        assert re.fullmatch(r"[a-z0-9-]+", name), id_
        assert remedy.endswith("."), id_


def test_the_trainers_hazards_have_their_entries() -> None:
    """What the audit finds in a trainer bears the number of an entry that looks at no model."""
    entries = {hazard.id for hazard in CATALOG if hazard.find is None}
    named = set(re.findall(r"D-\d+", " ".join(row["en"] for row in table("hazards").values())))
    assert named
    assert named <= entries


def test_harmless_code_is_left_alone(tmp_path: Path) -> None:
    """The list of what was measured as exact in both modes on both versions."""
    text = """
def __init__(self):
    super().__init__()
    self.parts = nn.LayerList([nn.Linear(3, 3) for _ in range(2)])
    self.norm = nn.BatchNorm2D(3)
    self.drop = nn.Dropout(0.1)
    self.table = nn.Embedding(4, 3)

def forward(self, x, data):
    assert x.sum() > 0
    y = x * 2
    if y.mean() > 0:
        y = x * 3
    rows = [row * 2 for row in x]
    for part in self.parts:
        y = part(self.drop(y))
    y[:, 0] = 1.0
    y[y > 1] = 0.0
    b, c = x.shape[0], x.shape[1] // 2
    if b > 1:
        y = y.reshape([b, c, -1])
    scale = lambda value: value * len(rows)
    best, where = paddle.topk(scale(y), k=2)
    mask = paddle.bernoulli(paddle.full_like(best, 0.5)) * paddle.rand(best.shape)
    return {"best": paddle.gather(best, where[0]) * mask, "other": data["image"]}
"""
    assert ids(tmp_path, text) == set()


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "CONTRIBUTING.zh-CN.md"])
def test_what_the_page_says_of_a_reached_function_it_has(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    table = text.partition("| `reached.` |")[2].partition("\n\n")[0]
    rows = [row.split("|") for row in table.splitlines() if row.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)", row[1])]
    assert {"calls", "kind", "statements"} <= set(named)
    assert [name for name in named if not hasattr(Reached, name)] == []
    asked = [name for row in rows for name in re.findall(r"`\.(\w+)", row[2])]
    assert {"is_tensor", "has"} <= set(asked)
    assert [name for name in asked if not hasattr(ValueKind, name)] == []


@pytest.mark.parametrize("page", ["hazards.md", "hazards.zh-CN.md"])
def test_the_guide_names_every_hazard(page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`([DP]-\d+)`", text))
    for kind, first, last in re.findall(r"`([DP]-)(\d+)` (?:to|到) `\1(\d+)`", text):
        named |= {f"{kind}{number:02}" for number in range(int(first), int(last))}
    assert set(TEXTS) - named == set(), f"docs/{page} says under its catalogue how each was found"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "CONTRIBUTING.zh-CN.md"])
def test_the_page_names_each_file_that_has_to_name_a_new_hazard(page: str) -> None:
    """Whoever adds a hazard by the page finds each list that a test holds to be whole."""
    text = (TOP / page).read_text(encoding="utf-8")
    section = text.partition("codemod/hazards/catalog/hazards.yaml")[2].partition("\n### ")[0]
    whole = {
        file.name
        for file in (TOP / "codemod").rglob("*.yaml")
        if set(TEXTS) <= set(re.findall(r"[DP]-\d+", file.read_text(encoding="utf-8")))
    }
    assert whole == {"hazards.yaml", "why.yaml"}
    told = {*whole - {"hazards.yaml"}, "docs/hazards.md", "docs/hazards.zh-CN.md"}
    assert [name for name in sorted(told) if name not in section] == [], page
