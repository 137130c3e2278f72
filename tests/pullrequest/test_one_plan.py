"""`apply`, `diff` and `branch` write the same bytes of real kits, whichever way they are asked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench.one_plan import faults
from bench.origins import KITS

WAYS = ("diff", "parity", "check", "whole", "base", "split", "only")
MIRROR = os.environ.get("CODEMOD_MIRROR")


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize("kit", KITS)
def test_every_command_writes_the_same_bytes(kit: str, tmp_path: Path) -> None:
    assert MIRROR is not None
    found = dict(faults(kit, Path(MIRROR), tmp_path))
    assert found == {way: [] for way in WAYS}
