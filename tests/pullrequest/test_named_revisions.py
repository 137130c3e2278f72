"""Branches at revisions at which a text once told of edits that were not there, or hid some."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from bench.one_plan import git
from codemod.cli.main import run

MIRROR = os.environ.get("CODEMOD_MIRROR")
# What two sentences of the rule say of lines that only later heads of these kits get.
FILE_NAMES = "File names (`image_file`) leave the batch"
YAML_COUNTS = "in the YAML file takes effect"
NOT_YET = (FILE_NAMES, YAML_COUNTS)


class Seen(NamedTuple):
    """A revision: the lines added, what text and subjects say, and what they must not say."""

    kit: str
    revision: str
    added: int
    says: tuple[str, ...]
    never: tuple[str, ...] = ()


SEEN = (
    Seen("PaddleDetection", "35e710c539", 3, ("`-o to_static=True`",), NOT_YET),
    Seen("PaddleDetection", "277bc13f3a", 3, ("`-o to_static=True`",), NOT_YET),
    Seen("PaddleYOLO", "3e8ce2aa", 3, ("`-o to_static=True`",), NOT_YET),
    Seen("PaddleYOLO", "ae7b42f9", 3, ("`-o to_static=True`",), NOT_YET),
    Seen("PaddleYOLO", "5bd1ecf3", 4, (FILE_NAMES, YAML_COUNTS, "**Fix: "), ("add a switch",)),
    Seen(
        *("PaddleClas", "aa26a8c1d", 1, ("**Fix: the string 'false' switched to_static on**",)),
        ("does not act in every case", "add a switch"),
    ),
    Seen("PaddleClas", "5a6fe171a", 5, ("`ppcls/utils/ema.py`: The moving average",)),
    Seen("Paddle3D", "3259dabef7", 20, ("Add `--to_static True` to", "**Extend")),
    Seen("Paddle3D", "85d06d48db", 15, ("Add `--to_static` to", "41 of 41 configs")),
    Seen(
        *("PaddleRec", "656326adf3", 270),
        (
            "FLAGS_enable_pir_api",
            "MAML refuses the switch",
            "MetaHeac refuses the switch",
            "and 28 more files do not name the switch and act with it off",
        ),
    ),
    Seen(
        *("PaddleGAN", "67d7e4153a", 32),
        ("46 of 49 configs", "lets go of the step's graph", "StarGANv2 is refused"),
        ("GPEN", "GFPGAN", "MSVSR"),
    ),
)


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize("seen", SEEN, ids=lambda seen: f"{seen.kit}-{seen.revision}")
def test_a_text_tells_the_edits_of_its_revision(
    seen: Seen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    repository = next(Path(MIRROR or "").glob(f"*+{seen.kit}")) / "repo"
    clone, branch = tmp_path / "clone", "to-static-training"
    git(tmp_path, "clone", "-q", "--bare", "--shared", str(repository), str(clone))
    git(clone, "config", "user.name", "test")
    git(clone, "config", "user.email", "test@example.invalid")
    words = ["--path", str(clone), "--revision", seen.revision, "--workspace", "work"]
    assert run(["branch", seen.kit, *words]) == 0
    (file,) = (tmp_path / "work" / "pull-requests").glob("*/*/pull-request.en.md")
    # What configs are called, and rows of runs, are no claims about edits.
    text = "\n".join(line for line in file.read_text().splitlines() if "configs/" not in line)
    text += git(clone, "log", "--format=%B", f"{seen.revision}..{branch}").decode()
    assert [words for words in seen.says if words not in text] == []
    assert [words for words in seen.never if words in text] == []
    counted = git(clone, "diff", "--numstat", seen.revision, branch).decode().splitlines()
    assert sum(int(line.split()[0]) for line in counted) == seen.added
