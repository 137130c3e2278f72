"""Notes that are damaged, planted, or about something else; files that belong together."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Source
from codemod.base.errors import FindingsError, UsageError
from codemod.base.files.state import make_state
from codemod.base.patch.apply import Reverted, apply_changes, revert
from codemod.base.patch.ledger import DamagedLedgerError, Ledger
from codemod.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable

    Snapshot = Callable[[Path], dict[str, tuple[bytes, int]]]

LINES = b"".join(b"line %d\n" % n for n in range(20))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "kit"
    root.mkdir()
    for name in ("a.py", "b.py", "c.py", "d.py"):
        (root / name).write_bytes(LINES)
    return root


def changes(root: Path, *uses: tuple[str, tuple[int, ...]]) -> ChangeSet:
    """A line into each file; `uses` are the hooks that need it."""
    return ChangeSet(
        Source(None, root, None),
        edits=tuple(Edit(name, EditKind.HOOK, 1, hooks=hooks) for name, hooks in uses),
        changes=tuple(
            FileChange(name, LINES, LINES.replace(b"line 9\n", b"line 9\nhook\n"))
            for name, _ in uses
        ),
    )


def undo(root: Path) -> Reverted:
    return revert(Source(None, root, None))


def test_files_of_one_hook_are_taken_out_together_or_not_at_all(tree: Path) -> None:
    # b.py and c.py hang together over hook 1, a.py and b.py over hook 0; d.py stands alone.
    given = changes(tree, ("a.py", (0,)), ("b.py", (0, 1)), ("c.py", (1,)), ("d.py", (2,)))
    apply_changes(given, allow_dirty=True)
    edited = (tree / "c.py").read_bytes().replace(b"hook\n", b"hook(edited)\n")
    (tree / "c.py").write_bytes(edited)
    done = undo(tree)
    assert done == Reverted(restored=("d.py",), conflicts=("c.py",), kept=("a.py", "b.py"))
    assert b"hook\n" in (tree / "a.py").read_bytes()
    assert b"hook\n" in (tree / "b.py").read_bytes()
    assert (tree / "c.py").read_bytes() == edited
    assert (tree / "d.py").read_bytes() == LINES
    (tree / "c.py").write_bytes(edited.replace(b"hook(edited)\n", b"hook\n"))
    assert set(undo(tree).restored) == {"a.py", "b.py", "c.py"}, "the record was kept"
    assert {file.read_bytes() for file in tree.iterdir()} == {LINES}


def test_runs_number_their_hooks_apart(tree: Path) -> None:
    apply_changes(changes(tree, ("a.py", (0,))), allow_dirty=True)
    apply_changes(changes(tree, ("b.py", (0,))), allow_dirty=True)
    (tree / "a.py").write_bytes(LINES.replace(b"line 9\n", b"line 9\nhook(edited)\n"))
    assert undo(tree) == Reverted(restored=("b.py",), conflicts=("a.py",))


def test_a_file_gone_is_no_reason_to_leave_the_others(tree: Path) -> None:
    apply_changes(changes(tree, ("a.py", (0,)), ("b.py", (0,))), allow_dirty=True)
    (tree / "a.py").unlink()
    assert undo(tree) == Reverted(restored=("b.py",), missing=("a.py",))
    assert undo(tree) == Reverted()


def note(tree: Path, **other: Any) -> bytes:
    def packed(data: bytes) -> str:
        return base64.b85encode(zlib.compress(data)).decode()

    file = {"path": "a.py", "groups": [], "before": packed(b"evil\n"), "after": packed(LINES)}
    content = {"version": 2, "root": str(tree), "run": "x", "files": [file]}
    content.update({key: value for key, value in other.items() if key not in file})
    file.update({key: value for key, value in other.items() if key in file})
    return json.dumps(content).encode()


def damaged(tree: Path) -> dict[str, bytes]:
    return {
        "empty": b"",
        "binary": b"\x00\xff\xfe" * 40,
        "list": b"[]",
        "number": b"1",
        "null": b"null",
        "nested": b"[" * 100_000,
        "cut off": note(tree)[:-30],
        "other root": note(tree, root="/somewhere/else"),
        "other version": note(tree, version=1),
        "no version": b'{"root": "/"}',
        "bad base85": note(tree, before="\x7f~~~"),
        "bad zlib": note(tree, before=base64.b85encode(b"nothing").decode()),
        "not text": note(tree, before=7),
        "absolute": note(tree, path=str(tree / "a.py")),
        "upwards": note(tree, path="../kit/a.py"),
        "no path": note(tree, path=""),
        "nul": note(tree, path="a\0.py"),
        "path of a list": note(tree, path=["a.py"]),
        "files of text": note(tree, files="abc"),
    }


@pytest.mark.parametrize("name", ["journal.json", "record.json"])
@pytest.mark.parametrize("kind", sorted(damaged(Path("kit"))))
def test_a_damaged_note_is_one_sentence_and_nothing_is_undone(
    kind: str,
    name: str,
    tree: Path,
    snapshot: Snapshot,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tree / "train.py").write_bytes(b"import paddle\n")
    before = snapshot(tree)
    folder = make_state("trees", Ledger.of(tree).folder.name, outside=tree)
    (folder / name).write_bytes(damaged(tree)[kind])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DamagedLedgerError, match=r"cannot be used: .*delete that note"):
        undo(tree)
    assert run(["revert", str(tree)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(folder / name) in said
    assert run(["diff", str(tree)]) == 0, "reading goes on"
    assert "bug in codemod" not in capsys.readouterr().err
    assert snapshot(tree) == before


def test_a_note_that_fits_is_undone(tree: Path) -> None:
    """The counterpart of the above: the notes are refused for what is wrong in them alone."""
    folder = make_state("trees", Ledger.of(tree).folder.name, outside=tree)
    (folder / "journal.json").write_bytes(note(tree))
    assert Ledger.of(tree).recover()
    assert (tree / "a.py").read_bytes() == b"evil\n"


def test_a_link_that_took_a_file_s_place_is_not_followed(tree: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_bytes(LINES)
    folder = make_state("trees", Ledger.of(tree).folder.name, outside=tree)
    (folder / "journal.json").write_bytes(note(tree, path="sub/a.py"))
    (tree / "sub").symlink_to(outside)
    with pytest.raises(FindingsError, match=r"could not be undone in sub/a.py"):
        Ledger.of(tree).recover()
    assert (outside / "a.py").read_bytes() == LINES
    assert [file.name for file in outside.iterdir()] == ["a.py"]


def test_hard_links_are_refused_and_modes_are_kept(tree: Path, tmp_path: Path) -> None:
    (tree / "b.py").chmod(0o6755)
    apply_changes(changes(tree, ("b.py", (0,))), allow_dirty=True)
    assert (tree / "b.py").stat().st_mode & 0o7777 == 0o6755
    assert undo(tree).restored == ("b.py",)
    assert (tree / "b.py").stat().st_mode & 0o7777 == 0o6755
    (tmp_path / "other").hardlink_to(tree / "a.py")
    with pytest.raises(UsageError, match=r"a.py is one of several names of one file"):
        apply_changes(changes(tree, ("b.py", (0,)), ("a.py", (0,))), allow_dirty=True)
    assert {file.read_bytes() for file in tree.iterdir()} == {LINES}


def test_a_planted_workspace_record_is_named_and_not_used(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "train.py").write_bytes(b"import paddle\n")
    monkeypatch.chdir(tmp_path)
    old = tmp_path / ".codemod" / "trees" / Ledger.of(tree).folder.name
    old.mkdir(parents=True)
    for name in ("record.json", "journal.json"):
        (old / name).write_bytes(note(tree, version=1))
    assert run(["diff", str(tree)]) == 0
    assert run(["revert", str(tree)]) == 1
    assert "is the record of an earlier version. It is not used" in capsys.readouterr().err
    assert (tree / "a.py").read_bytes() == LINES


def test_a_corrupt_index_stops_the_run(tree: Path, commit: Callable[[Path], str]) -> None:
    commit(tree)
    (tree / ".git" / "index").write_bytes(b"DIRC nonsense")
    with pytest.raises(UsageError, match=r"git cannot read the repository .*--allow-dirty"):
        apply_changes(changes(tree, ("a.py", (0,))), allow_dirty=False)
    assert (tree / "a.py").read_bytes() == LINES
