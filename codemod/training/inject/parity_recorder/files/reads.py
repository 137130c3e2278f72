"""Note what of the checkout a run imports, opens, lists, or looks for and does not find.

Each is noted once, when it is first looked at, as a line of JSON: `[kind, folder, path, state]`,
with the kinds of `states.py`, and `written` for what the run itself writes. Children of the process
note into the same file. What C++ opens by itself is not seen.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import json
import os
import sys
from typing import Any, Callable, Sequence

from ..importhook import after_import
from .states import STATES, module_state

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LOOKS = ("exists", "lexists", "isfile", "isdir")
_PATH_LOOKS = ("exists", "is_file", "is_dir")
# The import system lists folders for itself, and what it looks for is noted one by one; these look
# for packages' metadata.
_LISTERS = ("importlib._bootstrap", os.path.join("importlib", "metadata"), "pkg_resources")
_HIDDEN = {"__pycache__", ".git"}


class Reads:
    """Writes a line for each new thing below one of the folders `roots`, named by their keys."""

    def __init__(self, out: str, roots: dict[str, str]) -> None:
        self._roots = [
            (name, form.rstrip(os.sep) + os.sep)
            for name, folder in roots.items()
            for form in dict.fromkeys((os.path.abspath(folder), os.path.realpath(folder)))
        ]
        self._seen: set[tuple[str, str, str]] = set()
        self.open(out)

    def open(self, out: str) -> None:
        """Note into this file from now on; what was noted before is not noted again."""
        self._file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)

    def note(self, kind: str, path: Any, extra: str = "") -> None:
        """Note a path; of one outside of all folders nothing is kept."""
        place = self._place(path)
        if place is None:
            return
        key = (kind, *place)
        if key in self._seen:
            return
        self._seen.add(key)
        state = extra or (
            STATES[kind](os.path.abspath(os.fsdecode(path))) if kind in STATES else ""
        )
        line = json.dumps([kind, *place, state]) + "\n"
        os.write(self._file, line.encode("ascii"))

    def _place(self, path: Any) -> tuple[str, str] | None:
        """The folder's key and the path in it."""
        if isinstance(path, int):
            return None
        whole = os.path.abspath(os.fsdecode(path))
        for name, root in self._roots:
            if (whole + os.sep).startswith(root):
                inner = whole[len(root) :]
                hidden = _HIDDEN.intersection(inner.split(os.sep))
                return None if hidden else (name, inner)
        return None

    def within(self, path: str) -> bool:
        """Whether a path lies below one of the folders."""
        return self._place(path) is not None


class _Watch(importlib.abc.MetaPathFinder):
    """Finds nothing itself: notes where an import looks before it finds."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Note every place up to the one where the module is."""
        try:
            if path is not None or fullname not in sys.builtin_module_names:
                self._look(fullname.rpartition(".")[2], sys.path if path is None else path)
        except Exception:  # the run must not end for our sake
            return None
        return None

    def _look(self, name: str, entries: Sequence[str]) -> None:
        for entry in list(entries):
            stem = os.path.join(os.path.abspath(entry or os.curdir), name)
            state = module_state(stem)
            if self._reads.within(stem):
                self._reads.note("module", stem)
                if state in ("pkg", "py"):
                    file = os.path.join(stem, "__init__.py") if state == "pkg" else stem + ".py"
                    self._reads.note("file", file)
            if state not in ("", "dir"):
                return


def _events(reads: Reads) -> dict[str, Callable[..., None]]:
    def opened(path: Any, mode: Any, flags: Any) -> None:
        text = mode if isinstance(mode, str) else ""
        writes = set(text) & set("wax+") or (
            not text and isinstance(flags, int) and flags & _WRITES
        )
        reads.note("written" if writes else "file", path)

    def listed(path: Any = None) -> None:
        frame = sys._getframe(2)
        if not any(word in frame.f_code.co_filename for word in _LISTERS):
            reads.note("list", os.curdir if path is None else path)

    def executed(code: Any) -> None:
        name = getattr(code, "co_filename", "")
        if name.endswith(".py"):
            reads.note("file", name)

    def moved(source: Any, target: Any, *_: Any) -> None:
        reads.note("written", source)
        reads.note("written", target)

    def written(path: Any, *_: Any) -> None:
        reads.note("written", path)

    def started(path: Any) -> None:
        reads.note("file", path)

    return {
        "open": opened,
        "os.listdir": listed,
        "os.scandir": listed,
        "exec": executed,
        "os.rename": moved,
        "os.remove": written,
        "os.mkdir": written,
        "os.rmdir": written,
        "cpython.run_file": started,
    }


def install(request: str) -> Reads:
    """Begin to note. `request` is JSON: `out`, the file to write, and `roots`, folders by key."""
    asked = json.loads(request)
    reads = Reads(asked["out"], asked["roots"])
    events = _events(reads)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        handler = events.get(event)
        if handler is None:
            return
        try:
            handler(*arguments)
        except Exception:  # an error here would be the kit's
            return

    sys.addaudithook(hook)
    sys.meta_path.insert(0, _Watch(reads))
    for name in _LOOKS:
        setattr(os.path, name, _noting(reads, getattr(os.path, name)))
    after_import("pathlib", lambda module: _note_paths(reads, module.Path))
    return reads


def _note_paths(reads: Reads, kind: Any) -> None:
    for name in _PATH_LOOKS:
        setattr(kind, name, _noting(reads, getattr(kind, name)))


def _noting(reads: Reads, real: Callable[..., bool]) -> Callable[..., bool]:
    """The function, which notes the path that it is asked about."""

    @functools.wraps(real)
    def look(path: Any, *more: Any, **options: Any) -> bool:
        answer = real(path, *more, **options)
        try:
            reads.note("path", path)
        except Exception:
            return answer
        return answer

    return look
