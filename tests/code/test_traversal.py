"""The walks over a tree: what they meet, and in which order."""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from codemod.code.traversal import below, own_nodes, parents, walk


def test_marks_of_another_reader_are_not_followed() -> None:
    """Contexts and operators are one object for all trees: what is put there leads out of them."""
    statement = ast.parse("x = y + 1").body[0]
    assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp)
    shared: tuple[Any, ...] = (statement.targets[0].ctx, statement.value.op)  # type: ignore[attr-defined]
    before = len(list(own_nodes(statement))), len(list(below(statement)))
    for node in shared:
        node._pyflakes_parent = statement
    try:
        # Unmended, both walks have no end.
        assert (
            len(list(islice(own_nodes(statement), 100))),
            len(list(islice(below(statement), 100))),
        ) == before
    finally:
        for node in shared:
            del node._pyflakes_parent


@pytest.mark.parametrize("file", sorted(Path(ast.__file__).parent.glob("*.py"))[::12])
def test_a_walk_meets_what_that_of_python_meets(file: Path) -> None:
    tree = ast.parse(file.read_bytes())
    nodes = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    assert list(walk(tree)) == nodes
    assert set(below(tree)) == set(nodes)
    above = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    shared = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    own = {node: up for node, up in parents(tree).items() if not isinstance(node, shared)}
    assert own == {node: up for node, up in above.items() if not isinstance(node, shared)}
