"""Which branches the tool made, so that a second run may move those and no others."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from codemod.base.files.shared_file import replace_file
from codemod.base.files.state import make_state, tree_key


@dataclass(frozen=True, slots=True)
class BranchRecord:
    """A branch as the tool left it: `tip`, and what was pushed to which remote."""

    tip: str
    base: str
    pushed: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BranchLedger:
    """The record of one repository's branches."""

    file: Path

    @classmethod
    def of(cls, git_dir: Path) -> BranchLedger:
        """The record of the repository with that git directory; its folder is made."""
        tree = git_dir.parent if git_dir.name == ".git" else git_dir
        return cls(make_state("branches", outside=tree) / f"{tree_key(tree)}.json")

    def read(self, branch: str) -> BranchRecord | None:
        """What is known of a branch; a damaged record counts as none."""
        try:
            return BranchRecord(**json.loads(self.file.read_bytes())[branch])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, branch: str, made: BranchRecord) -> None:
        """Keep what was made."""
        try:
            content = json.loads(self.file.read_bytes())
        except (OSError, ValueError):
            content = {}
        content[branch] = asdict(made)
        replace_file(self.file, json.dumps(content, indent=1).encode())
