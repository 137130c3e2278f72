"""What a run read: noted by the run itself, and compared with what is there now."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.training.reads import edited, has_changed, read_reads
from codemod.training.runner import INJECT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ran = tuple[Path, dict[str, str]]

FILES = {
    "train.py": """
import importlib, json, multiprocessing, os, pathlib, sys
sys.path.insert(0, 'lib')
import net
import namespace.part
importlib.import_module('late')
try:
    import optional
except ImportError:
    pass
os.makedirs('lib', exist_ok=True)  # it is there, and no work of this run
json.load(open('config.json'))
pathlib.Path('words.txt').exists()
os.path.isfile('data/labels.txt')
names = os.listdir('configs')
try:
    open('cache.bin')
except FileNotFoundError:
    open('cache.bin', 'w').write('made')
open('run.log', 'a').write('x')
def child():
    open('in_child.txt').read()
context = multiprocessing.get_context(sys.argv[1])
if __name__ == '__main__':
    process = context.Process(target=child)
    process.start()
    process.join()
    sys.exit(process.exitcode)
""",
    "net.py": "x = 1\n",
    "lib/late.py": "x = 1\n",
    "lib/unused.py": "x = 1\n",
    "namespace/part.py": "x = 1\n",
    "config.json": "{}",
    "in_child.txt": "x",
    "configs/a.yml": "a: 1",
    "README.md": "words",
}


def written(root: Path) -> Path:
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return written(tmp_path / "kit")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Ran]:
    """A tree in which the program ran, with what it read; each way of starting runs once."""

    @functools.cache
    def once(how: str) -> Ran:
        root = written(tmp_path_factory.mktemp("ran") / "kit")
        return root, run(root, how)

    return once


@pytest.fixture
def copied(ran: Callable[[str], Ran], tmp_path: Path) -> Callable[[str], Ran]:
    """The same for a test that changes the tree."""

    def copy(how: str = "fork") -> Ran:
        root, reads = ran(how)
        return shutil.copytree(root, tmp_path / "copied"), reads

    return copy


def run(root: Path, how: str = "fork", *, cached: bool = True) -> dict[str, str]:
    """Run the program as the runner does, and give what it read."""
    out = root.parent / f"{how}.reads"
    out.unlink(missing_ok=True)
    env = {
        **os.environ,
        "PYTHONPATH": str(INJECT),
        "CODEMOD_READS": json.dumps({"out": str(out), "roots": {"": str(root)}}),
        "PYTHONPYCACHEPREFIX": str(root.parent / "pycache"),
    }
    command = [sys.executable, "train.py", how]
    for _ in range(1 + cached):
        out.unlink(missing_ok=True)
        done = subprocess.run(command, cwd=root, env=env, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
    return read_reads([out])


def test_an_undisturbed_tree_is_the_same(tree: Path) -> None:
    assert not has_changed(run(tree), {"": tree})


def write(name: str) -> Callable[[Path], object]:
    def do(root: Path) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x = 2\n")

    return do


@pytest.mark.parametrize("how", ["fork", "spawn"])
@pytest.mark.parametrize(
    "name",
    [
        "train.py",  # the program itself
        "net.py",  # imported
        "lib/late.py",  # by `importlib`, from a folder that the program put on the path
        "namespace/part.py",
        "config.json",  # opened
        "in_child.txt",  # by a child
        "words.txt",  # looked for in vain
        "data/labels.txt",
        "optional.py",  # imported in vain
        "lib/optional.py",
        "optional/__init__.py",
        "multiprocessing.py",  # would hide the standard library's
        "lib/net.py",  # would hide the tree's own
        "net/__init__.py",  # would be taken before net.py
        "namespace/__init__.py",
        "configs/b.yml",  # in a folder that was listed
    ],
)
def test_a_change_of_what_was_read_or_looked_for_is_seen(
    copied: Callable[[str], Ran], how: str, name: str
) -> None:
    if how == "spawn" and name != "in_child.txt":
        pytest.skip("the other way of starting a child matters to the child alone")
    tree, reads = copied(how)
    assert not has_changed(reads, {"": tree})
    write(name)(tree)
    assert has_changed(reads, {"": tree})


@pytest.mark.parametrize(
    "name", ["README.md", "lib/unused.py", "docs/new.md", "run.log", "newer.py"]
)
def test_a_change_of_what_no_run_read_is_not(copied: Callable[[], Ran], name: str) -> None:
    tree, reads = copied()
    write(name)(tree)
    assert not has_changed(reads, {"": tree})


def test_what_the_run_wrote_is_not_what_it_read(tree: Path) -> None:
    reads = run(tree, cached=False)
    write("cache.bin")(tree)
    assert not has_changed(reads, {"": tree})


@pytest.mark.parametrize("name", ["net.py", "config.json", "configs/a.yml"])
def test_what_is_gone_is_seen(copied: Callable[[], Ran], name: str) -> None:
    tree, reads = copied()
    (tree / name).unlink()
    assert has_changed(reads, {"": tree})


def test_the_same_tree_elsewhere_is_the_same(tree: Path, tmp_path: Path) -> None:
    reads = run(tree)
    tree.rename(tmp_path / "moved")
    assert not has_changed(reads, {"": tmp_path / "moved"})


def test_nothing_known_is_never_the_same(tmp_path: Path) -> None:
    assert has_changed({}, {"": tmp_path})
    assert read_reads([tmp_path / "none"]) == {}


def test_what_changed_between_two_runs_is_never_the_same(tree: Path) -> None:
    first = tree.parent / "first.reads"
    run(tree)
    (tree.parent / "fork.reads").rename(first)
    write("net.py")(tree)
    run(tree)
    both = read_reads([first, tree.parent / "fork.reads"])
    assert has_changed({"file::net.py": both["file::net.py"]}, {"": tree})


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "x.reads"
    file.write_text('["file", "", "a.py", "0"]\n["file", "", "b')
    assert read_reads([file]) == {"file::a.py": "0"}


@pytest.mark.slow
def test_what_was_read_is_held_to_the_commit(tree: Path, commit: Callable[[Path], str]) -> None:
    assert edited(run(tree), tree) == {}, "git knows nothing of a plain folder"
    commit(tree)
    reads = run(tree)
    assert edited(reads, tree) == {}
    (tree / "lib" / "unused.py").write_text("x = 2\n")
    assert edited(run(tree), tree) == {}, "no run reads it"
    (tree / "net.py").write_text("x = 2\n")
    assert edited(run(tree), tree).keys() == {"net.py"}
    assert edited(reads, tree).keys() == {"net.py"}, "it changed after it was read"
    (tree / "lib" / "net.py").write_text("x = 1\n")
    assert edited(run(tree), tree).keys() == {"lib/net.py"}, "a new file that hides the other"
    (tree / "lib" / "net.py").unlink()
    (tree / "net.py").unlink()
    (tree / "net").mkdir()
    (tree / "net" / "__init__.py").write_text("x = 1\n")
    assert edited(run(tree), tree).keys() == {"net/__init__.py"}
