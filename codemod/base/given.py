"""What a kit's process wrote: read through no link, from no pipe, and never more than fits."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from codemod.base.errors import EnvironmentFault
from codemod.base.terminal.amounts import size
from codemod.base.terminal.text import shortened

if TYPE_CHECKING:
    from pathlib import Path

# Bytes of one file; a record of thousands of steps of a large net is smaller.
_MOST = 2**30
_REMEDY = "The kit's code may have written it."
# How text or JSON of another form shows itself to a reader who takes it for ours.
_OTHER_FORM = (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)


def opened(file: Path) -> IO[bytes] | None:
    """A regular file, open for reading; None where there is none.

    Raises:
        EnvironmentFault: it is a link, a pipe, a device or a folder, or cannot be read.
    """
    try:
        stream = os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EnvironmentFault(f"{file} cannot be read ({error.strerror}).", _REMEDY) from error
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise EnvironmentFault(f"{file} is not a regular file.", _REMEDY)
    return stream


def lines(file: Path) -> Iterator[bytes]:
    r"""The whole lines, without their `\n`; a last one that was cut off is left out.

    Raises:
        EnvironmentFault: as `opened`, or it is too large.
    """
    stream = opened(file)
    if stream is None:
        return
    with stream:
        _check_size(file, stream)
        for line in stream:
            if line.endswith(b"\n"):
                yield line[:-1]


def whole(file: Path) -> bytes | None:
    """The bytes of a file; None where there is none.

    Raises:
        EnvironmentFault: as `lines`.
    """
    stream = opened(file)
    if stream is None:
        return None
    with stream:
        _check_size(file, stream)
        return stream.read()


def content(file: Path) -> Any:
    """The JSON of a file; None where there is none.

    Raises:
        EnvironmentFault: as `lines`, or it is not JSON.
    """
    data = whole(file)
    with believed(file):
        return None if data is None else json.loads(data)


def tail(file: Path, size: int) -> str:
    """The text of the last `size` bytes of a file, which may be much larger than memory.

    Raises:
        EnvironmentFault: as `opened`.
    """
    stream = opened(file)
    if stream is None:
        return ""
    with stream:
        stream.seek(max(0, os.fstat(stream.fileno()).st_size - size))
        return stream.read(size).decode("utf-8", errors="replace")


@contextmanager
def believed(what: object) -> Iterator[None]:
    """While what was read is taken for what our own code writes.

    Raises:
        EnvironmentFault: it is of another form.
    """
    try:
        yield
    except _OTHER_FORM as error:
        why = shortened(f"{type(error).__name__}: {error}", 200)
        raise EnvironmentFault(
            f"{what} is not of the form that is read ({why}).", _REMEDY
        ) from error


def _check_size(file: Path, stream: IO[bytes]) -> None:
    held = os.fstat(stream.fileno()).st_size
    if held > _MOST:
        raise EnvironmentFault(
            f"{file} holds {size(held)}, and no more than {size(_MOST)} are read.", _REMEDY
        )
