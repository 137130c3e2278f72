from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from codemod.base.errors import UsageError
from codemod.reports.pullrequest.git.export import checkout, export
from codemod.reports.pullrequest.git.repository import opened

if TYPE_CHECKING:
    from pathlib import Path

Git = Callable[..., str]


def test_a_commit_comes_out_byte_for_byte(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "kit"
    (root / "包 dir").mkdir(parents=True)
    files = {
        "a.py": b"# $Id$\r\nx = 1\r\n",
        "包 dir/b.py": "名 = 1".encode(),
        "c.yml": b"\xef\xbb\xbfa: 1\n",
        "d.bin": b"\0",
    }
    for name, data in files.items():
        (root / name).write_bytes(data)
    (root / ".gitattributes").write_text("*.py ident eol=crlf export-ignore\n")
    (root / "c.yml").chmod(0o755)
    (root / "link.py").symlink_to("a.py")
    git(root, "init", "-q")
    for name in files:
        blob = git(root, "hash-object", "-w", "--no-filters", name).strip()
        mode = "100755" if name == "c.yml" else "100644"
        git(root, "update-index", "--add", "--cacheinfo", f"{mode},{blob},{name}")
    git(root, "add", ".gitattributes", "link.py")
    git(root, "commit", "-q", "-m", "start")
    (root / "a.py").write_bytes(b"dirty\n")
    modes = export(opened(root), "HEAD", tmp_path / "out")
    assert modes == {"a.py": "100644", "c.yml": "100755", "包 dir/b.py": "100644"}
    found = {
        str(path.relative_to(tmp_path / "out")): path.read_bytes()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }
    assert found == {name: files[name] for name in modes}


def test_a_checkout_is_its_base_with_the_files_of_the_tip(tmp_path: Path, git: Git) -> None:
    """A run in it is one of the base's revision with these files changed, nothing removed."""
    root = tmp_path / "kit"
    root.mkdir()
    git(root, "init", "-q")
    (root / "a.py").write_text("x = 1\n")
    (root / "link.py").symlink_to("a.py")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    base = git(root, "rev-parse", "HEAD").strip()
    (root / "a.py").write_text("x = 2\n")
    git(root, "commit", "-q", "-a", "-m", "tip")
    out = tmp_path / "out"
    checkout(opened(root), base, "HEAD", out)
    assert git(out, "rev-parse", "HEAD").strip() == base
    assert (out / "a.py").read_text() == "x = 2\n"
    assert git(out, "status", "--porcelain").split() == ["M", "a.py"]


def test_a_checkout_leaves_out_what_the_clone_lacks(tmp_path: Path, git: Git) -> None:
    """Mirrors drop the largest files; the sample data beside them is trained on."""
    root = tmp_path / "kit"
    root.mkdir()
    git(root, "init", "-q")
    for name in ("a.tsv", "big.bin", "z.py"):
        (root / name).write_text(f"{name}\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    blob = git(root, "rev-parse", "HEAD:big.bin").strip()
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    out = tmp_path / "out"
    checkout(opened(root), git(root, "rev-parse", "HEAD").strip(), "HEAD", out)
    assert sorted(p.name for p in out.iterdir()) == [".git", "a.tsv", "z.py"]
    assert git(out, "status", "--porcelain") == ""


def test_a_path_that_leads_out_is_refused(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "kit"
    root.mkdir()
    git(root, "init", "-q")
    (root / "x.py").write_text("x = 1\n")
    blob = git(root, "hash-object", "-w", "x.py").strip()
    import subprocess

    row = f"100644 blob {blob}\tevil.py\0".encode().replace(b"evil.py", b"..")
    inner = subprocess.run(
        ["git", "-C", str(root), "mktree", "-z"], input=row, capture_output=True, check=False
    )
    if inner.returncode:  # this git refuses to make such a tree: write it by hand
        raw = b"100644 ../evil.py\0" + bytes.fromhex(blob)
        inner = subprocess.run(
            ["git", "-C", str(root), "hash-object", "-t", "tree", "-w", "--stdin", "--literally"],
            input=raw,
            capture_output=True,
            check=True,
        )
    tree = inner.stdout.decode().strip()
    commit = git(root, "commit-tree", tree, "-m", "evil").strip()
    out = tmp_path / "a" / "out"
    with pytest.raises(UsageError, match="leads out of the tree"):
        export(opened(root), commit, out, suffixes=("",))
    assert not (tmp_path / "a" / "evil.py").exists()


def test_a_clone_without_the_text_says_so(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "kit"
    root.mkdir()
    git(root, "init", "-q")
    (root / "x.py").write_text("x = 1\n")
    git(root, "add", "x.py")
    git(root, "commit", "-q", "-m", "start")
    blob = git(root, "rev-parse", "HEAD:x.py").strip()
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UsageError, match=r"lacks files .*x\.py"):
        export(opened(root), "HEAD", tmp_path / "out")
    assert not os.path.lexists(tmp_path / "out" / "x.py")
