"""Files written whole or not at all, and one writer at a time.

The lock is the kernel's own (`flock`) on the tree's root folder: it leaves no file in the
kit, works on a read-only tree, and vanishes with its process, so it cannot go stale.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from codemod.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@contextlib.contextmanager
def locked(root: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold the tree at `root` for this process while the block runs.

    Raises:
        UsageError: another run holds it (and we do not wait), or it cannot be opened.
    """
    try:
        handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise UsageError(f"{root} cannot be opened ({error.strerror}).") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            raise UsageError(f"{root} cannot be locked ({error.strerror}).") from error
        raise UsageError(
            f"Another run is changing {root}.", "Wait until it has ended, then run this again."
        ) from error
    try:
        yield
    finally:
        # The lock is gone either way, and what was done under it stands.
        with contextlib.suppress(OSError):
            os.close(handle)


def temporary_name(target: Path) -> Path:
    """Where the new bytes of `target` are written first: beside it, so that renaming works."""
    return target.with_name(f".{target.name}.codemod-tmp")


def write_atomic(target: Path, data: bytes) -> None:
    """Replace `target` by `data` in one step, keeping its mode and, if we may, its owner.

    Whoever looks sees the old file or the new one, also after a crash.
    """
    replace_all([(target, data)])


def replace_all(files: Sequence[tuple[Path, bytes]]) -> None:
    """Replace several files, each in one step; none before the new bytes of all are on disk.

    A full disk is thus noticed before the first file is touched, and the disk is waited for
    once instead of once a file.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for target, data in files:
            staged.append((temporary_name(target), target))
            _stage(target, data)
        for temporary, _ in staged:
            _sync(temporary, os.O_RDONLY)
        for temporary, target in staged:
            temporary.replace(target)
    except BaseException:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
        raise
    for folder in dict.fromkeys(target.parent for target, _ in files):
        _sync(folder, os.O_RDONLY | os.O_DIRECTORY)


def _stage(target: Path, data: bytes) -> None:
    """Write the new bytes beside their target, with its owner, mode and attributes."""
    temporary = temporary_name(target)
    temporary.unlink(missing_ok=True)
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        if target.exists():
            _take_over(handle, target)


def _take_over(handle: int, target: Path) -> None:
    """Give an open file what is not content of `target`.

    Raises:
        OSError: the system does not let us; the new file would then be another one.
    """
    wanted, made = target.stat(), os.fstat(handle)
    if (wanted.st_uid, wanted.st_gid) != (made.st_uid, made.st_gid):
        os.fchown(handle, wanted.st_uid, wanted.st_gid)
    # After the owner: changing that takes away setuid and setgid.
    mode = stat.S_IMODE(wanted.st_mode)
    os.fchmod(handle, mode)
    if stat.S_IMODE(os.fstat(handle).st_mode) != mode:
        raise PermissionError(errno.EPERM, "its mode cannot be kept", os.fspath(target))
    if hasattr(os, "listxattr"):
        for name in os.listxattr(target):
            # Labels that the system sets by itself cannot be set, and need not be.
            with contextlib.suppress(OSError):
                os.setxattr(handle, name, os.getxattr(target, name))


def _sync(path: Path, flags: int) -> None:
    """Make what was written to a file, or renamed in a folder, survive a power cut."""
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def inside(root: Path, path: str) -> bool:
    """Whether the relative `path` names something in the tree at `root`, through no link."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        return False
    return not any(root.joinpath(*parts[:n]).is_symlink() for n in range(1, len(parts) + 1))


def check_writable(root: Path, path: str) -> None:
    """Refuse, before anything is written, a file that must not or cannot be replaced.

    Permission bits are looked at even where the user is root and could ignore them: whoever
    took them away meant it.

    Raises:
        UsageError: read-only file or folder, a link of either kind, or a path that leads out
            of the tree.
    """
    target = root / path
    if not inside(root, path):
        raise UsageError(f"{path} leads out of {root} by a symbolic link, so it is left alone.")
    if not target.is_file():
        raise UsageError(f"{path} is not a regular file; nothing was changed.")
    if target.stat().st_nlink > 1:
        raise UsageError(
            f"{path} is one of several names of one file (hard links), and a new file would "
            "part them; nothing was changed.",
            f"Make it a file of its own: `cp -p {path} copy && mv copy {path}`.",
        )
    for place in (target, target.parent):
        if not place.stat().st_mode & 0o222 or not os.access(place, os.W_OK):
            kind = "folder" if place.is_dir() else "file"
            raise UsageError(
                f"{place} is a read-only {kind}; nothing was changed.",
                "Make it writable, or use `codemod diff`, which writes nothing there.",
            )
