"""Kits run without and with the change: the copies, what runs both, and the command line."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.kits.paddles import measured
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.recipes import read_recipe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from codemod.training.recipes import Recipe


def environment(kit: str, paddle: str, more: Sequence[str] = ()) -> tuple[Path, Recipe]:
    """The Python that runs a kit on a Paddle, with `more` packages, and the kit's recipe."""
    recipe = read_recipe(kit, "")
    return ensure(EnvSpec(paddle, recipe.python, (*recipe.requirements, *more))), recipe


@contextmanager
def copies(kit: str, checkout: Path) -> Iterator[tuple[Path, Path]]:
    """Two copies of a checkout, the second with the change; both are gone afterwards."""
    with tempfile.TemporaryDirectory() as scratch:
        before, after = Path(scratch, "before"), Path(scratch, "after")
        for root in (before, after):
            shutil.copytree(checkout, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        for change in plan_change(Source(kit, after, "")).change_set().changes:
            (after / change.path).write_bytes(change.new)
        yield before, after


def over_kits(
    about: str | None, table: Path, compared: Callable[[str, Path, str, float], bool]
) -> int:
    """Compare each kit that is asked for, or all of the table; 1 where one is not the same.

    `compared` takes the kit's name, its checkout, the Paddle and the seconds that a run may take.
    """
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("kits", type=Path)
    parser.add_argument("--kit", action="append")
    parser.add_argument("--paddle", default=measured()[-1])
    parser.add_argument("--limit", type=float, default=900.0)
    asked = parser.parse_args()
    chosen = asked.kit or list(yaml.safe_load(table.read_text(encoding="utf-8")))
    same = [compared(kit, asked.kits / kit, asked.paddle, asked.limit) for kit in chosen]
    return int(not all(same))
