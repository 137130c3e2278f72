from __future__ import annotations

import multiprocessing
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.changeset import ChangeSet, FileChange, Source
from codemod.base.errors import FindingsError, UsageError
from codemod.base.files import atomic as store
from codemod.base.files.atomic import locked
from codemod.base.patch.apply import Reverted, apply_changes, recover, revert
from codemod.base.patch.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Snapshot = Callable[[Path], dict[str, tuple[bytes, int]]]

FILES = {
    "plain.py": b"one\ntwo\nthree\n",
    "crlf.py": b"one\r\ntwo\r\nthree\r\n",
    "bom.py": b"\xef\xbb\xbfone\ntwo\nthree\n",
    "tabs.py": b"if one:\n\ttwo\n\tthree\n",
    "gbk.py": "# 训练\none\ntwo\nthree".encode("gbk"),
    "deep/er/mixed.py": b"one\r\ntwo\rthree\n\x0cfour",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "kit"
    for name, data in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    (root / "plain.py").chmod(0o755)
    return root


def hooked(data: bytes, line: bytes = b"hook()") -> bytes:
    """The file with one more line after its second."""
    lines = data.split(b"\n")
    return b"\n".join([*lines[:2], line, *lines[2:]])


def change(root: Path, *names: str, line: bytes = b"hook()") -> ChangeSet:
    changes = []
    for name in names:
        now = (root / name).read_bytes()
        changes.append(FileChange(name, now, hooked(now, line)))
    return ChangeSet(Source(None, root, None), changes=tuple(changes))


def apply(root: Path, *names: str, line: bytes = b"hook()", allow_dirty: bool = True) -> None:
    apply_changes(change(root, *names, line=line), allow_dirty=allow_dirty)


def undo(root: Path) -> Reverted:
    return revert(Source(None, root, None))


def test_revert_gives_back_every_byte_and_mode(tree: Path, snapshot: Snapshot) -> None:
    before = snapshot(tree)
    apply(tree, *FILES)
    after = snapshot(tree)
    assert all(after[name][0] == hooked(data) for name, data in FILES.items())
    assert {name: mode for name, (_, mode) in after.items()} == {
        name: mode for name, (_, mode) in before.items()
    }
    assert set(undo(tree).restored) == set(FILES)
    assert snapshot(tree) == before
    assert undo(tree) == Reverted()


def test_a_change_set_without_changes_does_nothing(tree: Path) -> None:
    apply(tree)
    assert not Ledger.of(tree).folder.exists()


def test_later_runs_add_up_and_one_revert_takes_all(tree: Path, snapshot: Snapshot) -> None:
    before = snapshot(tree)
    apply(tree, "plain.py", "crlf.py")
    apply(tree, "plain.py", "tabs.py", line=b"second()")
    assert set(undo(tree).restored) == {"plain.py", "crlf.py", "tabs.py"}
    assert snapshot(tree) == before


def test_the_record_is_kept_when_a_second_run_finds_nothing_to_do(
    tree: Path, snapshot: Snapshot
) -> None:
    before = snapshot(tree)
    apply(tree, "plain.py")
    apply(tree)
    undo(tree)
    assert snapshot(tree) == before


def test_files_that_the_user_brought_back_are_not_said_to_be_reverted(tree: Path) -> None:
    before = {name: (tree / name).read_bytes() for name in FILES}
    apply(tree, *FILES)
    for name, data in before.items():
        (tree / name).write_bytes(data)
    done = undo(tree)
    assert (done.restored, done.merged) == ((), ())
    assert set(done.without) == set(FILES)
    assert undo(tree) == Reverted()


def test_nothing_is_kept_after_a_revert(tree: Path) -> None:
    apply(tree, *FILES)
    undo(tree)
    ledger = Ledger.of(tree)
    assert ledger.entries() == ()
    assert [file.name for file in ledger.folder.iterdir()] == ["record.json"]


def test_a_user_s_edits_stay_and_our_lines_go(tree: Path) -> None:
    file = tree / "plain.py"
    file.write_bytes(b"".join(b"line %d\n" % i for i in range(20)))
    apply(tree, "plain.py")
    file.write_bytes(file.read_bytes().replace(b"line 15\n", b"edited\nmore\n"))
    assert undo(tree) == Reverted(merged=("plain.py",))
    assert file.read_bytes() == b"".join(b"line %d\n" % i for i in range(20)).replace(
        b"line 15\n", b"edited\nmore\n"
    )
    assert undo(tree) == Reverted()


def test_edits_between_two_runs_are_kept(tree: Path) -> None:
    file = tree / "crlf.py"
    original = b"".join(b"line %d\r\n" % i for i in range(30))
    file.write_bytes(original)
    apply(tree, "crlf.py", line=b"first()\r")
    file.write_bytes(file.read_bytes().replace(b"line 15\r\n", b"edited\r\n"))
    now = file.read_bytes()
    new = now.replace(b"line 25\r\n", b"line 25\r\nsecond()\r\n")
    second = ChangeSet(Source(None, tree, None), changes=(FileChange("crlf.py", now, new),))
    apply_changes(second, allow_dirty=True)
    assert undo(tree).conflicts == ()
    assert file.read_bytes() == original.replace(b"line 15\r\n", b"edited\r\n")


def test_an_edit_of_our_own_lines_is_left_to_the_user(tree: Path, snapshot: Snapshot) -> None:
    apply(tree, "plain.py", "tabs.py")
    file = tree / "plain.py"
    edited = file.read_bytes().replace(b"hook()", b"hook(model)")
    file.write_bytes(edited)
    done = undo(tree)
    assert done == Reverted(restored=("tabs.py",), conflicts=("plain.py",))
    assert file.read_bytes() == edited
    file.write_bytes(hooked(FILES["plain.py"]))
    assert undo(tree).restored == ("plain.py",), "the record was kept"
    assert file.read_bytes() == FILES["plain.py"]


def test_files_that_the_user_put_back_or_deleted_are_no_trouble(tree: Path) -> None:
    apply(tree, "plain.py", "tabs.py")
    (tree / "plain.py").write_bytes(FILES["plain.py"])
    (tree / "tabs.py").unlink()
    done = undo(tree)
    assert done.missing == ("tabs.py",)
    assert done.conflicts == ()
    assert (tree / "plain.py").read_bytes() == FILES["plain.py"]
    assert undo(tree) == Reverted()


def test_a_dirty_file_stops_the_run_before_anything_is_written(
    tree: Path, commit: Callable[[Path], str], snapshot: Snapshot
) -> None:
    commit(tree)
    (tree / "crlf.py").write_bytes(b"edited\r\nby\r\nhand\r\n")
    before = snapshot(tree)
    with pytest.raises(UsageError, match=r"not committed: crlf.py\. .*--allow-dirty"):
        apply(tree, "plain.py", "crlf.py", allow_dirty=False)
    assert snapshot(tree) == before
    apply(tree, "plain.py", allow_dirty=False)
    apply(tree, "crlf.py", allow_dirty=True)
    undo(tree)
    assert snapshot(tree) == before


def test_our_own_lines_do_not_make_a_file_dirty(
    tree: Path, commit: Callable[[Path], str], snapshot: Snapshot
) -> None:
    commit(tree)
    before = snapshot(tree)
    apply(tree, "plain.py", allow_dirty=False)
    apply(tree, "plain.py", line=b"second()", allow_dirty=False)
    undo(tree)
    assert snapshot(tree) == before


@pytest.mark.parametrize("place", ["crlf.py", "."])
def test_a_read_only_tree_is_told_and_left(place: str, tree: Path, snapshot: Snapshot) -> None:
    before = snapshot(tree)
    mode = (tree / place).stat().st_mode
    (tree / place).chmod(mode & ~0o222)
    try:
        with pytest.raises(UsageError, match="read-only"):
            apply(tree, "plain.py", "crlf.py")
    finally:
        (tree / place).chmod(mode)
    assert snapshot(tree) == before


def test_a_file_changed_since_the_plan_is_not_overwritten(tree: Path) -> None:
    planned = change(tree, "plain.py", "crlf.py")
    (tree / "crlf.py").write_bytes(b"changed\n")
    with pytest.raises(UsageError, match="changed after"):
        apply_changes(planned, allow_dirty=True)
    assert (tree / "plain.py").read_bytes() == FILES["plain.py"]


def test_a_file_removed_since_the_plan_is_told(tree: Path) -> None:
    planned = change(tree, "plain.py", "crlf.py")
    (tree / "crlf.py").unlink()
    with pytest.raises(UsageError, match="is gone"):
        apply_changes(planned, allow_dirty=True)
    assert (tree / "plain.py").read_bytes() == FILES["plain.py"]


def test_a_locked_tree_is_left_alone(tree: Path) -> None:
    with locked(tree):
        with pytest.raises(UsageError, match="Another run"):
            apply(tree, "plain.py")
        with pytest.raises(UsageError, match="Another run"):
            undo(tree)
    assert (tree / "plain.py").read_bytes() == FILES["plain.py"]


def die_at(left: int, job: Callable[[], object]) -> None:
    """Do the job, but die just before its n-th flush, renaming or removal of a file."""

    def deadly(real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)

        return call

    for owner, name in ((os, "fsync"), (os, "replace"), (os, "unlink")):
        setattr(owner, name, deadly(getattr(owner, name)))
    job()


def killed(root: Path, left: int, job: str = "apply") -> int | None:
    """The exit code of a child process that applies or reverts and is killed on its way."""

    def work() -> None:
        undo(root) if job == "revert" else apply(root, *FILES)

    # Forked: a hundred children in a row would else each pay for starting Python.
    child = multiprocessing.get_context("fork").Process(target=die_at, args=(left, work))
    child.start()
    child.join()
    return child.exitcode


def interrupt(root: Path, snapshot: Snapshot) -> None:
    """Have an apply killed when it has replaced some of the files and not all."""
    before = snapshot(root)
    for left in range(1, 100):
        assert killed(root, left) == -signal.SIGKILL
        now = {name: seen for name, seen in snapshot(root).items() if name in before}
        if sum(now[name] != before[name] for name in before) == 2:
            return
        recover(root)
    raise AssertionError


def test_killed_at_any_moment_apply_is_undone_by_the_next_run(
    tree: Path, snapshot: Snapshot
) -> None:
    before = snapshot(tree)
    seen: set[bool] = set()
    for left in range(1, 100):
        code = killed(tree, left)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        touched = snapshot(tree) != before
        final = bool(Ledger.of(tree).entries())
        seen.add(touched and not final)
        recover(tree)
        if final:
            assert undo(tree).conflicts == ()
        assert snapshot(tree) == before, left
        assert not recover(tree)
    assert seen == {True, False}
    assert left > 3 * len(FILES)
    undo(tree)
    assert snapshot(tree) == before


def test_killed_at_any_moment_revert_can_be_done_again(tree: Path, snapshot: Snapshot) -> None:
    before = snapshot(tree)
    for left in range(1, 100):
        apply(tree, *FILES)
        applied = snapshot(tree)
        if killed(tree, left, "revert") == 0:
            break
        recover(tree)
        assert snapshot(tree) in (applied, before), left
        undo(tree)
        assert snapshot(tree) == before, left
    assert left > 3 * len(FILES)
    assert snapshot(tree) == before


def test_revert_itself_repairs(tree: Path, snapshot: Snapshot) -> None:
    before = snapshot(tree)
    interrupt(tree, snapshot)
    assert undo(tree) == Reverted()
    assert snapshot(tree) == before


def test_apply_itself_repairs(tree: Path, snapshot: Snapshot) -> None:
    before = snapshot(tree)
    planned = change(tree, *FILES)
    interrupt(tree, snapshot)
    apply_changes(planned, allow_dirty=True)
    undo(tree)
    assert snapshot(tree) == before


def test_a_file_edited_after_the_kill_is_named_and_left(tree: Path, snapshot: Snapshot) -> None:
    interrupt(tree, snapshot)
    first = next(iter(FILES))
    (tree / first).write_bytes(b"edited by hand\n")
    with pytest.raises(
        FindingsError, match=rf"could not be undone in {first}, edited since"
    ) as caught:
        recover(tree)
    assert (tree / first).read_bytes() == b"edited by hand\n"
    rest = [name for name in FILES if name != first]
    assert all((tree / name).read_bytes() == FILES[name] for name in rest)
    kept = Ledger.of(tree).folder / "unfinished"
    assert str(kept) in caught.value.remedy
    assert (kept / first).read_bytes() == FILES[first]
    assert not recover(tree)


def test_a_full_disk_is_noticed_before_a_file_is_touched(
    tree: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(tree)
    real = store._stage

    def full(place: Any, data: bytes) -> None:
        if place.name == "tabs.py":
            raise OSError(28, "No space left on device", place.name)
        real(place, data)

    monkeypatch.setattr(store, "_stage", full)
    with pytest.raises(UsageError, match=r"tabs.py cannot be written \(No space left"):
        apply(tree, *FILES)
    assert snapshot(tree) == before
    assert not Ledger.of(tree).interrupted()


def test_a_failure_half_way_undoes_what_was_written(
    tree: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(tree)
    real = os.replace
    failed: list[str] = []

    def broken(source: str, target: str, **folders: int) -> None:
        if target == "tabs.py" and not failed:
            failed.append(target)
            assert snapshot(tree) != before
            raise OSError(5, "Input/output error", target)
        real(source, target, **folders)

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(UsageError, match=r"tabs.py cannot be written .*every file is as it was"):
        apply(tree, *FILES)
    assert failed
    assert snapshot(tree) == before


def test_a_disk_that_fails_for_good_is_told_and_undone_later(
    tree: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(tree)
    real = os.replace
    failing = False

    def broken(source: str, target: str, **folders: int) -> None:
        nonlocal failing
        failing = failing or target == "tabs.py"
        if failing:
            raise OSError(5, "Input/output error", target)
        real(source, target, **folders)

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(
        FindingsError,
        match=r"Writing failed .*so did undoing .*hold the new lines: plain.py, crlf.py, bom.py",
    ):
        apply(tree, *FILES)
    assert snapshot(tree) != before
    monkeypatch.setattr(os, "replace", real)
    assert recover(tree)
    assert snapshot(tree) == before


def test_two_trees_have_two_records(tmp_path: Path, tree: Path) -> None:
    other = tmp_path / "elsewhere" / "kit"
    other.mkdir(parents=True)
    (other / "plain.py").write_bytes(FILES["plain.py"])
    apply(tree, "plain.py")
    apply(other, "plain.py")
    undo(tree)
    assert (other / "plain.py").read_bytes() == hooked(FILES["plain.py"])


def test_one_tree_by_two_names_has_one_record(tmp_path: Path, tree: Path) -> None:
    (tmp_path / "link").symlink_to(tree)
    apply(tmp_path / "link", "plain.py")
    assert undo(tree).restored == ("plain.py",)
