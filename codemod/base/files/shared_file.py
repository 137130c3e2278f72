"""Files that several processes write: locked, read with every fault told, replaced whole."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.atomic import locked, place_of, put

_ELSEWHERE = "Name another place."
_LONGEST_NAME = 200  # bytes; file systems take 255, and endings are put behind a name
# `str.splitlines` takes these for ends of lines, and terminals for orders; halves of characters
# cannot be written.
_BREAKS = ("Cc", "Zl", "Zp", "Cs")


class DamagedFileError(UsageError):
    """A file holds what cannot be read, so nothing is written over it."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line with its number from 1; `fault` says why it is no text."""

    number: int
    text: str
    fault: str = ""


@contextlib.contextmanager
def held(file: Path) -> Iterator[None]:
    """Hold the folder of `file`, made if need be, until the block ends; others wait.

    Raises:
        EnvironmentFault: the folder cannot be made.
        UsageError: it cannot be opened or locked.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentFault(f"{file.parent} cannot be made ({error.strerror}).") from error
    with locked(file.parent, wait=True):
        yield


def read_bytes(file: Path) -> bytes | None:
    """What the file holds; None where there is none.

    Raises:
        EnvironmentFault: it cannot be read, or is no regular file.
    """
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise EnvironmentFault(f"{file} is not a regular file.")
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EnvironmentFault(f"{file} cannot be read ({error.strerror}).") from error


def lines_of(data: bytes) -> tuple[TextLine, ...]:
    r"""The lines of a text in UTF-8, split at `\n` alone."""
    pieces = data.split(b"\n")
    if not pieces[-1]:
        pieces.pop()
    return tuple(_line(number, piece) for number, piece in enumerate(pieces, 1))


def _line(number: int, piece: bytes) -> TextLine:
    try:
        return TextLine(number, piece.decode("utf-8"))
    except UnicodeDecodeError:
        return TextLine(number, "", "it is not UTF-8")


def replace_file(file: Path, data: bytes) -> None:
    """Replace `file` by `data` in one step, through a new file of a name of its own.

    Its folder is made if need be, opened once, and through no link below the current folder.
    Whoever looks sees the old file or the new one, also after a crash.

    Raises:
        EnvironmentFault: it cannot be written. The message says whether it is as it was.
    """
    _replace(file, data, "; it is as it was")


def _replace(file: Path, data: bytes, otherwise: str) -> None:
    """As `replace_file`; `otherwise` ends the message where nothing was written."""
    with contextlib.ExitStack() as held_open:
        try:
            place = place_of(held_open, file)
            put([place], [data])
        except OSError as error:
            raise EnvironmentFault(
                f"{file} cannot be written ({_why(file, error)}){otherwise}."
            ) from error
        try:
            os.fsync(place.folder)
        except OSError as error:
            raise EnvironmentFault(
                f"{file} is written, but {file.parent} cannot be flushed ({error.strerror}): "
                "a power cut may undo it."
            ) from error


def export(file: Path, data: bytes) -> None:
    """Write a file where the user asked for it, as `replace_file` does.

    Raises:
        UsageError: it cannot be written, or is a device, a pipe or a folder.
    """
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise UsageError(f"{file} is not a regular file.", _ELSEWHERE)
    except OSError:
        pass  # a new file; why it cannot be one is said below
    try:
        _replace(file, data, "")
    except EnvironmentFault as error:
        raise UsageError(error.message, _ELSEWHERE) from error


def remove(file: Path) -> None:
    """Take away a file that `export` wrote earlier, if it is there.

    Raises:
        UsageError: it cannot be taken away.
    """
    try:
        with contextlib.ExitStack() as held_open:
            place_of(held_open, file).remove()
    except OSError as error:
        raise UsageError(f"{file} cannot be removed ({_why(file, error)}).", _ELSEWHERE) from error


def new_log(file: Path) -> IO[bytes]:
    """An empty file for what a process prints; what bore its name, also a link, goes.

    Raises:
        OSError: it cannot be made.
    """
    with contextlib.ExitStack() as held_open:
        place = place_of(held_open, file)
        place.remove()
        return place.make()


def more_log(file: Path) -> IO[bytes]:
    """The same file, to write more behind its end.

    Raises:
        OSError: it is a link or a pipe now, or cannot be opened.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    return os.fdopen(os.open(file, flags), "ab")


def _why(file: Path, error: OSError) -> str:
    links = [folder for folder in file.parents if folder.is_symlink()]
    if error.errno in (errno.ENOTDIR, errno.ELOOP) and links:
        return f"{links[0]} is a symbolic link"
    return error.strerror or str(error)


def put_aside(file: Path) -> Path:
    """Give a damaged file another name beside its own, by its content; returns that.

    Raises:
        EnvironmentFault: it cannot be read or renamed.
    """
    digest = hashlib.sha256(read_bytes(file) or b"").hexdigest()[:12]
    aside = file.with_name(f"{file.name}.damaged-{digest}")
    try:
        file.rename(aside)
    except OSError as error:
        raise EnvironmentFault(
            f"{file} is damaged and cannot be put aside ({error.strerror}); it is as it was."
        ) from error
    return aside


def bad_name(name: str) -> str:
    """Why a name cannot be that of a file in a folder of ours, as a clause; "" where it can."""
    if name in ("", ".", "..") or "/" in name or "\\" in name:
        return f"{name!r} is not a name"
    return _bad_text(name)


def bad_path(path: str) -> str:
    """Why a text cannot be a path in a kit, as a clause; "" where it can."""
    if not path or path.startswith("/") or ".." in path.split("/"):
        return f"{path!r} leads out of the kit"
    return _bad_text(path, longest=4096)


def bad_label(text: str) -> str:
    """Why a text cannot be shown as a label, as a clause; "" where it can."""
    return _bad_text(text, longest=4096)


def _bad_text(text: str, longest: int = _LONGEST_NAME) -> str:
    if any(unicodedata.category(letter) in _BREAKS for letter in text):
        return f"{text!r} holds a control character"
    if len(text.encode("utf-8", "surrogatepass")) > longest:
        return f"{text[:40]!r}… is too long"
    return ""
