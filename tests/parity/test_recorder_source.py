"""The recorder must load in any Python that a kit trains with, and need nothing but NumPy."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.training.runner import INJECT

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = sorted(INJECT.rglob("*.py"))
ALLOWED = {"numpy", "parity_recorder"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_syntax_of_python_3_8(path: Path) -> None:
    ast.parse(path.read_text(), feature_version=(3, 8))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_imports_are_few_and_paddle_is_none(path: Path) -> None:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    assert names - ALLOWED <= sys.stdlib_module_names
