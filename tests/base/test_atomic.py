from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.base.errors import UsageError
from codemod.base.files.atomic import check_writable, locked, temporary_name, write_atomic

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import pathlib, sys, time
from codemod.base.files.atomic import locked
with locked(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_file_is_replaced_with_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "run.py"
    file.write_bytes(b"old")
    file.chmod(0o751)
    write_atomic(file, b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o751
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_file_has_the_mode_that_the_user_s_mask_gives(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_atomic(tmp_path / "new", b"x")
    finally:
        os.umask(old)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_what_a_killed_run_left_beside_the_file_is_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "f.py"
    temporary_name(file).write_bytes(b"half")
    write_atomic(file, b"whole")
    assert file.read_bytes() == b"whole"
    assert not temporary_name(file).exists()


def test_the_temporary_file_is_never_written_through_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    file = tmp_path / "f.py"
    temporary_name(file).symlink_to(victim)
    write_atomic(file, b"new")
    assert victim.read_bytes() == b"mine"
    assert not file.is_symlink()


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    (tmp_path / "f.py").mkdir()
    (tmp_path / "f.py" / "x").touch()
    with pytest.raises(OSError, match="directory"):
        write_atomic(tmp_path / "f.py", b"new")
    assert [file.name for file in tmp_path.iterdir()] == ["f.py"]


def test_two_runs_exclude_each_other_and_a_dead_one_does_not(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match=r"Another run is changing .*Wait"), locked(tmp_path):
            pass
    finally:
        holder.kill()
        holder.wait()
    with locked(tmp_path):
        assert list(tmp_path.iterdir()) == [], "the lock leaves nothing in the tree"


def test_one_who_waits_gets_the_lock_in_the_end(tmp_path: Path) -> None:
    code = HOLDER.replace("time.sleep(60)", "sys.stdin.read()")
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    assert holder.stdout.readline() == "held\n"
    holder.stdin.close()
    with locked(tmp_path, wait=True):
        pass
    assert holder.wait() == 0
    holder.stdout.close()


def test_a_missing_folder_cannot_be_locked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be opened"), locked(tmp_path / "nowhere"):
        pass


@pytest.mark.parametrize("place", ["lib/f.py", "lib"])
def test_read_only_is_respected_also_by_root(place: str, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "f.py").write_bytes(b"x")
    check_writable(tmp_path, "lib/f.py")
    mode = (tmp_path / place).stat().st_mode
    (tmp_path / place).chmod(mode & ~0o222)
    try:
        with pytest.raises(UsageError, match="read-only"):
            check_writable(tmp_path, "lib/f.py")
    finally:
        (tmp_path / place).chmod(mode)


def test_links_out_of_the_tree_are_refused(tmp_path: Path) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "outside"
    tree.mkdir()
    outside.mkdir()
    (outside / "f.py").write_bytes(b"x")
    (tree / "link.py").symlink_to(outside / "f.py")
    (tree / "lib").symlink_to(outside)
    for path in ("link.py", "lib/f.py", "../outside/f.py"):
        with pytest.raises(UsageError, match="leads out of"):
            check_writable(tree, path)
