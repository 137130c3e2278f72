from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from codemod.base.errors import UsageError
from codemod.base.files.state import make_state, state_root
from codemod.base.files.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_workspace_hides_itself_from_git(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "ws")
    assert not workspace.root.exists()
    workspace.make("kits")
    assert (workspace.root / ".gitignore").read_text() == "*\n"


def test_a_workspace_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "ws").symlink_to("there")
    with pytest.raises(UsageError, match=r"is a symbolic link\. .*--workspace"):
        Workspace.at(tmp_path / "ws")
    assert list((tmp_path / "there").iterdir()) == []


def test_a_link_in_the_workspace_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "logs").symlink_to(tmp_path / "there")
    with pytest.raises(UsageError, match=r"logs in the workspace is a symbolic link"):
        Workspace.at(tmp_path / "ws").make("logs", "deeper")
    assert list((tmp_path / "there").iterdir()) == []


def test_a_workspace_that_came_with_a_repository_is_refused(
    tmp_path: Path, git: Callable[..., str]
) -> None:
    git(tmp_path, "init", "--quiet")
    place = tmp_path / ".codemod"
    place.mkdir()
    (place / "note").write_text("x\n")
    Workspace.at(place)
    git(tmp_path, "add", "--force", ".codemod/note")
    with pytest.raises(UsageError, match=r"is tracked by git"):
        Workspace.at(place)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_workspace_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "ws"
    place.mkdir()
    os.chown(place, 12345, -1)
    monkeypatch.delenv("SUDO_UID", raising=False)
    with pytest.raises(UsageError, match="belongs to another user"):
        Workspace.at(place)
    monkeypatch.setenv("SUDO_UID", "12345")
    assert Workspace.at(place).root == place


def test_the_state_folder_is_the_user_s_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = tmp_path / "kit"
    kit.mkdir()
    assert make_state("trees", outside=kit).stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("XDG_STATE_HOME", str(kit / "inside"))
    with pytest.raises(UsageError, match="lies inside"):
        make_state("trees", outside=kit)
    assert list(kit.iterdir()) == []
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert state_root() == tmp_path / "home" / ".local" / "state" / "codemod"


@pytest.mark.parametrize("fault", ["link", "open to all", "file"])
def test_a_state_folder_that_others_may_change_is_refused(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    (tmp_path / "there").mkdir()
    state.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    if fault == "link":
        (state / "codemod").symlink_to(tmp_path / "there")
    elif fault == "file":
        (state / "codemod").write_text("")
    else:
        (state / "codemod").mkdir()
        (state / "codemod").chmod(0o777)
    with pytest.raises(UsageError, match="XDG_STATE_HOME"):
        make_state("trees", outside=tmp_path / "kit")
    assert list((tmp_path / "there").iterdir()) == []
