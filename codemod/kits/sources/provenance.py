"""Whether a kit in a workspace is what it says: fetched by this user, or proved by its commit.

A folder from an archive may bring a workspace with it. What was fetched is therefore on record in
the user's own state folder; without that, every file must be one of the commit, by its digest.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from codemod.base.files.shared_file import replace_file
from codemod.base.files.state import make_state, read_state, state_root, tree_key
from codemod.base.git_state import GitError, git_output, object_name, objects_in

_FETCHED = "fetched"
_LINK, _FOLDER, _MODULE = b"120000", b"40000", b"160000"


def note_fetched(folder: Path, origin: str, revision: str) -> None:
    """Keep on record that this user's run made `folder`."""
    place = make_state(_FETCHED, outside=folder) / f"{tree_key(folder)}.json"
    replace_file(place, json.dumps(_identity(folder, origin, revision)).encode())


def is_own(folder: Path, origin: str, revision: str) -> bool:
    """Whether the record has it, or git shows that it is that commit and nothing else."""
    noted = read_state(state_root() / _FETCHED / f"{tree_key(folder)}.json")
    if noted is not None and noted == json.dumps(_identity(folder, origin, revision)).encode():
        return True
    return origin == "git" and _is_commit(folder, revision)


def _identity(folder: Path, origin: str, revision: str) -> dict[str, object]:
    """A folder by its place and number: another one put there has another number."""
    status = folder.stat()
    number = f"{status.st_dev}:{status.st_ino}"
    return {"place": str(folder.resolve()), "number": number, "is": [origin, revision]}


def _is_commit(folder: Path, revision: str) -> bool:
    """Whether each file beside `.git` has the content that the commit gives it; some may lack."""
    if len(revision) != 40:
        return False
    try:
        wanted = dict(_files(folder, revision))
    except (GitError, ValueError):
        return False
    return all(wanted.get(name) == _digest(file) for name, file in _beside_git(os.fsencode(folder)))


def _beside_git(folder: bytes, within: bytes = b"") -> Iterator[tuple[bytes, os.DirEntry[bytes]]]:
    """Every file and link below a folder, with its path: a kit has thousands of them."""
    try:
        entries = list(os.scandir(os.path.join(folder, within)))  # noqa: PTH118 - bytes
    except OSError:
        return
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield within + entry.name, entry
        elif within or entry.name != b".git":
            yield from _beside_git(folder, within + entry.name + b"/")


def _digest(file: os.DirEntry[bytes]) -> tuple[bool, str] | None:
    """Whether it is a link, and its content's name in git; None for what git does not keep."""
    try:
        if file.is_symlink():
            return True, object_name(os.readlink(file))  # noqa: PTH115 - bytes
        if not file.is_file():
            return None
        with open(file, "rb") as opened:  # noqa: PTH123
            return False, object_name(opened.read())
    except OSError:
        return None


def _files(folder: Path, revision: str) -> Iterator[tuple[bytes, tuple[bool, str]]]:
    """Each path of the commit with its kind and content; every object proved by its own name.

    Raises:
        GitError: git does not have one.
        ValueError: one is not what its name says.
    """
    (commit,) = _objects(folder, b"commit", [revision])
    level = [(b"", commit.partition(b"\n")[0].removeprefix(b"tree ").decode())]
    while level:
        trees = _objects(folder, b"tree", [name for _, name in level])
        below = []
        for (path, _), data in zip(level, trees, strict=True):
            for mode, name, found in _entries(data):
                if mode == _FOLDER:
                    below.append((path + name + b"/", found))
                elif mode != _MODULE:
                    yield path + name, (mode == _LINK, found)
        level = below


def _entries(tree: bytes) -> Iterator[tuple[bytes, bytes, str]]:
    while tree:
        head, _, rest = tree.partition(b"\0")
        mode, _, name = head.partition(b" ")
        yield mode, name, rest[:20].hex()
        tree = rest[20:]


def _objects(folder: Path, kind: bytes, names: list[str]) -> list[bytes]:
    asked = "".join(f"{name}\n" for name in names).encode()
    out, found = git_output(folder, "cat-file", "--batch", stdin=asked), []
    for name, one in zip(names, objects_in(out), strict=True):
        if one is None or one[0] != kind or object_name(one[1], kind) != name:
            raise ValueError(name)
        found.append(one[1])
    return found
