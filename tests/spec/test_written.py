"""On real Paddle: what --write puts into a kit trains with one program."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from codemod.training.runner import Command, RunRequest, run_once
from tests.parity.conftest import PADDLES, paddle_python
from tests.spec.test_spec_in_use import KIT, spec

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


def git(kit: Path, *words: str) -> str:
    """Run git in the kit and give what it prints."""
    argv = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words]
    return subprocess.run(argv, cwd=kit, capture_output=True, text=True, check=True).stdout


def programs(kit: Path, out: Path, config: str, *options: str) -> int:
    """The programs of eight AST steps."""
    argv = (str(paddle_python(PADDLES[0])), "train.py", f"configs/{config}.json", "to_static=True")
    wanted = RunRequest("bare", "ast", 8, light=True)
    command = Command((*argv, "evaluates=", *options), kit)
    record = run_once(command, wanted, out, "cpu", 180)
    assert record.outcome == "ok"
    return record.count("traces")


@pytest.mark.parametrize(
    ("config", "option", "lines"),
    [
        ("picture", "spec=none", 1),
        ("list", "spec=none", 4),
        ("list", "table=yes", 1),
    ],
)
def test_a_written_spec_is_small_and_works(
    tmp_path: Path, config: str, option: str, lines: int
) -> None:
    kit = tmp_path / "kit"
    shutil.copytree(KIT, kit)
    git(kit, "init", "-q")
    git(kit, "add", ".")
    git(kit, "commit", "-qm", "kit")
    assert programs(kit, tmp_path / "before", config, option) == 2
    found = spec(tmp_path / "work", PADDLES[0], config, "-O", option, "--write", kit=kit)
    assert found["written"] == ["train.py"]
    added, removed, _ = git(kit, "diff", "--numstat").split(maxsplit=2)
    assert (int(added), int(removed)) == (lines, int(option == "spec=none")), git(kit, "diff")
    assert programs(kit, tmp_path / "after", config, option) == 1
