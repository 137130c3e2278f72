"""Copies of a kit without and with the change, and the environment that runs both."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.training.environments import EnvSpec, ensure
from codemod.training.recipes import read_recipe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
