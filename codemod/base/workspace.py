"""The workspace folder `.codemod/`: fetched kits, records of what was applied, logs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from codemod.base.errors import UsageError

DEFAULT = ".codemod"
# In a tree's record folder, while files of that tree are being replaced.
JOURNAL = "journal.json"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder of our own. Nothing is made on disk before something is kept in it."""

    root: Path

    @classmethod
    def at(cls, folder: Path | None = None) -> Workspace:
        """The workspace in `folder`, by default `.codemod` under the current folder."""
        return cls((folder or Path(DEFAULT)).absolute())

    def make(self, *parts: str) -> Path:
        """The folder `parts` inside the workspace, made if need be, ignored by git."""
        folder = self.root.joinpath(*parts)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            ignore = self.root / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n")
        except OSError as error:
            raise UsageError(
                f"The workspace {self.root} cannot be written ({error.strerror}).",
                "Name another with --workspace.",
            ) from error
        return folder

    def kits(self) -> Path:
        """Where fetched kits lie, one folder a kit."""
        return self.root / "kits"

    def record(self, tree: Path) -> Path:
        """Where the record of what was applied to `tree` lies, keyed by its real path."""
        key = hashlib.sha256(str(tree.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
        return self.root / "trees" / f"{tree.resolve().name}-{key[:16]}"
