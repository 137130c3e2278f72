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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO

from codemod.base.errors import UsageError


@contextlib.contextmanager
def locked(root: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold the tree at `root` for this process while the block runs.

    Raises:
        UsageError: another run holds it (and we do not wait), or it cannot be opened.
    """
    with contextlib.ExitStack() as held:
        try:
            handle = opened_folder(held, root)
        except OSError as error:
            raise UsageError(f"{root} cannot be opened ({error.strerror}).") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise UsageError(f"{root} cannot be locked ({error.strerror}).") from error
            raise UsageError(
                f"Another run is changing {root}.", "Wait until it has ended, then run this again."
            ) from error
        yield


def temporary_name(target: Path) -> Path:
    """Where the new bytes of `target` are written first: beside it, so that renaming works."""
    return target.with_name(f".{target.name}.codemod-tmp")


def write_atomic(target: Path, data: bytes) -> None:
    """Replace `target` by `data` in one step, keeping its mode and, if we may, its owner.

    Whoever looks sees the old file or the new one, also after a crash.
    """
    with contextlib.ExitStack() as held:
        parent = opened_folder(held, target.parent)
        _replace([FileBelow(parent, target.name, target)], [data])


def replace_below(tree: Path, files: Sequence[tuple[str, bytes, bytes]]) -> None:
    """Replace files of a tree, each in one step; none before the new bytes of all are on disk.

    A file is its path in the tree, its bytes now and its new ones. Each folder is opened once, by
    its name in the one above it and through no link; what follows is done below that descriptor. So
    whoever moves folders or links meanwhile cannot lead the new bytes out of the tree.

    Raises:
        OSError: a part of a path is a link or is gone, a file holds other bytes than those, or it
            cannot be written. No file was replaced then.
    """
    with contextlib.ExitStack() as held:
        places = places_below(held, tree, [path for path, _, _ in files])
        for place, (_, now, _) in zip(places, files, strict=True):
            if place.read() != now:
                raise OSError(errno.ESTALE, "it changed meanwhile", os.fspath(place.shown))
        _replace(places, [new for _, _, new in files])


@dataclass(frozen=True, slots=True)
class FileBelow:
    """A file by its name in an opened folder; `shown` is what messages call it.

    `writer` parts the new files of those that write it at once; a file that one run alone writes
    has none, so that the next run finds what a killed one left.
    """

    folder: int
    name: str
    shown: Path
    writer: str = ""

    @property
    def temporary(self) -> FileBelow:
        """Where its new bytes are written first, in the same folder."""
        own = f".{self.name[:40]}.{self.writer}.codemod-tmp"
        name = own if self.writer else temporary_name(self.shown).name
        return FileBelow(self.folder, name, self.shown)

    def read(self) -> bytes | None:
        """Its bytes; None where there is no regular file of that name."""
        try:
            handle = os.open(
                self.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self.folder
            )
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ELOOP):
                return None
            raise
        with os.fdopen(handle, "rb") as file:
            return file.read() if stat.S_ISREG(os.fstat(handle).st_mode) else None

    def remove(self) -> None:
        """Take it away, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.name, dir_fd=self.folder)

    def make(self) -> IO[bytes]:
        """The file, which is not there yet, open for writing."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        return os.fdopen(os.open(self.name, flags, 0o666, dir_fd=self.folder), "wb")


def places_below(
    held: contextlib.ExitStack, tree: Path, paths: Sequence[str], *, make: bool = False
) -> list[FileBelow]:
    """The places of the paths, with their folders open as long as `held` is.

    With `make`, a folder that is not there is made.

    Raises:
        OSError: a folder on the way is a link, or is gone.
    """
    opened = {PurePosixPath(): opened_folder(held, tree)}
    found = []
    for path in map(PurePosixPath, paths):
        if path.is_absolute() or ".." in path.parts:
            raise OSError(errno.EINVAL, "it is not a path in the tree", str(path))
        for level in reversed(path.parents):
            if level not in opened:
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(level.name, dir_fd=opened[level.parent])
                opened[level] = opened_folder(held, level.name, opened[level.parent])
        found.append(FileBelow(opened[path.parent], path.name, tree / path))
    return found


def place_of(held: contextlib.ExitStack, file: Path) -> FileBelow:
    """The place of one file that several may write at once, with its folder, made if need be.

    The current folder may be anybody's, so no link below it is followed.

    Raises:
        OSError: a folder on the way cannot be made or opened, or is such a link.
    """
    whole, here = Path(os.path.abspath(file)), Path.cwd()  # noqa: PTH100 - follows no link
    if whole.is_relative_to(here):
        (place,) = places_below(held, here, [whole.relative_to(here).as_posix()], make=True)
    else:
        whole.parent.mkdir(parents=True, exist_ok=True)
        place = FileBelow(opened_folder(held, whole.parent), whole.name, file)
    return replace(place, shown=file, writer=f"{os.getpid()}-{os.urandom(8).hex()}")


def new_below(tree: Path, path: str, data: bytes) -> None:
    """Write a file that is not there yet, with its folders, below `tree` and through no link.

    Raises:
        OSError: it is there, a folder on the way is a link, or it cannot be written.
    """
    with contextlib.ExitStack() as held:
        (place,) = places_below(held, tree, [path], make=True)
        with place.make() as file:
            file.write(data)


def put(places: Sequence[FileBelow], contents: Sequence[bytes]) -> None:
    """Stage all, then rename all: a full disk is noticed before the first file is touched.

    Raises:
        OSError: a file cannot be written; all of them are as they were, unless a later one of
            several could not be renamed.
    """
    staged: list[FileBelow] = []
    place = None
    try:
        for place, data in zip(places, contents, strict=True):
            staged.append(place)
            _stage(place, data)
        for place in places:
            # The disk is waited for once instead of once a file.
            _sync(place.temporary)
        for place in places:
            new, folder = place.temporary.name, place.folder
            os.replace(new, place.name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException as error:
        for one in staged:
            with contextlib.suppress(OSError):
                one.temporary.remove()
        if isinstance(error, OSError) and place is not None:
            # The name alone, below a descriptor, tells nobody where it is.
            error.filename = os.fspath(place.shown)
        raise


def opened_folder(held: contextlib.ExitStack, folder: Path | str, above: int | None = None) -> int:
    """The descriptor of a folder, open as long as `held` is; one below another may be no link."""
    flags = os.O_RDONLY | os.O_DIRECTORY | (0 if above is None else os.O_NOFOLLOW)
    handle = os.open(folder, flags, dir_fd=above)
    held.callback(_closed, handle)
    return handle


def _closed(handle: int) -> None:
    # What was done below it stands.
    with contextlib.suppress(OSError):
        os.close(handle)


def _replace(places: Sequence[FileBelow], contents: Sequence[bytes]) -> None:
    """Put all in their places, durably."""
    put(places, contents)
    for folder in dict.fromkeys(place.folder for place in places):
        os.fsync(folder)


def _stage(place: FileBelow, data: bytes) -> None:
    """Write the new bytes beside their target, with its owner, mode and attributes."""
    place.temporary.remove()
    with place.temporary.make() as file:
        file.write(data)
        _take_over(file.fileno(), place)


def _take_over(handle: int, place: FileBelow) -> None:
    """Give an open file what is not content of the place's.

    Raises:
        OSError: the system does not let us; the new file would then be another one.
    """
    try:
        old = os.open(place.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place.folder)
    except OSError as error:
        # A new file, or one that replaces a link.
        if error.errno in (errno.ENOENT, errno.ELOOP):
            return
        raise
    try:
        wanted, made = os.fstat(old), os.fstat(handle)
        if (wanted.st_uid, wanted.st_gid) != (made.st_uid, made.st_gid):
            os.fchown(handle, wanted.st_uid, wanted.st_gid)
        # After the owner: changing that takes away setuid and setgid.
        mode = stat.S_IMODE(wanted.st_mode)
        os.fchmod(handle, mode)
        if stat.S_IMODE(os.fstat(handle).st_mode) != mode:
            raise PermissionError(errno.EPERM, "its mode cannot be kept", os.fspath(place.shown))
        if hasattr(os, "listxattr"):
            for name in os.listxattr(old):
                # Labels that the system sets by itself cannot be set, and need not be.
                with contextlib.suppress(OSError):
                    os.setxattr(handle, name, os.getxattr(old, name))
    finally:
        _closed(old)


def _sync(new: FileBelow) -> None:
    """Make what was written to a new file survive a power cut."""
    handle = os.open(new.name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=new.folder)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def stays(path: str) -> bool:
    """Whether a text is a relative path that leads to no place above where it begins."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\0" not in path


def inside(root: Path, path: str) -> bool:
    """Whether the relative `path` names something in the tree at `root`, through no link."""
    parts = PurePosixPath(path).parts
    if not stays(path):
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
