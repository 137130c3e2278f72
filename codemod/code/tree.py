"""The files of a kit, and the text search that keeps every other stage cheap.

Measured on PaddleNLP (2,574 Python files, 28 MB): walking 12 ms, reading 15 ms, searching
for literals 8 ms each, against 180 ms for a regular expression with alternatives. So a
pattern that is a choice of literals is searched literal by literal, and one process is
enough: starting a second one costs more than the search.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from codemod.base.git_state import tracked_files
from codemod.base.reason import Reason

LINK = Reason.of("code.link-outside")
_SKIPPED = frozenset({".git", ".hg", ".svn", ".codemod", "__pycache__", "node_modules"})
_SPECIAL = re.compile(rb"[.^$*+?{}\[\]()]|\\(?![.^$*+?{}\[\]()\\|])")
_ESCAPED = re.compile(rb"\\(.)")


class Tree:
    """The regular files under a kit's root, named by paths relative to it, with `/`.

    In a git work tree these are the tracked files; else what a walk finds that is not a
    tool's own (`.git`, caches, virtual environments). Symbolic links are never followed:
    one that stays inside the tree names a file that is listed anyway, one that leads out
    is none of the kit's.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._base = os.path.join(str(root.resolve()), "")  # noqa: PTH118 - must end in a slash
        self._paths: list[str] | None = None
        self._by_suffix: dict[str | tuple[str, ...], list[str]] = {}
        self._texts: dict[str | tuple[str, ...], list[tuple[str, bytes]]] = {}
        self._cache: dict[str, bytes] = {}
        self._inside: dict[str, bool] = {}
        self._left_out: dict[str, Reason] = {}

    @property
    def left_out(self) -> dict[str, Reason]:
        """The Python files and the folders that are not read, with the reason."""
        self.paths()
        return self._left_out

    def paths(self, suffix: str | tuple[str, ...] = "") -> list[str]:
        """The paths that end in `suffix`, sorted; the same list for all who ask."""
        if self._paths is None:
            links: list[str] = []
            paths = tracked_files(self.root, links)
            if paths is None:
                paths = list(_walk(self._base, links, self._left_out))
            else:
                # Git lists what it tracks, also where the user has deleted it.
                paths = [path for path in paths if os.path.lexists(self._base + path)]
            self._paths = sorted(paths)
            self._left_out |= {link: LINK for link in links if self._leads_out(link)}
        if suffix not in self._by_suffix:
            self._by_suffix[suffix] = [path for path in self._paths if path.endswith(suffix)]
        return self._by_suffix[suffix]

    def read(self, path: str) -> bytes:
        """The bytes of `path`, kept for the next reader.

        Raises:
            FileNotFoundError: no such regular file inside the tree.
        """
        data = self._cache.get(path)
        if data is None:
            data = self._cache[path] = self._load(path)
        return data

    def grep(
        self, pattern: bytes | re.Pattern[bytes], suffix: str | tuple[str, ...] = ".py"
    ) -> list[str]:
        """The paths whose bytes match the regular expression `pattern`, sorted.

        A choice of plain words (`b"to_static|DataParallel"`) is ten times faster than
        anything that needs the regular expression engine.
        """
        regex = re.compile(pattern)
        words = () if regex.flags & re.IGNORECASE else _literals(regex.pattern)
        texts = self._texts_of(suffix)
        if not words:
            return [path for path, data in texts if regex.search(data)]
        # Word for word, without a generator: this is asked of every file for every word.
        found = {path for word in words for path, data in texts if word in data}
        return [path for path, _ in texts if path in found]

    def _texts_of(self, suffix: str | tuple[str, ...]) -> list[tuple[str, bytes]]:
        """The files that can be read, with their bytes."""
        if suffix not in self._texts:
            both = ((path, self._read_if_there(path)) for path in self.paths(suffix))
            self._texts[suffix] = [(path, data) for path, data in both if data is not None]
        return self._texts[suffix]

    def _read_if_there(self, path: str) -> bytes | None:
        try:
            return self.read(path)
        except FileNotFoundError as fault:
            self._note(path, fault)
            return None

    def _note(self, path: str, fault: FileNotFoundError) -> None:
        """Keep why a file that is there is not read; one that is gone is nobody's surprise."""
        cause = fault.__cause__
        if path.endswith(".py") and not isinstance(cause, FileNotFoundError):
            said = cause.strerror if isinstance(cause, OSError) else str(fault)
            self._left_out[path] = Reason.of("code.unreadable", said=said or "")

    def _leads_out(self, link: str) -> bool:
        real = os.path.realpath(self._base + link)
        return os.path.exists(real) and not real.startswith(self._base)  # noqa: PTH110

    def _load(self, path: str) -> bytes:
        folder = path.rpartition("/")[0]
        if folder not in self._inside:
            real = os.path.realpath(self._base + folder)
            self._inside[folder] = os.path.join(real, "").startswith(self._base)  # noqa: PTH118
        if not self._inside[folder]:
            raise FileNotFoundError(str(LINK))
        return _read_regular(self._base + path)


def _read_regular(name: str) -> bytes:
    """The bytes of a regular file; a link, a pipe or a folder is none."""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise FileNotFoundError(name) from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise FileNotFoundError("not a regular file")
        data = os.read(handle, status.st_size + 1)
        if len(data) <= status.st_size:
            return data
        parts = [data]
        while part := os.read(handle, 1 << 20):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def mentions(root: Path, word: bytes) -> bool:
    """Whether any Python file under `root` holds `word`: stops at the first that does."""
    base = os.path.join(str(root), "")  # noqa: PTH118 - must end in a slash
    for path in _walk(base):
        if path.endswith(".py"):
            try:
                if word in _read_regular(base + path):
                    return True
            except FileNotFoundError:
                continue
    return False


def _walk(
    base: str, links: list[str] | None = None, left_out: dict[str, Reason] | None = None
) -> Iterator[str]:
    """The regular files under `base` (which ends in a slash), relative to it.

    `links` gets the symbolic links to Python files, `left_out` the folders that cannot be read.
    """
    folders = [base]
    cut = len(base)
    while folders:
        folder = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as fault:
            if left_out is not None:
                left_out[folder[cut:]] = Reason.of("code.unreadable", said=fault.strerror or "")
            continue
        if any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        for entry in entries:
            if entry.is_symlink():
                if links is not None and entry.name.endswith(".py"):
                    links.append(entry.path[cut:])
                continue
            if entry.is_file(follow_symlinks=False):
                yield entry.path[cut:]
            elif entry.is_dir(follow_symlinks=False) and entry.name not in _SKIPPED:
                folders.append(entry.path)


def _literals(pattern: bytes) -> tuple[bytes, ...]:
    """The words of a pattern that is a choice of plain words, else nothing."""
    words = []
    for word in re.split(rb"(?<!\\)\|", pattern):
        if not word or _SPECIAL.search(re.sub(rb"\\[^A-Za-z0-9]", b"", word)):
            return ()
        words.append(_ESCAPED.sub(rb"\1", word))
    return tuple(words)
