"""Note which lines of the checkout's files the run executes, up to the end of its first steps.

A line of JSON, `[path, line]`, is written for each when it is first executed, so that a run that
crashes leaves what it came to. Each function is followed in its first calls, in the main thread;
after `STEPS` optimizer steps nothing is followed until `follow` is called: the steps that are timed
pay nothing. What AST makes of a function counts as the lines that it was made of; what SOT makes is
not seen.
"""

from __future__ import annotations

import dis
import json
import os
import sys
from typing import Any

_quoted = json.encoder.encode_basestring_ascii
_place = object.__hash__  # as `id`, which is an audit event each time
STEPS = 3
# Calls of one function that are followed line by line.
_CALLS = 20
# Where Paddle puts the source that AST makes, and what remembers its origin.
_MADE = "to_static_tmp"
_ORIGINS = "paddle.jit.dy2static.origin_info"
# Functions that ask for their own names are left alone: to follow a line brings the mapping that
# they hold up to date, so that it grows under a loop over it. A module's names are one mapping.
_OPTIMIZED = 1  # the flag of a function's code
_OWN_NAMES = frozenset(("locals", "vars"))
# What newer Pythons put between a function's name and the call.
_BETWEEN = ("CACHE", "PRECALL", "PUSH_NULL")
# What the names of the code that SOT makes of a function begin with: its lines are not the file's.
_TRANSLATED = "#$"


class _Lines:
    def __init__(self, out: str, root: str) -> None:
        self._roots = {os.path.join(form(root), "") for form in (os.path.abspath, os.path.realpath)}
        self._paths: dict[str, str] = {}
        # By the code's identity, with the code, so that no other one gets it: its hash is slow.
        self._calls: dict[int, tuple[int, Any]] = {}
        # The names of modules that lie elsewhere, by their identity.
        self._outside: dict[int, dict[str, Any]] = {}
        # What is not followed any more: nearly all calls, of which each pays for the look.
        self._done: set[int] = set()
        self._seen: set[tuple[str, int]] = set()
        self._file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)

    def call(self, frame: Any, event: str, argument: Any) -> Any:
        """The trace function: it looks into frames of the checkout's files alone."""
        # A frame's code is an audit event each time that it is asked for, its names are none.
        names = frame.f_globals
        if _place(names) in self._outside:
            return None
        code = frame.f_code
        place = _place(code)
        if place in self._done:
            return None
        file = dict.get(names, "__file__")
        if type(file) is str and not self._is_followed(file):
            self._outside[_place(names)] = names
            return None
        count = self._calls.get(place, (0, code))[0] + 1
        followed = (
            code.co_name[0] not in _TRANSLATED
            and self._is_followed(code.co_filename)
            and not (code.co_flags & _OPTIMIZED and _reads_own_names(code))
        )
        self._calls[place] = (count, code)
        if count >= _CALLS or not followed:
            self._done.add(place)
        return self._line if followed else None

    def _is_followed(self, name: str) -> bool:
        return _MADE in name or self._path(name) != ""

    def _line(self, frame: Any, event: str, argument: Any) -> Any:
        place = (frame.f_code.co_filename, frame.f_lineno)
        if _MADE in place[0]:
            place = _origin(place)
        key = (self._path(place[0]), place[1])
        if key[0] and key not in self._seen:
            self._seen.add(key)
            # By the C function: SOT of Paddle 2.6 translates what Python calls in here, and cannot
            # translate the making of an encoder.
            os.write(self._file, f"[{_quoted(key[0])}, {key[1]}]\n".encode("ascii"))
        return self._line

    def _path(self, name: str) -> str:
        """The file's path in the checkout; "" where it lies elsewhere, or is not there."""
        if name not in self._paths:
            whole = os.path.abspath(name)
            root = next((one for one in self._roots if whole.startswith(one)), "")
            self._paths[name] = whole[len(root) :] if root and _is_there(whole) else ""
        return self._paths[name]


def _reads_own_names(code: Any) -> bool:
    """Whether a function calls `locals()` or `vars()`; `vars(options)` is another matter."""
    loaded = False
    # Few functions have such a name at all, and `dis` is slow.
    for step in dis.get_instructions(code) if _OWN_NAMES.intersection(code.co_names) else ():
        if step.opname in _BETWEEN:
            continue
        if loaded and step.opname.startswith("CALL") and step.arg == 0:
            return True
        loaded = step.opname == "LOAD_GLOBAL" and step.argval in _OWN_NAMES
    return False


def _origin(place: tuple[str, int]) -> tuple[str, int]:
    """File and line that a line made by AST comes from; ("", 0) where Paddle does not know."""
    origins = getattr(sys.modules.get(_ORIGINS), "global_origin_info_map", {})
    found = origins.get(place)
    return ("", 0) if found is None else (found.location.filepath, found.location.lineno)


def _is_there(path: str) -> bool:
    """Whether there is such a file. Not by `os.path`: what that looks for, the run looked for."""
    try:
        os.stat(path)
    except OSError:
        return False
    return path.endswith(".py")


_lines: _Lines | None = None


def install(request: str) -> None:
    """Begin to note. `request` is JSON: `out`, the file to write, and `root`, the checkout."""
    global _lines
    asked = json.loads(request)
    _lines = _Lines(asked["out"], asked["root"])
    # Loaders' processes would only pay for it.
    os.register_at_fork(after_in_child=lambda: sys.settrace(None))
    follow(True)


def follow(on: bool) -> None:
    """Note from now on, or no longer; nothing where the run was not asked to note lines."""
    if _lines is not None:
        sys.settrace(_lines.call if on else None)
