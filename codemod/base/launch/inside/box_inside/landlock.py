"""Landlock: a process gives up writing outside of some folders, for itself and its children."""

from __future__ import annotations

import ctypes
import os
import struct
from contextlib import suppress

from . import system

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION, _BELOW_PATH = 1, 1
_WRITE_FILE = 1 << 1
# Removing and making of every kind; then what later versions brought.
_CHANGES = sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_TCP = 0b11
_SCOPES = 0b11
# Devices that hold nothing of anybody's.
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def version() -> int:
    """What this kernel offers; 0 for nothing."""
    try:
        return system.call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    except OSError:
        return 0


def contains() -> str:
    """What `restrict` takes away here: "files" (writing and TCP), "writes", or "nothing"."""
    offered = version()
    return "files" if offered >= 4 else "writes" if offered else "nothing"


def restrict(writes: list[str], tcp: bool) -> None:
    """Let this process write below `writes` and to five devices alone; without `tcp`, no TCP.

    Needs a process that gets no new privileges. Raises OSError.
    """
    offered = version()
    rights = _WRITE_FILE | _CHANGES | (_REFER if offered >= 2 else 0)
    rights |= _TRUNCATE if offered >= 3 else 0
    net = 0 if tcp or offered < 4 else _TCP
    words = (rights, net, _SCOPES if offered >= 6 else 0)
    size = 24 if offered >= 6 else 16 if offered >= 4 else 8
    asked = ctypes.create_string_buffer(struct.pack("=QQQ", *words))
    ruleset = system.call(_CREATE, asked, ctypes.c_size_t(size), ctypes.c_uint32(0))
    for folder in writes:
        _allow(ruleset, folder, rights)
    for device in _DEVICES:
        _allow(ruleset, device, _WRITE_FILE | (rights & _TRUNCATE))
    _allow(ruleset, "/dev/shm", rights)  # noqa: S108
    system.call(_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _allow(ruleset: int, folder: str, rights: int) -> None:
    with suppress(FileNotFoundError):
        place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, place))
        try:
            system.call(
                _ADD, ctypes.c_int(ruleset), ctypes.c_int(_BELOW_PATH), rule, ctypes.c_uint32(0)
            )
        finally:
            os.close(place)
