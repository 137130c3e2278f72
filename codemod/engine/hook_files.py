"""The files that a hook runs through, and their content once the change is made."""

from __future__ import annotations

import hashlib
from pathlib import Path

from codemod.base.changeset import ChangeSet
from codemod.code.tree import Tree

_DIGITS = 16
NAMED = b"to_static"
"""What every file of a hook names: the call, its helper, the option that turns it on."""


def digest(data: bytes) -> str:
    """A digest of a file's content, as a run notes it of what it reads."""
    return hashlib.sha256(data).hexdigest()[:_DIGITS]


def names_hook(file: Path) -> bool:
    """Whether a file names what every file of a hook names; one that was removed does not."""
    return file.is_file() and NAMED in file.read_bytes()


class HookFiles:
    """The kit's files as `codemod apply` makes them."""

    def __init__(self, tree: Tree, change_set: ChangeSet) -> None:
        self._tree = tree
        self._change_set = change_set
        self._becomes = {change.path: change.new for change in change_set.changes}

    def content(self, path: str) -> bytes | None:
        """What the file holds after the change; None where there is none."""
        if path in self._becomes:
            return self._becomes[path]
        try:
            return self._tree.read(path)
        except FileNotFoundError:
            return None

    def digest(self, path: str) -> str:
        """A digest of the file after the change; "" where there is none."""
        data = self.content(path)
        return "" if data is None else digest(data)

    def of_hook(self, place: str) -> frozenset[str]:
        """The files that the hooks at `FILE:SCOPE` need and that name it."""
        hooks = self._change_set.hooks
        chosen = {i for i, hook in enumerate(hooks) if hook.place == place}
        files = {hooks[i].file for i in chosen}
        files |= {edit.file for edit in self._change_set.edits if chosen & set(edit.hooks)}
        return frozenset(path for path in files if NAMED in (self.content(path) or b""))

    def whole(self) -> str:
        """The checksum that `hook_checksum` gives of the tree after the change."""
        found = hashlib.sha256()
        for path in sorted(self._tree.paths(".py"), key=lambda path: path.split("/")):
            data = self.content(path)
            hidden = any(part.startswith(".") for part in path.split("/"))
            if data is not None and NAMED in data and not hidden:
                found.update(path.encode("utf-8", "surrogateescape") + b"\0" + data)
        return found.hexdigest()[:_DIGITS]
