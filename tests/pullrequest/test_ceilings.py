"""No kit's change grows beyond the lines that its maintainers were asked to read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench.executed import CEILINGS, per_hook
from bench.origins import KITS, extract
from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.kits.catalogue import load_kits

MIRROR = os.environ.get("CODEMOD_MIRROR")


def test_every_kit_has_a_ceiling() -> None:
    assert set(CEILINGS) == set(KITS)


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize("kit", KITS)
def test_the_added_lines_of_a_hook_stay_under_their_ceiling(kit: str, tmp_path: Path) -> None:
    repository = next(Path(MIRROR or "").glob(f"*+{kit}")) / "repo"
    revision = load_kits()[kit].revision
    extract(repository, revision, tmp_path)
    lines = per_hook(plan_change(Source(kit, tmp_path, revision)).change_set())
    assert 0 < lines <= CEILINGS[kit]
