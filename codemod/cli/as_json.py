"""What `--json` prints: one object, with the version of its form; `forms.yaml` has the forms."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

# A key that is added leaves it; a key that is taken out, or means something else, counts it up.
VERSION = 1


def print_object(fields: Mapping[str, Any], *, indent: int | None = None) -> None:
    """Print one object on standard output, its form's version first."""
    click.echo(json.dumps(versioned(fields), ensure_ascii=False, indent=indent))


def versioned(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The object with the version of its form."""
    return {"version": VERSION, **fields}
