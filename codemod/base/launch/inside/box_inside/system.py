"""Calls of Linux that Python has no name for; where there is none, they fail as calls do."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

SET_DEATH_SIGNAL = 1
SET_SUBREAPER = 36
SET_NO_NEW_PRIVILEGES = 38
DROP_FROM_BOUNDING_SET = 24
NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PIDS, NEW_NETWORK = (
    0x00020000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, BIND, RECURSIVE, SLAVE = 1, 2, 4, 8, 4096, 16384, 1 << 19
_MOUNT_SETATTR = 442
_HERE, _WHOLE_TREE = -100, 0x8000
_C = ctypes.CDLL(None, use_errno=True)


def _c(name: str, *arguments: object) -> int:
    """What a function of the C library answers. Raises OSError, also where there is none."""
    function = getattr(_C, name, None)
    if function is None:
        raise OSError(38, "no such call")
    answer = int(function(*arguments))
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer


def call(number: int, *arguments: object) -> int:
    """A system call by its number. Raises OSError."""
    return _c("syscall", ctypes.c_long(number), *arguments)


def prctl(option: int, value: int = 0) -> None:
    """Set an attribute of this process. Raises OSError, also where the system is not Linux."""
    _c("prctl", option, ctypes.c_ulong(value), 0, 0, 0)


def unshare(flags: int) -> None:
    """Leave the namespaces that this process shares with others. Raises OSError."""
    _c("unshare", flags)


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system, as the call of that name. Raises OSError."""
    words = [os.fsencode(text) for text in (source, target, kind)]
    _c("mount", *words, ctypes.c_ulong(flags), os.fsencode(data) or None)


def set_read_only(place: str, read_only: bool, below: bool) -> None:
    """Let nothing, or again something, be written to a mount, with those `below` it."""
    # attr_set, attr_clr, propagation, userns_fd
    wanted = (1, 0, 0, 0) if read_only else (0, 1, 0, 0)
    attributes = (ctypes.c_uint64 * 4)(*wanted)
    call(
        _MOUNT_SETATTR,
        ctypes.c_int(_HERE),
        os.fsencode(place),
        ctypes.c_uint(_WHOLE_TREE if below else 0),
        attributes,
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )


def drop_capabilities() -> None:
    """Give up all that a first user of a namespace may do, for good."""
    for number in range(64):
        with suppress(OSError):
            prctl(DROP_FROM_BOUNDING_SET, number)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    _c("capset", header, (ctypes.c_uint32 * 6)())
