"""Folders that would have the tool read or write somewhere else: each protection has its attack.

Beside each attack stands the same folder without it, which is taken: what is refused is
refused for what is wrong in it alone.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from bench.attack import hostile
from bench.attack.hostile import difference, snapshot
from bench.attack.plants import PLANTS, git
from bench.attack.table import TRAIN, tried
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.cli.main import run
from codemod.kits.catalogue import find_kit
from codemod.kits.sources.fetch import kept
from codemod.kits.sources.provenance import note_fetched
from codemod.reports.pullrequest.git.repository import opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def repositories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A repository and another one, each with a commit."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@example.org")
    monkeypatch.chdir(tmp_path)
    roots = tmp_path / "kit", tmp_path / "other"
    for root in roots:
        root.mkdir()
        (root / "train.py").write_bytes(TRAIN)
        git(root, "init", "-q", "-b", "main")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")
    return roots


def foreign_common(kit: Path, other: Path) -> None:
    (kit / ".git" / "commondir").write_text(f"{other}/.git\n")


def foreign_link(kit: Path, other: Path) -> None:
    (kit / ".git").rename(kit / "old")
    (kit / ".git").symlink_to(other / ".git")


def foreign_file(kit: Path, other: Path) -> None:
    (kit / ".git").rename(kit / "old")
    (kit / ".git").write_text(f"gitdir: {other}/.git\n")


def forged_work_tree(kit: Path, other: Path) -> None:
    """A `.git` file that names a work tree of the other, which does not name us."""
    git(other, "worktree", "add", "-q", str(other.parent / "real"))
    foreign_file(kit, other)
    (kit / ".git").write_text(f"gitdir: {other}/.git/worktrees/real\n")


def foreign_branches(kit: Path, other: Path) -> None:
    (kit / ".git" / "refs" / "heads").rename(kit / ".git" / "refs" / "old")
    (kit / ".git" / "refs" / "heads").symlink_to(other / ".git" / "refs" / "heads")


def foreign_objects(kit: Path, other: Path) -> None:
    (kit / ".git" / "objects").rename(kit / ".git" / "old")
    (kit / ".git" / "objects").symlink_to(other / ".git" / "objects")


FOREIGN = [
    foreign_common,
    foreign_link,
    foreign_file,
    forged_work_tree,
    foreign_branches,
    foreign_objects,
]


@pytest.mark.parametrize("forge", FOREIGN)
def test_a_branch_is_made_in_no_other_repository(
    forge: Callable[[Path, Path], None],
    repositories: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    kit, other = repositories
    forge(kit, other)
    before = snapshot(other)
    assert run(["branch", str(kit)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert difference(before, snapshot(other)) == ""


def hooked(kit: Path, program: Path) -> tuple[str, ...]:
    """A hook that runs where a reference is made."""
    for name in ("reference-transaction", "post-index-change"):
        shutil.copy(program, kit / ".git" / "hooks" / name)
    return ("update-ref", "refs/heads/made", "HEAD")


def monitored(kit: Path, program: Path) -> tuple[str, ...]:
    git(kit, "config", "core.fsmonitor", str(program))
    return ("status",)


def lacking(kit: Path, program: Path) -> tuple[str, ...]:
    """A partial clone, whose missing object is fetched by a program of its config."""
    name = git(kit, "rev-parse", "HEAD:train.py").decode().strip()
    for key, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ssh://nowhere/x"),
        ("core.sshCommand", str(program)),
    ):
        git(kit, "config", key, value)
    (kit / ".git" / "objects" / name[:2] / name[2:]).unlink()
    return ("cat-file", "blob", name)


@pytest.mark.parametrize("plant", [hooked, monitored, lacking])
def test_no_program_that_a_repository_names_runs(
    plant: Callable[[Path, Path], tuple[str, ...]], repositories: tuple[Path, Path], tmp_path: Path
) -> None:
    kit, mark, program = repositories[0], tmp_path / "mark", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    program.chmod(0o755)
    able = plant(kit, program)
    for command in ("kits", "diff", "check", "branch"):
        assert run([command, *([str(kit)] if command != "kits" else [])]) in (0, 1, 2)
        assert not mark.exists()
    # With git as it is, the program runs.
    subprocess.run(["git", "-C", str(kit), *able], capture_output=True, check=False)
    assert mark.exists()


def test_a_repository_a_work_tree_and_a_submodule_are_opened(
    repositories: tuple[Path, Path],
) -> None:
    kit, other = repositories
    assert opened(kit).git_dir == kit / ".git"
    git(kit, "worktree", "add", "-q", str(kit.parent / "tree"))
    assert opened(kit.parent / "tree").git_dir == kit / ".git"
    git(kit, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    assert opened(kit / "sub").git_dir == kit / ".git" / "modules" / "sub"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_user_is_left_to_git_s_own_check(
    repositories: tuple[Path, Path],
) -> None:
    kit, _ = repositories
    os.chown(kit / ".git", 12345, 12345)
    os.chown(kit, 12345, 12345)
    with pytest.raises(UsageError, match="dubious ownership"):
        opened(kit)


def fetched_kit(tmp_path: Path, **changed: object) -> tuple[Path, Workspace]:
    """A workspace that holds a kit, with a note that the tool could have written but for this."""
    workspace = Workspace.at(tmp_path / "workspace")
    folder = workspace.make("kits", "PaddleGAN")
    note = {"origin": "git", "revision": "a" * 40, "root": "."} | changed
    (folder / ".codemod-source.json").write_text(json.dumps(note))
    note_fetched(folder, str(note["origin"]), str(note["revision"]))
    return folder, workspace


def test_a_kit_that_was_fetched_is_found(tmp_path: Path) -> None:
    folder, workspace = fetched_kit(tmp_path)
    copy = kept(find_kit("PaddleGAN"), workspace)
    assert copy is not None
    assert copy.root == folder


@pytest.mark.parametrize(
    "changed",
    [
        {"root": "../../../other"},
        {"root": "/"},
        {"root": None},
        {"root": "sub"},
        {"origin": "folder"},
        {"origin": ["git"]},
        {"revision": "--upload-pack=x"},
        {"revision": "a\nb"},
        {"revision": {}},
    ],
)
def test_a_note_leads_nowhere_else(changed: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    _, workspace = fetched_kit(tmp_path, **changed)
    with pytest.raises(UsageError, match="cannot be taken for a fetched kit"):
        kept(find_kit("PaddleGAN"), workspace)


@pytest.mark.parametrize("text", ["", "[]", "{}", "\0", "[" * 100_000, '{"root": '])
def test_a_note_that_is_not_whole_is_refused(text: str, tmp_path: Path) -> None:
    folder, workspace = fetched_kit(tmp_path)
    (folder / ".codemod-source.json").write_text(text)
    with pytest.raises(UsageError, match="its note is not whole"):
        kept(find_kit("PaddleGAN"), workspace)


@pytest.mark.parametrize("part", ["kits", "kits/PaddleGAN", "kits/PaddleGAN/.codemod-source.json"])
def test_a_link_in_the_workspace_is_not_followed(part: str, tmp_path: Path) -> None:
    _, workspace = fetched_kit(tmp_path)
    place = workspace.root / part
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="symbolic link"):
        kept(find_kit("PaddleGAN"), workspace)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(9))
def test_nothing_outside_a_hostile_repository_changes(
    seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert tried(hostile.guarded, 7_000_000 + seed) == ""


def test_the_plants_do_what_they_say(tmp_path: Path) -> None:
    """With git as it is, the program of a planted config runs: what is shown absent can happen."""
    world = hostile.made(tmp_path)
    git(world.kit, "config", "core.fsmonitor", str(world.program))
    git(world.kit, "status")
    assert world.mark.exists()
    assert len(PLANTS) >= 15
