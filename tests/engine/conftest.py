"""Small repositories, written file by file, and what the engine makes of them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import ChangeSet, Source
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path

Make = Callable[..., ChangeSet]


@pytest.fixture
def change(tmp_path: Path) -> Make:
    """`change({"train.py": source}, kit=None)`: the change set of a repository."""

    def make(files: dict[str, str | bytes], kit: str | None = None) -> ChangeSet:
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            raw = text if isinstance(text, bytes) else textwrap.dedent(text).encode()
            target.write_bytes(raw)
        return plan_change(Source(kit, tmp_path, None)).change_set()

    return make
