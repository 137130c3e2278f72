"""Each part of a real kit's series says what it does, and names its files."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from bench.one_plan import git
from bench.origins import KITS
from codemod.cli.main import run
from codemod.kits.catalogue import load_kits
from codemod.reports.pullrequest.git.manner import LONGEST

MIRROR = os.environ.get("CODEMOD_MIRROR")


def unsaid(clone: Path, branch: str, text: str) -> list[str]:
    """What the English text of a part's pull request leaves unsaid of the part's files."""
    undo = re.search(r"git revert --no-edit (\w+)\.\.(\w+)", text)
    if undo is None:
        return [f"{branch}: no way back"]
    names = git(clone, "diff", "-z", "--name-only", undo[1], branch).decode().split("\0")[:-1]
    rows = {f: re.search(rf"\| `{re.escape(f)}` \| \d+ \| \d+ \| (.*) \|", text) for f in names}
    wrong = [f"{branch}: nothing is said of {f}" for f, row in rows.items() if not (row and row[1])]
    changes = text.partition(" Changes\n")[2].partition("\n#")[0]
    folded = "listed below" in changes
    if not folded and not any(f"`{file}" in changes for file in names):
        wrong.append(f"{branch}: what changes names no file of its own")
    if "**Complete dynamic-to-static training**" in text.splitlines():
        wrong.append(f"{branch}: the headline does not say what is completed")
    return wrong


@pytest.mark.slow
@pytest.mark.skipif(MIRROR is None, reason="needs a mirror of the kits")
@pytest.mark.parametrize("kit", KITS)
def test_every_part_of_a_series_says_what_it_does(
    kit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    repository = next(Path(MIRROR or "").glob(f"*+{kit}")) / "repo"
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--bare", "--shared", str(repository), str(clone))
    git(clone, "config", "user.name", "test")
    git(clone, "config", "user.email", "test@example.invalid")
    words = ["--revision", load_kits()[kit].revision, "--series", "--workspace", "work"]
    assert run(["branch", kit, "--path", str(clone), *words]) == 0
    texts = list((tmp_path / "work" / "pull-requests" / kit).glob("*/pull-request.en.md"))
    assert texts
    wrong = [one for file in texts for one in unsaid(clone, file.parent.name, file.read_text())]
    assert wrong == []
    heads = [re.findall(r"^\*\*.*\*\*$", file.read_text(), re.MULTILINE)[0] for file in texts]
    assert len(set(heads)) == len(heads), "two parts have one headline"
    subjects = git(
        clone, "log", "--branches=to-static-*", "--not", words[1], "--format=%s"
    ).decode()
    assert all(len(subject) <= LONGEST for subject in subjects.splitlines())
