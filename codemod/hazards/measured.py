"""The table `hazards.yaml`, and the Paddles that its effects were measured on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from codemod.base.files.yaml_file import read_yaml

TABLE = Path(__file__).with_name("catalog") / "hazards.yaml"
SECTIONS = read_yaml(TABLE).fields(
    frozenset(("measured", "models", "seen", "training")), frozenset()
)

VERSIONS = SECTIONS["measured"].texts()
"""The measured Paddles ("2.6"), the oldest first: each has a column for AST and one for SOT."""


@cache
def nearest(paddle: str) -> str:
    """The measured Paddle that speaks for a version: of its major one, then the closest.

    >>> nearest("2.5.1"), nearest("3.2.2")
    ('2.6', '3.3')
    """
    major, minor = _numbers(paddle)

    def distance(version: str) -> tuple[int, int]:
        there = _numbers(version)
        return abs(there[0] - major), abs(there[1] - minor)

    return min(VERSIONS, key=distance)


def _numbers(version: str) -> tuple[int, int]:
    major, minor = (*version.split("."), "0")[:2]
    return int(major), int(minor)
