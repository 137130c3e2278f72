"""Each guard that is taken out of a copy of the tool is missed by a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.attack.guards import GUARDS, Guard, copied, seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def copy() -> Iterator[Path]:
    with copied() as folder:
        yield folder


@pytest.mark.slow
@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.what)
def test_its_loss_is_seen(guard: Guard, copy: Path) -> None:
    assert seen(guard, copy)
