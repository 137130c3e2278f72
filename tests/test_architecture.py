"""`docs/architecture.md` says how the code is, and the code keeps to it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from bench.architecture import (
    INSIDE,
    PAGE,
    TOP,
    WINGS,
    arrows,
    circles,
    filled,
    imported,
    inside,
    modules,
)

if TYPE_CHECKING:
    from pathlib import Path

TEXT = PAGE.read_text(encoding="utf-8")


def test_every_folder_of_the_package_is_a_wing() -> None:
    folders = {path.parent.name for path in (TOP / "codemod").glob("*/__init__.py")}
    assert folders == set(WINGS)


@pytest.mark.parametrize("wing", WINGS)
def test_the_page_names_every_module_and_no_other(wing: str) -> None:
    _, _, rest = TEXT.partition(f"<!-- modules: {wing} -->\n")
    rows = rest.partition("<!-- end -->")[0].splitlines()[2:]
    named = [row.split("`")[1] for row in rows]
    assert named == list(modules(wing)), "run: python -m bench.architecture --write"


def test_the_tables_are_as_the_code_is() -> None:
    assert filled(TEXT) == TEXT, "run: python -m bench.architecture --write"


def test_every_module_says_its_one_job() -> None:
    assert "| |\n" not in TEXT
    assert "|  |\n" not in TEXT


@pytest.mark.parametrize("wing", WINGS)
def test_a_wing_imports_from_wings_before_it_alone(wing: str) -> None:
    assert arrows()[wing] <= set(WINGS[: WINGS.index(wing)])


# One that is left: the judge's classes of differences read the judge's own types.
_KNOWN_CIRCLES = [["codemod.judging.classify", "codemod.judging.judge"]]


def test_no_two_modules_import_each_other() -> None:
    assert circles() in ([], _KNOWN_CIRCLES)


def test_what_runs_in_a_kit_s_process_imports_nothing_of_the_tool() -> None:
    paths = [path for path in (TOP / "codemod").rglob("*.py") if inside(path)]
    assert len({path.parts[-2] for path in paths}) >= len(INSIDE)
    assert [path for path in paths if imported(path)] == []


def test_a_class_name_is_one_thing() -> None:
    places = defaultdict(list)
    for path in sorted((TOP / "codemod").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.relative_to(TOP).as_posix())
    twice = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert twice == {}


_PATH = re.compile(r"`((?:codemod|rules|bench|tests|docs)/[\w./<>-]+)`")
_PAGES = [*sorted((TOP / "docs").glob("*.md")), *TOP.glob("*.md"), TOP / "rules" / "README.md"]


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_documents_cite_files_that_are_there(page: Path) -> None:
    cited = set(_PATH.findall(page.read_text(encoding="utf-8")))
    # `<Kit>` stands for a kit; PASSL is not one of ours.
    places = {path: path.replace("<Kit>", "PaddleSeg") for path in cited if "PASSL" not in path}
    assert [path for path, place in places.items() if not (TOP / place).exists()] == []


def test_kits_files_cite_modules_that_are_there() -> None:
    for file in sorted((TOP / "rules").glob("*/*.yaml")):
        text = file.read_text(encoding="utf-8")
        for path in re.findall(r"\bcodemod/[\w/]+\.py\b", text):
            assert (TOP / path).is_file(), f"{file} cites {path}"
