"""No kit's change grows beyond the lines that its maintainers were asked to read."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from bench.executed import CEILINGS, left, per_hook, reasons
from bench.origins import KITS, extract
from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.kits.catalogue import load_kits

MIRROR = os.environ.get("CODEMOD_MIRROR")


def test_every_kit_has_a_ceiling() -> None:
    assert set(CEILINGS) == set(KITS)


def test_what_no_run_executed_is_listed_with_its_reason() -> None:
    never = ("a/own.py:12", "models/rl/A2C/train.py:9", "a/own.py:7")
    assert left("PaddleRec", never).splitlines()[-2:] == [
        "| `a/own.py` | 7, 12 | – |",
        f"| `models/rl/A2C/train.py` | 9 | {reasons()['PaddleRec']['models/rl/A2C/train.py']} |",
    ]


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize("kit", KITS)
def test_the_added_lines_of_a_hook_stay_under_their_ceiling_and_each_reason_has_its_file(
    kit: str, tmp_path: Path
) -> None:
    repository = next(Path(MIRROR or "").glob(f"*+{kit}")) / "repo"
    revision = load_kits()[kit].revision
    extract(repository, revision, tmp_path)
    change_set = plan_change(Source(kit, tmp_path, revision)).change_set()
    assert 0 < per_hook(change_set) <= CEILINGS[kit]
    changed = [change.path for change in change_set.changes]
    for glob in reasons().get(kit, {}):
        assert any(fnmatchcase(path, glob) for path in changed), f"no reason is left for {glob}"
