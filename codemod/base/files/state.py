"""The user's state folder: journals and records, out of reach of the repositories they are about.

A repository can bring any file with it, a `.codemod` folder too. What the tool replays or
trusts therefore never lies beside the files of a kit, but in the user's own state folder, in
one folder for each tree, keyed by the tree's real path. It holds wherever the command is run.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from codemod.base.errors import UsageError
from codemod.base.files.atomic import opened_folder
from codemod.base.files.data_folder import user_place

# In a tree's folder: what is applied to it, and, while its files are being replaced, the run.
RECORD = "record.json"
JOURNAL = "journal.json"
_WHAT = "The state folder"
_REMEDY = "Set XDG_STATE_HOME to a folder of yours."


def state_root() -> Path:
    """The state folder: `$XDG_STATE_HOME/codemod`, else `~/.local/state/codemod`."""
    return user_place("XDG_STATE_HOME", ".local/state")


def cache_folder() -> Path:
    """What this machine keeps for a user whatever the workspace, and can make again."""
    return user_place("XDG_CACHE_HOME", ".cache")


def tree_key(tree: Path) -> str:
    """The name under which things about `tree` are kept: its own, and a digest of its path."""
    root = tree.resolve()
    import hashlib  # takes 5 ms, and most commands ask for no tree's folder

    digest = hashlib.sha256(os.fsencode(root)).hexdigest()
    return f"{root.name}-{digest[:16]}"


def state_of(tree: Path) -> Path:
    """The folder of `tree` in the state folder; nothing is made on disk."""
    return state_root() / "trees" / tree_key(tree)


def known_states() -> Iterator[Path]:
    """The folders of all trees that something is kept of."""
    folder = state_root() / "trees"
    if folder.is_dir():
        yield from sorted(folder.iterdir())


def make_state(*parts: str, outside: Path) -> Path:
    """The folder `parts` in the state folder, made if need be, durably.

    Raises:
        UsageError: it lies in the tree `outside`, is a link, is another user's, others may
            write to it, or it cannot be made.
    """
    folder = state_root()
    if folder.resolve().is_relative_to(outside.resolve()):
        raise UsageError(f"The state folder {folder} lies inside {outside}.", _REMEDY)
    try:
        _make(folder.parent)
        for level in (folder, *(folder.joinpath(*parts[:n]) for n in range(1, len(parts) + 1))):
            _make(level)
            _check_own(level)
    except OSError as error:
        raise UsageError(
            f"The state folder {folder} cannot be written ({error.strerror}).", _REMEDY
        ) from error
    return folder.joinpath(*parts)


def read_state(file: Path) -> bytes | None:
    """A file of the state folder; None where there is none.

    Raises:
        UsageError: it, or a folder on the way to it, is a link or may be written by others: what
            it says is then somebody else's word.
        OSError: it cannot be read.
    """
    if not os.path.lexists(file):
        return None
    root = state_root()
    for folder in (root.parent.resolve(), *root.parent.resolve().parents):
        _check_way(folder)
    parts = file.relative_to(root).parts
    for level in (root, *(root.joinpath(*parts[:n]) for n in range(1, len(parts)))):
        _check_own(level)
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as stream:
        _check_status(file, os.fstat(handle), stat.S_IFREG)
        return stream.read()


def _check_way(folder: Path) -> None:
    """Refuse a folder above the state folder in which others could put another one."""
    status = folder.stat()
    if status.st_uid not in (0, os.geteuid()):
        raise UsageError(f"{folder}, above the state folder, belongs to another user.", _REMEDY)
    if status.st_mode & 0o002 and not status.st_mode & stat.S_ISVTX:
        raise UsageError(f"Everyone may write to {folder}, above the state folder.", _REMEDY)


def _make(folder: Path) -> None:
    """Make a folder that survives a power cut."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        _make(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    with ExitStack() as held:
        os.fsync(opened_folder(held, folder.parent))


def _check_own(folder: Path) -> None:
    _check_status(folder, folder.lstat(), stat.S_IFDIR)


def _check_status(place: Path, status: os.stat_result, kind: int) -> None:
    """Refuse what is a link, of another kind, another user's, or open to others."""
    if stat.S_ISLNK(status.st_mode):
        raise UsageError(f"{_WHAT} {place} is a symbolic link.", _REMEDY)
    if stat.S_IFMT(status.st_mode) != kind:
        raise UsageError(f"{_WHAT} {place} is of another kind.", _REMEDY)
    if status.st_uid != os.geteuid():
        raise UsageError(f"{_WHAT} {place} belongs to another user.", _REMEDY)
    if status.st_mode & 0o002:
        raise UsageError(f"Everyone may write to {_WHAT[0].lower()}{_WHAT[1:]} {place}.", _REMEDY)
