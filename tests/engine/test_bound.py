"""What is put under a gate's name before the hook: still the config, or something else."""

from __future__ import annotations

import ast

import pytest

from codemod.engine.place.bound import _is_something_else


@pytest.mark.parametrize(
    ("statement", "other"),
    [
        ("config = config.model", True),
        ("config = config['model']['head']", True),
        ("config = 1", True),
        ("config = 'a' + name", True),
        ("config = f'{name}'", True),
        ("del config", True),
        ("for config in configs:\n    pass", True),
        ("config = settings.model", False),
        ("config = load(config.path)", False),
        ("config = settings", False),
        ("import config", False),
        ("from kit import config", False),
        ("with opened() as config:\n    pass", False),
    ],
)
def test_a_part_or_a_constant_is_no_config(statement: str, other: bool) -> None:
    assert bool(_is_something_else(ast.parse(statement).body[0], "config")) is other
