"""State that others could have written is not read, and no planted kit is taken for a fetched one."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.files.state import JOURNAL, state_root
from codemod.base.files.workspace import Workspace
from codemod.base.patch.apply import recover, revert
from codemod.base.patch.ledger import Entry, Ledger
from codemod.kits.catalogue import find_kit
from codemod.kits.sources.fetch import kept
from codemod.kits.sources.provenance import is_own, note_fetched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def half(minikit: Path) -> Path:
    """A tree whose journal would replace a file by the attacker's."""
    file = minikit / "tools" / "train.py"
    ledger = Ledger.of(minikit)
    data = file.read_bytes()
    ledger.commit([Entry("tools/train.py", data, data)], [])
    ledger._write(JOURNAL, "run", [Entry("tools/train.py", b"attacker's\n", data)])
    return minikit


def levels(tree: Path) -> list[Path]:
    folder = Ledger.of(tree).folder
    return [folder / JOURNAL, folder, folder.parent, state_root(), state_root().parent]


def refused(tree: Path) -> None:
    before = (tree / "tools" / "train.py").read_bytes()
    for replay in (recover, lambda root: revert(Source("MiniKit", root, None))):
        with pytest.raises(UsageError, match=r"belongs to another user|veryone may write|link"):
            replay(tree)
    assert (tree / "tools" / "train.py").read_bytes() == before


@pytest.mark.parametrize("level", range(5))
def test_state_that_everyone_may_write_is_not_replayed(half: Path, level: int) -> None:
    place = levels(half)[level]
    place.chmod(place.stat().st_mode | 0o002)
    refused(half)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
@pytest.mark.parametrize("level", range(5))
def test_state_of_another_user_is_not_replayed(half: Path, level: int) -> None:
    os.chown(levels(half)[level], 12345, 12345)
    refused(half)


def test_a_link_to_a_journal_is_not_replayed(half: Path, tmp_path: Path) -> None:
    journal = levels(half)[0]
    journal.rename(tmp_path / "journal")
    journal.symlink_to(tmp_path / "journal")
    refused(half)


def test_one_s_own_is_replayed(half: Path) -> None:
    assert recover(half)
    assert (half / "tools" / "train.py").read_bytes() == b"attacker's\n"


@pytest.fixture
def planted(
    tmp_path: Path, minikit: Path, commit: Callable[[Path], str]
) -> tuple[Path, Workspace, str]:
    """A workspace that came with a folder, with a clone of a kit in it."""
    revision = commit(minikit)
    workspace = Workspace.at(tmp_path / "workspace")
    workspace.make("kits")
    folder = workspace.kits() / "PaddleGAN"
    minikit.rename(folder)
    note = {"origin": "git", "revision": revision, "root": "."}
    (folder / ".git" / "codemod.json").write_text(json.dumps(note))
    return folder, workspace, revision


def test_what_its_commit_proves_is_used(planted: tuple[Path, Workspace, str]) -> None:
    folder, workspace, _ = planted
    copy = kept(find_kit("PaddleGAN"), workspace)
    assert copy is not None
    assert copy.root == folder


def _edit(folder: Path) -> None:
    (folder / "tools" / "train.py").write_text("evil\n")


def _add(folder: Path) -> None:
    (folder / "tools" / "evil.py").write_text("evil\n")


def _hide(folder: Path) -> None:
    _add(folder)
    (folder / ".git" / "info" / "exclude").write_text("evil.py\n")


def _link(folder: Path) -> None:
    (folder / "tools" / "train.py").unlink()
    (folder / "tools" / "train.py").symlink_to("/etc/passwd")


def _forge(folder: Path) -> None:
    """An object under another one's name: git itself does not look at names when it reads trees."""
    import subprocess
    import zlib

    say = ["git", "-C", str(folder), "rev-parse", "HEAD^{tree}"]
    name = subprocess.run(say, capture_output=True, text=True, check=True).stdout.strip()
    (folder / "tools" / "train.py").write_text("evil\n")
    (folder / "evil.py").write_text("evil\n")
    run = ["git", "-C", str(folder)]
    subprocess.run([*run, "add", "-A"], check=True)
    made = subprocess.run([*run, "write-tree"], capture_output=True, text=True, check=True)
    tree = made.stdout.strip()
    source = folder / ".git" / "objects" / tree[:2] / tree[2:]
    target = folder / ".git" / "objects" / name[:2] / name[2:]
    target.chmod(0o644)
    target.write_bytes(source.read_bytes())
    assert zlib.decompress(target.read_bytes()).startswith(b"tree")


@pytest.mark.parametrize("change", [_edit, _add, _hide, _link, _forge])
def test_what_is_not_its_commit_is_refused(
    planted: tuple[Path, Workspace, str], change: Callable[[Path], None]
) -> None:
    folder, workspace, _ = planted
    change(folder)
    with pytest.raises(UsageError, match="you did not fetch it"):
        kept(find_kit("PaddleGAN"), workspace)


def test_what_this_user_fetched_may_be_edited_and_nothing_put_in_its_place(
    planted: tuple[Path, Workspace, str], tmp_path: Path
) -> None:
    folder, _, revision = planted
    note_fetched(folder, "git", revision)
    _edit(folder)
    assert is_own(folder, "git", revision)
    assert not is_own(folder, "package", "1.0")
    folder.rename(tmp_path / "own")
    folder.mkdir()
    assert not is_own(folder, "git", revision)


def test_a_package_without_a_record_is_refused(planted: tuple[Path, Workspace, str]) -> None:
    folder, _, _ = planted
    assert not is_own(folder, "package", "1.0")
