"""The table `hazards.yaml`, and the Paddles that its effects were measured on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from codemod.base.files.yaml_file import read_yaml
from codemod.kits import paddles

TABLE = Path(__file__).with_name("catalog") / "hazards.yaml"
SECTIONS = read_yaml(TABLE).fields(
    frozenset(("measured", "later", "models", "seen", "training")), frozenset()
)

COLUMNS = SECTIONS["measured"].texts()
"""The Paddles that each row has a column for, in AST and in SOT."""
LATER = {
    version: {id_: dict(told.items()) for id_, told in rows.items()}
    for version, rows in SECTIONS["later"].items()
}
"""Of each Paddle measured after these: the effects that are others there, by hazard and mode."""

VERSIONS = (*COLUMNS, *LATER)
"""The measured Paddles ("2.6"), the oldest first."""


@cache
def nearest(paddle: str) -> str:
    """The measured Paddle that speaks for a version.

    >>> nearest("2.5.1"), nearest("3.2.2")
    ('2.6', '3.3')
    """
    return paddles.nearest(paddle, VERSIONS)
