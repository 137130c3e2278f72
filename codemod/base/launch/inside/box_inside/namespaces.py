"""Namespaces of the box's own: processes, network, mounts, so that it sees and reaches itself."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
from contextlib import suppress

from . import system

_ALL = system.NEW_USER | system.NEW_MOUNTS | system.NEW_NETWORK | system.NEW_IPC | system.NEW_PIDS
# Sockets of services that run as this user, and shared memory of others.
_HIDDEN = ("/run",)
# All of `/dev` that a process needs. Terminals and disks may be the user's: no mount that is
# read-only keeps anybody from writing to a device.
_DEVICES = ("null", "zero", "full", "random", "urandom")
_NAMED = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}
_SHARED_MEMORY = "/dev/shm"  # noqa: S108
_SET_FLAGS, _UP = 0x8914, 1


def offered() -> bool:
    """Whether this system lets this user have them; tried in a process that is thrown away."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            enter()
            inner = os.fork()
            if inner == 0:
                settle([], [], "")
                os._exit(0)
            code = os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1])
        except BaseException:
            code = 1
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def enter() -> None:
    """Leave the shared namespaces; the next child is the first process of new ones.

    Raises OSError.
    """
    user, group = os.geteuid(), os.getegid()
    system.unshare(_ALL)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(text)


def settle(writes: list[str], covered: list[str], scratch: str) -> None:
    """In the first process: its own /proc, loopback, and all files read-only but `writes`.

    What is written below `covered` goes to memory, where the system offers that, else nowhere.

    Raises:
        OSError: something of this is not allowed.
    """
    system.mount("none", "/", "", system.RECURSIVE | system.SLAVE)
    safe = system.NO_SUID | system.NO_DEVICES
    system.mount("proc", "/proc", "proc", safe | system.NO_EXEC)
    _raise_loopback()
    if not any(_below(folder, "/dev") for folder in writes):
        _own_devices()
    # With /proc: by its files a first user changes the whole system.
    system.set_read_only("/", read_only=True, below=True)
    for place in (*_HIDDEN, _SHARED_MEMORY):
        if os.path.isdir(place) and not any(_below(folder, place) for folder in writes):  # noqa: PTH112
            system.mount("tmpfs", place, "tmpfs", safe)
    for folder in covered:
        with suppress(OSError):
            _cover(folder, scratch)
    for folder in writes:
        system.mount(folder, folder, "", system.BIND | system.RECURSIVE)
        system.set_read_only(folder, read_only=False, below=False)


def _own_devices() -> None:
    """A `/dev` with what every process needs, and nothing of the system's beside it."""
    places = {name: os.open(f"/dev/{name}", os.O_PATH) for name in _DEVICES}
    system.mount("tmpfs", "/dev", "tmpfs", system.NO_SUID | system.NO_EXEC)
    for name, handle in places.items():
        os.close(os.open(f"/dev/{name}", os.O_CREAT | os.O_WRONLY, 0o666))
        system.mount(f"/proc/self/fd/{handle}", f"/dev/{name}", "", system.BIND)
        os.close(handle)
    for name, ending in _NAMED.items():
        os.symlink(f"/proc/self/fd{ending}", f"/dev/{name}")  # noqa: PTH211
    os.mkdir(_SHARED_MEMORY)  # noqa: PTH102


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _cover(folder: str, scratch: str) -> None:
    """Lay a layer of memory over a folder, which takes what is written to it."""
    if any(sign in folder + scratch for sign in ",:\\"):
        return
    layer = f"{scratch}/layer"
    system.mount("tmpfs", layer, "tmpfs", system.NO_SUID | system.NO_DEVICES)
    for name in ("upper", "work"):
        os.mkdir(f"{layer}/{name}")  # noqa: PTH102
    options = f"lowerdir={folder},upperdir={layer}/upper,workdir={layer}/work,userxattr"
    system.mount("overlay", folder, "overlay", system.NO_SUID | system.NO_DEVICES, options)


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
        fcntl.ioctl(ours, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
