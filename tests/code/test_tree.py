from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from codemod.base.git_state import dirty_files, head_revision, tracked_files
from codemod.code.project import Project
from codemod.code.tree import Tree, mentions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def put(root: Path, **files: bytes) -> None:
    for name, data in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    root = tmp_path / "kit"
    root.mkdir()
    put(
        root,
        **{
            "a.py": b"model = DataParallel(model)\n",
            "lib/b.py": b"to_static\n",
            "lib/c.yml": b"to_static: false\n",
            "lib/d.py": b"nothing\n",
        },
    )
    return root


def test_a_plain_folder_is_walked_without_what_is_not_the_kit_s(kit: Path) -> None:
    put(
        kit,
        **{
            ".git/hooks/x.py": b"",
            "__pycache__/a.py": b"",
            "node_modules/x/y.py": b"",
            "env/pyvenv.cfg": b"",
            "env/lib/z.py": b"",
            ".codemod/kits/catalogue/k.py": b"",
        },
    )
    assert Tree(kit).paths(".py") == ["a.py", "lib/b.py", "lib/d.py"]
    assert Tree(kit).paths((".py", ".yml")) == ["a.py", "lib/b.py", "lib/c.yml", "lib/d.py"]


def test_a_work_tree_has_its_tracked_files_alone(
    kit: Path, commit: Callable[[Path], str], git: Callable[..., str]
) -> None:
    (kit / "link.py").symlink_to("a.py")
    commit(kit)
    put(kit, **{"scratch.py": b"to_static\n", "build/out.py": b"to_static\n"})
    (kit / "lib/d.py").unlink()
    assert Tree(kit).paths(".py") == ["a.py", "lib/b.py"]
    assert Tree(kit).grep(b"nothing") == []
    assert Tree(kit).grep(b"to_static") == ["lib/b.py"]


def test_a_sparse_checkout_has_what_is_checked_out(
    kit: Path, commit: Callable[[Path], str], git: Callable[..., str]
) -> None:
    commit(kit)
    git(kit, "sparse-checkout", "set", "--no-cone", "*.yml")
    assert Tree(kit).paths() == ["lib/c.yml"]


def test_a_repository_without_commits_is_walked(kit: Path, git: Callable[..., str]) -> None:
    git(kit, "init", "--quiet")
    assert Tree(kit).paths(".py") == ["a.py", "lib/b.py", "lib/d.py"]
    assert head_revision(kit) is None


def test_a_folder_ignored_by_an_outer_repository_is_walked(
    kit: Path, commit: Callable[[Path], str]
) -> None:
    put(kit, **{".gitignore": b"*\n", "inner/x.py": b"to_static\n"})
    commit(kit.parent)
    assert Tree(kit / "inner").paths() == ["x.py"]
    assert head_revision(kit / "inner") is None


def test_links_are_not_followed(kit: Path, tmp_path: Path) -> None:
    put(tmp_path, **{"outside/secret.py": b"to_static\n"})
    (kit / "out.py").symlink_to(tmp_path / "outside/secret.py")
    (kit / "out").symlink_to(tmp_path / "outside")
    (kit / "loop").symlink_to(kit)
    tree = Tree(kit)
    assert tree.paths(".py") == ["a.py", "lib/b.py", "lib/d.py"]
    for name in ("out.py", "out/secret.py", "lib/../../outside/secret.py", "lib"):
        with pytest.raises(FileNotFoundError):
            tree.read(name)


def test_a_tracked_folder_that_became_a_link_is_not_followed(
    kit: Path, tmp_path: Path, commit: Callable[[Path], str]
) -> None:
    commit(kit)
    (kit / "lib").rename(tmp_path / "moved")
    (kit / "lib").symlink_to(tmp_path / "moved")
    assert Tree(kit).grep(b"to_static") == []


def test_the_root_itself_may_be_a_link(kit: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(kit)
    assert Tree(link).grep(b"DataParallel") == ["a.py"]


def test_pipes_and_unreadable_names_are_no_files(kit: Path) -> None:
    os.mkfifo(kit / "pipe.py")
    (kit / os.fsdecode(b"\xff.py")).write_bytes(b"to_static\n")
    assert Tree(kit).grep(b"to_static") == ["lib/b.py", os.fsdecode(b"\xff.py")]
    with pytest.raises(FileNotFoundError):
        Tree(kit).read("pipe.py")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (b"to_static|DataParallel", ["a.py", "lib/b.py"]),
        (rb"DataParallel\(", ["a.py"]),
        (rb"Data.*model", ["a.py"]),
        (rb"to_st[a-z]tic|^nothing$", ["lib/b.py", "lib/d.py"]),
        (rb"(?i)DATAPARALLEL", ["a.py"]),
        (rb"\bmodel\b", ["a.py"]),
        (b"absent", []),
        (b"", ["a.py", "lib/b.py", "lib/d.py"]),
        (rb"\w+", ["a.py", "lib/b.py", "lib/d.py"]),
        (rb"\.py|\||absent", []),
    ],
)
def test_grep_finds_what_the_regular_expression_finds(
    pattern: bytes, found: list[str], kit: Path
) -> None:
    assert Tree(kit).grep(pattern) == found


def test_a_file_is_read_once(kit: Path) -> None:
    tree = Tree(kit)
    first = tree.read("a.py")
    (kit / "a.py").write_bytes(b"changed")
    assert tree.read("a.py") is first


def test_a_large_file_is_read_whole(kit: Path) -> None:
    data = b"x" * 5_000_000 + b"to_static"
    (kit / "large.py").write_bytes(data)
    assert Tree(kit).read("large.py") == data


def test_mentions_stops_at_the_first(kit: Path) -> None:
    assert mentions(kit, b"DataParallel")
    assert not mentions(kit, b"false"), "only Python files count"


def test_revision_and_dirty_files(kit: Path, commit: Callable[[Path], str]) -> None:
    assert tracked_files(kit) is None
    assert dirty_files(kit, ["a.py"]) == []
    revision = commit(kit)
    assert head_revision(kit) == revision
    put(kit, **{"a.py": b"edited\n", "new.py": b""})
    assert dirty_files(kit, ["a.py", "lib/b.py", "new.py"]) == ["a.py"]
    assert dirty_files(kit / "lib", ["b.py"]) == []
    put(kit, **{"lib/b.py": b"edited\n"})
    assert dirty_files(kit / "lib", ["b.py", "d.py"]) == ["b.py"]


def test_staged_edits_are_dirty_and_the_index_stays_as_it_is(
    kit: Path, commit: Callable[[Path], str], git: Callable[..., str]
) -> None:
    commit(kit)
    put(kit, **{"a.py": b"edited\n"})
    git(kit, "add", "a.py")
    (kit / "lib/b.py").touch()
    index = (kit / ".git/index").read_bytes()
    assert dirty_files(kit, ["a.py", "lib/b.py"]) == ["a.py"]
    assert (kit / ".git/index").read_bytes() == index


@pytest.mark.parametrize(
    "text",
    [
        "from train import parser\n",
        "import train.parser as parser\n",
        "if True: from train import a, parser\n",
        "from train import a, \\\n    parser\n",
        "from train import (  # the '=' and the ) of a comment\n    a,  # more\n    parser,\n)\n",
        "'#'; from train import (a,  # one\n parser)\n",
        "# import a = 1\nimport b; from train import é, parser\n",
    ],
)
def test_a_file_whose_imports_list_a_name_is_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(text, encoding="utf-8")
    (tmp_path / "other.py").write_text("import train\nx = train\nparser = x.parser\n")
    assert list(Project(Tree(tmp_path)).importing("train", "parser")) == ["user.py"]
