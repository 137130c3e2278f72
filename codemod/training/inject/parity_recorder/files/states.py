"""What there is at a path: asked by the run when it looks, and by the tool when it compares."""

from __future__ import annotations

import hashlib
import importlib.machinery
import os

# Bound here: a run's own functions of these names note what they are asked.
from os.path import isdir, isfile, lexists

# Of larger files size and time are taken: reading them would cost more than a step.
LARGEST = 1 << 26
_CHUNK = 1 << 20
_LEFT_OUT = {"__pycache__", ".git"}


def file_state(path: str) -> str:
    """A digest of a file's content; of a very large one its size and time; "" without a file."""
    try:
        status = os.stat(path)
        if not isfile(path):
            return ""
        if status.st_size > LARGEST:
            return "{}-{}".format(status.st_size, status.st_mtime_ns)
        found = hashlib.sha256()
        with open(path, "rb") as file:
            for chunk in iter(lambda: file.read(_CHUNK), b""):
                found.update(chunk)
    except OSError:
        return ""
    return found.hexdigest()[:16]


def path_state(path: str) -> str:
    """`dir`, `file`, or "" where there is nothing."""
    if isdir(path):
        return "dir"
    return "file" if lexists(path) else ""


def list_state(path: str) -> str:
    """A digest of the names in a folder; "" where it cannot be listed."""
    try:
        names = sorted(set(os.listdir(path)) - _LEFT_OUT)
    except OSError:
        return ""
    text = "\0".join(names).encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()[:16]


def module_state(stem: str) -> str:
    """What an import finds at a path without its ending, in the order in which Python looks.

    `pkg` (a folder with `__init__.py`), the ending of an extension, `py`, `dir` (a part of a
    package in several places), or "".
    """
    if isfile(os.path.join(stem, "__init__.py")):
        return "pkg"
    for ending in (*importlib.machinery.EXTENSION_SUFFIXES, ".py", ".pyc"):
        if isfile(stem + ending):
            return ending.lstrip(".")
    return "dir" if isdir(stem) else ""


STATES = {
    "file": file_state,
    "path": path_state,
    "list": list_state,
    "module": module_state,
}
