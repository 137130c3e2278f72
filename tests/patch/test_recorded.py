"""What a tree's record says, which trees have one, and where a tree that was moved finds its own."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import ChangeSet, FileChange, Source
from codemod.base.errors import FindingsError
from codemod.base.files.state import JOURNAL, RECORD, known_states
from codemod.base.patch.apply import changed_copy, interrupted
from codemod.base.patch.ledger import (
    DamagedLedgerError,
    Entry,
    Ledger,
    moved_here,
    recorded_trees,
)
from codemod.base.terminal.doing import shown_by

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW, EDITED = b"old\r\n\x00\xff", b"", b"edited\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "kit"
    (root / "sub").mkdir(parents=True)
    for name in ("a.py", "sub/b.py"):
        (root / name).write_bytes(OLD)
    return root


@dataclass(frozen=True)
class Said:
    """Keeps what is said that is being done."""

    texts: list[str]

    def say(self, text: str) -> None:
        self.texts.append(text)

    def hide(self) -> None:
        """Nothing is shown."""


FIRST = Entry("a.py", OLD, NEW, ("1:0", "1:2"))
SECOND = Entry("sub/b.py", OLD, b"new\n")


def test_what_is_recorded_is_read_back(tree: Path) -> None:
    ledger = Ledger.of(tree)
    assert (ledger.entries(), ledger.interrupted(), ledger.recover()) == ((), False, False)
    assert not ledger.folder.exists(), "reading makes nothing"
    ledger.commit([FIRST], [FIRST])
    ledger.commit([SECOND], [SECOND, FIRST])
    assert Ledger.of(tree).entries() == (SECOND, FIRST)
    assert ((tree / "a.py").read_bytes(), (tree / "sub/b.py").read_bytes()) == (NEW, b"new\n")
    assert not ledger.interrupted()
    assert [file.name for file in ledger.folder.iterdir()] == [RECORD]


def test_a_journal_without_its_record_is_a_run_that_was_interrupted(tree: Path) -> None:
    ledger = Ledger.of(tree)
    ledger.commit([FIRST], [FIRST])
    record = (ledger.folder / RECORD).read_bytes()
    # The journal of the run that the record is of: there is nothing to undo.
    (ledger.folder / JOURNAL).write_bytes(record)
    assert not ledger.interrupted()
    assert not ledger.recover()
    assert not (ledger.folder / JOURNAL).exists()
    assert (tree / "a.py").read_bytes() == NEW
    (ledger.folder / RECORD).rename(ledger.folder / JOURNAL)
    assert ledger.interrupted()
    assert ledger.recover()
    assert (tree / "a.py").read_bytes() == OLD
    assert not ledger.interrupted()


def test_a_run_that_was_interrupted_leaves_what_an_earlier_run_did(tree: Path) -> None:
    ledger = Ledger.of(tree)
    ledger.commit([FIRST], [FIRST])
    record = (ledger.folder / RECORD).read_bytes()
    ledger.commit([SECOND], [SECOND, FIRST])
    # The second run as it is before its record takes its place: the record is of the first one.
    journal = json.loads((ledger.folder / RECORD).read_bytes())
    journal["files"] = [one for one in journal["files"] if one["path"] == SECOND.path]
    (ledger.folder / JOURNAL).write_text(json.dumps(journal))
    (ledger.folder / RECORD).write_bytes(record)
    assert ledger.interrupted()
    assert ledger.recover()
    assert ((tree / "a.py").read_bytes(), (tree / "sub/b.py").read_bytes()) == (NEW, OLD)
    assert ledger.entries() == (FIRST,)
    assert not ledger.interrupted()


def test_an_interrupted_run_is_known_where_its_tree_was_moved_to(tree: Path) -> None:
    ledger = Ledger.of(tree)
    assert not interrupted(tree)
    ledger.commit([FIRST], [FIRST])
    assert not interrupted(tree)
    (ledger.folder / RECORD).rename(ledger.folder / JOURNAL)
    assert interrupted(tree)
    moved = tree.rename(tree.parent / "moved")
    assert interrupted(moved)


def test_a_changed_copy_leaves_the_tree_and_its_history(tree: Path) -> None:
    (tree / ".git").mkdir()
    (tree / "link.py").symlink_to("a.py")
    change = ChangeSet(Source(None, tree, None), changes=(FileChange("a.py", OLD, EDITED),))
    said: list[str] = []
    with shown_by(Said(said)):
        place = changed_copy(change, tree.parent / "copy")
    assert said == ["Copying the kit for the fix"], "it may take a minute"
    assert place == tree.parent / "copy"
    assert ((place / "a.py").read_bytes(), (place / "sub/b.py").read_bytes()) == (EDITED, OLD)
    assert (place / "link.py").is_symlink()
    assert not (place / ".git").exists()
    assert (tree / "a.py").read_bytes() == OLD


def test_of_an_interrupted_run_what_was_edited_since_is_kept_aside(tree: Path) -> None:
    ledger = Ledger.of(tree)
    ledger.commit([FIRST, SECOND], [FIRST, SECOND])
    (ledger.folder / RECORD).rename(ledger.folder / JOURNAL)
    (tree / "sub/b.py").write_bytes(EDITED)
    with pytest.raises(FindingsError, match=r"could not be undone in sub/b\.py, edited since"):
        ledger.recover()
    assert ((tree / "a.py").read_bytes(), (tree / "sub/b.py").read_bytes()) == (OLD, EDITED)
    assert (ledger.folder / "unfinished" / "sub" / "b.py").read_bytes() == OLD
    assert not ledger.interrupted(), "it is told once"


def test_trees_that_are_in_their_place_and_have_a_record_are_listed(tree: Path) -> None:
    assert recorded_trees() == ()
    others = [tree.parent / name for name in ("gone", "reverted", "damaged")]
    for other in others:
        shutil.copytree(tree, other)
    for root in (*others, tree):
        Ledger.of(root).commit([FIRST], [FIRST])
    gone, reverted, damaged = others
    shutil.rmtree(gone)
    Ledger.of(reverted).commit([Entry("a.py", NEW, OLD)], [])
    file = Ledger.of(damaged).folder / RECORD
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(DamagedLedgerError):
        Ledger.of(damaged).entries()
    assert set(recorded_trees()) == {tree, damaged}, "whoever names it is told of the damage"
    file.write_bytes(b"{}")
    assert recorded_trees() == (tree,)


@pytest.mark.parametrize(
    ("edit", "found"),
    [
        ({}, True),
        ({"a.py": EDITED}, True),
        ({"a.py": EDITED, "sub/b.py": EDITED}, False),
        ({"a.py": None, "sub/b.py": None}, False),
    ],
)
def test_a_moved_tree_is_known_by_one_file_that_is_as_it_was_written(
    tree: Path, edit: dict[str, bytes | None], found: bool
) -> None:
    Ledger.of(tree).commit([FIRST, SECOND], [FIRST, SECOND])
    moved = tree.rename(tree.parent / "moved")
    assert not interrupted(moved)
    for name, data in edit.items():
        (moved / name).unlink()
        if data is not None:
            (moved / name).write_bytes(data)
    old = Ledger.of(tree).folder
    assert moved_here(moved, RECORD) == (old if found else None)
    assert moved_here(moved, JOURNAL) is None
    if found:
        Ledger.of(moved).adopt(old)
        assert Ledger.of(moved).entries() == (FIRST, SECOND)
        assert [*known_states()] == [Ledger.of(moved).folder]
        assert moved_here(moved, RECORD) is None, "it is its own now"


def test_a_copy_beside_the_tree_has_no_record(tree: Path) -> None:
    Ledger.of(tree).commit([FIRST], [FIRST])
    copy = tree.parent / "copy"
    shutil.copytree(tree, copy)
    assert moved_here(copy, RECORD) is None
    assert moved_here(tree, RECORD) is None


def test_what_fits_by_way_of_a_link_is_not_taken_for_the_moved_tree(tree: Path) -> None:
    Ledger.of(tree).commit([FIRST], [FIRST])
    moved = tree.rename(tree.parent / "moved")
    (moved / "a.py").rename(moved / "real.py")
    (moved / "a.py").symlink_to("real.py")
    assert moved_here(moved, RECORD) is None


def test_of_several_records_the_one_that_fits_is_found(tree: Path) -> None:
    other = tree.parent / "an-earlier-one"
    empty = tree.parent / "an-empty-one"
    for root in (other, empty):
        shutil.copytree(tree, root)
    for root, data in ((other, b"other\n"), (empty, NEW), (tree, NEW)):
        written = Entry("a.py", OLD, data)
        Ledger.of(root).commit([written], [written])
    Ledger.of(empty).commit([], [])
    damaged = Ledger.of(other).folder.with_name("a-damaged-one")
    shutil.copytree(Ledger.of(other).folder, damaged)
    (damaged / RECORD).write_bytes((damaged / RECORD).read_bytes()[:-20])
    for root in (other, empty):
        shutil.rmtree(root)
    old = Ledger.of(tree).folder
    assert moved_here(tree.rename(tree.parent / "moved"), RECORD) == old
