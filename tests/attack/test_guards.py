"""Each guard that is taken out of a copy of the tool is missed by a test."""

from __future__ import annotations

import pytest

from bench.attack.guards import GUARDS, Guard, seen


@pytest.mark.slow
@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.what)
def test_its_loss_is_seen(guard: Guard) -> None:
    assert seen(guard)
