"""The user's state folder: journals and records, out of reach of the repositories they are about.

A repository can bring any file with it, a `.codemod` folder too. What the tool replays or
trusts therefore never lies beside the files of a kit, but in the user's own state folder, in
one folder for each tree, keyed by the tree's real path. It holds wherever the command is run.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

# In a tree's folder: what is applied to it, and, while its files are being replaced, the run.
RECORD = "record.json"
JOURNAL = "journal.json"
_REMEDY = "Set XDG_STATE_HOME to a folder of yours."


def state_root() -> Path:
    """The state folder: `$XDG_STATE_HOME/codemod`, else `~/.local/state/codemod`."""
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    base = named if named.is_absolute() else Path.home() / ".local" / "state"
    return base / "codemod"


def tree_key(tree: Path) -> str:
    """The name under which things about `tree` are kept: its own, and a digest of its path."""
    root = tree.resolve()
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


def _make(folder: Path) -> None:
    """Make a folder that survives a power cut."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        _make(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    handle = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_own(folder: Path) -> None:
    status = folder.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise UsageError(f"The state folder {folder} is a symbolic link.", _REMEDY)
    if status.st_uid != os.geteuid():
        raise UsageError(f"The state folder {folder} belongs to another user.", _REMEDY)
    if status.st_mode & 0o002:
        raise UsageError(f"Everyone may write to the state folder {folder}.", _REMEDY)
