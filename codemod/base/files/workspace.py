"""The workspace folder `.codemod/`: fetched kits, results, logs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from codemod.base.errors import UsageError
from codemod.base.git_state import git_output_or_none

DEFAULT = ".codemod"
_REMEDY = "Remove it, or name another workspace with --workspace."


@dataclass(frozen=True, slots=True)
class Workspace:
    """The tool's own folder. It is made on disk only when something is kept in it."""

    root: Path

    @classmethod
    def at(cls, folder: Path | None = None) -> Workspace:
        """The workspace in `folder`, by default `.codemod` under the current folder.

        Raises:
            UsageError: it is a symbolic link, another user's, or part of a repository:
                what it holds is then somebody else's word.
        """
        root = (folder or Path(DEFAULT)).absolute()
        if root.is_symlink():
            raise UsageError(f"The workspace {root} is a symbolic link.", _REMEDY)
        if root.exists():
            _check_own(root)
        return cls(root)

    def make(self, *parts: str) -> Path:
        """The folder `parts` inside the workspace, made if need be, ignored by git.

        Raises:
            UsageError: a folder on the way is a symbolic link, or cannot be written.
        """
        folder = self.root.joinpath(*parts)
        for n in range(len(parts) + 1):
            level = self.root.joinpath(*parts[:n])
            if level.is_symlink():
                raise UsageError(f"{level} in the workspace is a symbolic link.", _REMEDY)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            ignore = self.root / ".gitignore"
            if not os.path.lexists(ignore):
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


def _check_own(root: Path) -> None:
    """Refuse a workspace that came with a repository or from another user."""
    if not root.is_dir():
        raise UsageError(f"The workspace {root} is not a folder.", _REMEDY)
    # As git does: whoever runs this by `sudo` may use what is theirs.
    named = os.environ.get("SUDO_UID", "")
    owners = {os.geteuid(), *([int(named)] if named.isdecimal() else [])}
    if root.stat().st_uid not in owners:
        raise UsageError(f"The workspace {root} belongs to another user.", _REMEDY)
    if git_output_or_none(root.parent, "--literal-pathspecs", "ls-files", "-z", "--", root.name):
        raise UsageError(
            f"The workspace {root} is tracked by git, so it may hold anything.", _REMEDY
        )
