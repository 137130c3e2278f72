from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codemod.base.changeset import (
    ChangeSet,
    Edit,
    EditKind,
    EditOrigin,
    FileChange,
    Hook,
    Source,
    Status,
)
from codemod.base.git_state import object_name
from codemod.base.patch.git_patch import file_patch, patch, quoted
from codemod.base.patch.mail import mail, write_patches
from codemod.base.reason import Reason

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINES = st.lists(
    st.sampled_from([b"a\n", b"b\r\n", b"\n", b"    c\n", b"def f():\n", b"\xff\n", b"x\ry\n"]),
    max_size=40,
)
TAILS = st.sampled_from([b"", b"end", b"end\r"])

ODD_FILES = {
    "crlf": (b"a\r\nb\r\nc\r\n", b"a\r\nnew\r\nb\r\nc\r\n"),
    "byte order mark": (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\nnew\nb\n"),
    "tabs": (b"if a:\n\tb\n", b"if a:\n\tnew\n\tb\n"),
    "gbk": ("# 训练\na\n".encode("gbk"), "# 训练\n# 动转静\na\n".encode("gbk")),
    "no last newline": (b"a\nb", b"a\nnew\nb"),
    "last newline added": (b"a\nb", b"a\nb\n"),
    "last newline lost": (b"a\nb\n", b"a\nb"),
    "appended without newline": (b"a\nb", b"a\nb\nc"),
    "bare carriage return": (b"a\rb\nc\n", b"a\rb\nnew\nc\n"),
    "form feed and bell": (b"a\n\x0cb\x07\n", b"a\nnew\n\x0cb\x07\n"),
    "from empty": (b"", b"a\n"),
    "line like a header": (
        b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n",
        b"--- a/x\nnew\n+++ b/x\n@@ -1 +1 @@\n",
    ),
    "far apart": (b"a\n" * 30, b"new\n" + b"a\n" * 30 + b"new\n"),
}


def change_set(root: Path, **changes: tuple[bytes, bytes]) -> ChangeSet:
    made = tuple(FileChange(path, old, new) for path, (old, new) in changes.items())
    return ChangeSet(Source(None, root, None), changes=made)


def git_takes(root: Path, command: list[str], text: bytes) -> None:
    done = subprocess.run(["git", "-C", str(root), *command], input=text, capture_output=True)
    assert done.returncode == 0, done.stderr.decode() + text.decode("utf-8", "replace")


@pytest.mark.parametrize("name", ODD_FILES)
def test_git_applies_the_patch_and_gets_the_new_bytes(name: str, tmp_path: Path) -> None:
    old, new = ODD_FILES[name]
    (tmp_path / "f.py").write_bytes(old)
    text = patch(change_set(tmp_path, **{"f.py": (old, new)}))
    git_takes(tmp_path, ["apply", "--check", "-"], text)
    git_takes(tmp_path, ["apply", "-"], text)
    assert (tmp_path / "f.py").read_bytes() == new
    git_takes(tmp_path, ["apply", "-R", "-"], text)
    assert (tmp_path / "f.py").read_bytes() == old


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(LINES, LINES, TAILS, TAILS)
def test_any_two_files_make_a_patch_that_git_applies(
    tmp_path: Path, old: list[bytes], new: list[bytes], old_tail: bytes, new_tail: bytes
) -> None:
    before, after = b"".join(old) + old_tail, b"".join(new) + new_tail
    file = tmp_path / "f.py"
    file.write_bytes(before)
    text = b"" if before == after else patch(change_set(tmp_path, **{"f.py": (before, after)}))
    if text and after:
        git_takes(tmp_path, ["apply", "-"], text)
        assert file.read_bytes() == after


@pytest.mark.parametrize(
    "name", ["a b.py", "中文.py", 'quote".py', "back\\slash.py", "tab\t.py", "dir/ end /x.py"]
)
def test_odd_file_names_survive(
    name: str, tmp_path: Path, git: Callable[..., str], commit: Callable[[Path], str]
) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"a\n")
    commit(tmp_path)
    text = patch(change_set(tmp_path, **{name: (b"a\n", b"a\nb\n")}))
    git_takes(tmp_path, ["apply", "--index", "-"], text)
    assert file.read_bytes() == b"a\nb\n"


def test_the_patch_is_the_one_git_writes(
    tmp_path: Path, git: Callable[..., str], commit: Callable[[Path], str]
) -> None:
    old = b"import os\n\n\ndef train(model):\n" + b"".join(b"    x%d()\n" % i for i in range(20))
    new = old.replace(b"    x9()\n", b"    x9()\n    hook()\n").replace(
        b"import os\n", b"import io\n"
    )
    file = tmp_path / "train.py"
    file.write_bytes(old)
    file.chmod(0o755)
    commit(tmp_path)
    text = patch(change_set(tmp_path, **{"train.py": (old, new)}))
    file.write_bytes(new)
    assert text.decode() == git(tmp_path, "diff", "--full-index")


def test_blob_hashes_are_git_s(tmp_path: Path, git: Callable[..., str]) -> None:
    (tmp_path / "f").write_bytes(b"\x00\xff\r\n")
    assert object_name(b"\x00\xff\r\n") == git(tmp_path, "hash-object", "f").strip()


def test_plain_names_are_not_quoted() -> None:
    assert quoted("a/ppcls/engine.py") == b"a/ppcls/engine.py"
    assert quoted("a/\udcff") == rb'"a/\377"'


def test_nothing_changed_makes_no_patch(tmp_path: Path) -> None:
    assert patch(change_set(tmp_path)) == mail(change_set(tmp_path)) == b""


def hooked(root: Path, name: str, old: bytes, new: bytes) -> ChangeSet:
    hook = Hook("train", Status.INSERTED, name, "train", 3, "model", "cfg", Reason.said("because"))
    return ChangeSet(
        Source("PaddleSeg", root, "a" * 40, "git"),
        (hook,),
        (Edit(name, EditKind.HOOK, 1, 0, (0,)),),
        (FileChange(name, old, new),),
    )


def test_git_am_takes_the_mail_and_the_tree_is_the_new_one(
    tmp_path: Path, git: Callable[..., str], commit: Callable[[Path], str]
) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    crlf, gbk = (b"a\r\nb\r\n", b"a\r\nnew\r\nb\r\n"), ODD_FILES["gbk"]
    (repository / "crlf.py").write_bytes(crlf[0])
    (repository / "gbk.py").write_bytes(gbk[0])
    commit(repository)
    whole = hooked(repository, "crlf.py", *crlf)
    both = ChangeSet(
        whole.source, whole.hooks, whole.edits, (*whole.changes, FileChange("gbk.py", *gbk))
    )
    mailbox = tmp_path / "seg.patch"
    mailbox.write_bytes(mail(both))
    git_takes(repository, ["apply", "--check", str(mailbox)], b"")
    git(repository, "am", "--keep-cr", "--quiet", str(mailbox))
    assert (repository / "crlf.py").read_bytes() == crlf[1]
    assert (repository / "gbk.py").read_bytes() == gbk[1]
    assert git(repository, "log", "-1", "--format=%s").startswith("Add a switch")
    assert "crlf.py: train: model" in git(repository, "log", "-1", "--format=%b")


def test_the_mail_tells_of_each_edit_and_counts_every_repair(tmp_path: Path) -> None:
    """The subject named one of three repairs, and the body the file of none."""
    (tmp_path / "f.py").write_bytes(b"a\n")
    whole = hooked(tmp_path, "f.py", b"a\n", b"a\nb\n")
    moved = replace(whole.hooks[0], moved_from=9)
    origins = {
        "g.py": EditOrigin(
            Reason.said("`g` is added"), Reason.said("g is\nmended."), Reason.said("g lost")
        ),
        "h.py": EditOrigin(Reason.said("`h` is added"), fix=Reason.said("h lost")),
    }
    edits = [Edit(name, EditKind.PLUMBING, 1, origin=origin) for name, origin in origins.items()]
    made = replace(whole, hooks=(moved,), edits=(*whole.edits, *edits))
    text = mail(made).decode()
    assert "Subject: [PATCH] Fix: g lost (and 1 more repair)\n" in text
    assert "\n\nf.py: train: model\ng.py: g is mended.\nh.py: `h` is added\n---\n" in text
    silent = replace(edits[1], hooks=(0,))  # what a new hook needs goes with it
    assert "h.py" not in mail(replace(made, edits=(*whole.edits, silent))).decode()


def test_a_folder_gets_one_patch_a_kit_and_an_index(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_bytes(b"a\n")
    out = tmp_path / "patches"
    write_patches([hooked(tmp_path, "f.py", b"a\n", b"a\nb\n")], out)
    assert (out / "PaddleSeg.patch").read_bytes().startswith(b"From 0000")
    index = (out / "index.json").read_text()
    assert index.startswith('{\n "PaddleSeg": {\n  "'), "one line a fact, for who compares two"
    assert '"lines_added": 1' in index and "a" * 40 in index


def test_a_kit_without_change_loses_its_old_patch(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_bytes(b"a\n")
    out = tmp_path / "patches"
    whole = hooked(tmp_path, "f.py", b"a\n", b"a\nb\n")
    write_patches([whole], out)
    write_patches([ChangeSet(whole.source)], out)
    assert not (out / "PaddleSeg.patch").exists()
    assert '"sha256": null' in (out / "index.json").read_text()


def test_a_name_with_suffix_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_bytes(b"a\n")
    whole = hooked(tmp_path, "f.py", b"a\n", b"a\nb\n")
    write_patches([whole], tmp_path / "new" / "seg.patch")
    assert (tmp_path / "new" / "seg.patch").read_bytes() == mail(whole)


def test_the_mode_is_in_the_header() -> None:
    text = file_patch(FileChange("run.py", b"a\n", b"b\n"), "100755")
    assert b" 100755\n" in text


def test_names_in_the_index_can_be_read(tmp_path: Path) -> None:
    root = tmp_path / "套件"
    root.mkdir()
    (root / "f.py").write_bytes(b"a\n")
    made = hooked(root, "f.py", b"a\n", b"a\nb\n")
    write_patches([replace(made, source=Source(None, root, None))], tmp_path / "out")
    assert '"套件": {' in (tmp_path / "out" / "index.json").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "套件.patch").is_file()


def test_the_subject_says_whether_the_kit_has_hooks_already(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_bytes(b"a\n")
    whole = hooked(tmp_path, "f.py", b"a\n", b"a\nb\n")
    new = whole.hooks[0]
    moved = replace(new, moved_from=9)

    def subject(*hooks: Hook) -> str:
        lines = mail(replace(whole, hooks=hooks)).decode().splitlines()
        return next(line for line in lines if line.startswith("Subject: "))

    told = [subject(new), subject(moved, new), subject(moved)]
    assert [line.split()[2] for line in told] == ["Add", "Extend", "Complete"], told
    unplaced = replace(new, status=Status.UNPLACED)
    assert subject(moved, unplaced) == subject(moved), "what is not inserted extends nothing"
    inserted, left = (mail(replace(whole, hooks=(hook,))).decode() for hook in (new, unplaced))
    assert f"Made for PaddleSeg at {'a' * 40}. Off by default.\n" in inserted
    assert f"Made for PaddleSeg at {'a' * 40}.\n" in left
