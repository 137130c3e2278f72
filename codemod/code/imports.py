"""What a script runs: the kit's files that it imports, and those import in turn."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from codemod.code.project import Project

# Import statements are found by their text: a large kit has thousands of files to follow.
# A pattern that begins with a literal character, the line's end, is faster than one with `^`.
_FROM = re.compile(r"\n[ \t]*from[ \t]+([\w.]*)[ \t]+import[ \t]+(\(?)")
_IMPORT = re.compile(r"\n[ \t]*import[ \t]([\w. \t,]+)")
_WORD = re.compile(r"[A-Za-z_]\w*")


class Imports:
    """Follows imports; each file is read once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._next: dict[str, frozenset[str]] = {}
        self._found: dict[tuple[str, str], str | None] = {}

    def reached(self, script: str) -> frozenset[str]:
        """The script and every file of the kit that it imports, also inside functions."""
        seen: set[str] = set()
        waiting = {script}
        while waiting:
            path = waiting.pop()
            seen.add(path)
            waiting |= self.direct(path) - seen
        return frozenset(seen)

    def direct(self, path: str) -> frozenset[str]:
        """The files of the kit that a file itself imports."""
        if path not in self._next:
            text = self._project.tree.read(path).decode("utf-8", "replace")
            found = {f for name in _names(text) for f in self._files(path, name)}
            self._next[path] = frozenset(found)
        return self._next[path]

    def _files(self, importer: str, name: str) -> Iterator[str]:
        """The file of a module, and those of the packages above it, which are run first."""
        dots = len(name) - len(name.lstrip("."))
        parts = name[dots:].split(".")
        for end in range(0 if dots else 1, len(parts) + 1):
            whole = "." * dots + ".".join(parts[:end])
            key = posixpath.dirname(importer), whole
            if key not in self._found:
                self._found[key] = self._project.resolve(importer, whole)
            found = self._found[key]
            if found is not None:
                yield found
            elif end == 1 and not dots:  # a package of others; a folder may lack its __init__.py
                return


def _names(text: str) -> Iterator[str]:
    """The dotted names that a text may import, modules and what is taken from them."""
    text = "\n" + text
    for match in _IMPORT.finditer(text):
        for part in match.group(1).split(","):
            if part.split():
                yield part.split()[0]
    for base, listed in _from_imports(text):
        yield base
        dot = "" if base.endswith(".") else "."
        for word in listed.split(","):
            name = _WORD.match(word.strip())
            if name is not None:
                yield f"{base}{dot}{name.group(0)}"


def _from_imports(text: str) -> Iterator[tuple[str, str]]:
    """What is imported from, and the text that lists the names."""
    at = 0
    while match := _FROM.search(text, at):
        line = text.find("\n", match.end())
        at = len(text) if line < 0 else line
        if match.group(2):
            closed = text.find(")", match.end())
            at = at if closed < 0 else closed
        listed = text[match.end() : at]
        yield match.group(1), listed if match.group(2) else listed.partition("#")[0]
