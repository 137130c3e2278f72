"""Revisions of real kits, read from clones that the user has; nothing is fetched."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (".py", ".yml", ".yaml", ".txt", ".md", ".sh", ".json", ".cfg", ".toml")


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone, bare or not; `kit` is the last part of its name (`OWNER+NAME` is taken apart)."""

    kit: str
    git_dir: Path

    def git(self, *arguments: str) -> bytes:
        """What a git command prints.

        Raises:
            subprocess.CalledProcessError: git failed.
        """
        command = ["git", f"--git-dir={self.git_dir}", *arguments]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def revisions(self) -> list[str]:
        """All commits that any ref reaches."""
        return self.git("rev-list", "--all").decode().split()

    def has(self, commit: str) -> bool:
        """Whether the clone has that commit."""
        command = ["git", f"--git-dir={self.git_dir}", "cat-file", "-e", f"{commit}^{{commit}}"]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0

    def export(self, revision: str, into: Path) -> None:
        """Write the text files of a revision; blobs that the clone lacks are left out."""
        listed = self.git("ls-tree", "-r", "-z", revision).split(b"\0")
        rows = [line.split(b"\t", 1) for line in listed if line]
        wanted = [
            (meta.split()[2], path.decode("utf-8", "surrogateescape"))
            for meta, path in rows
            if meta.startswith(b"100") and path.decode("utf-8", "replace").endswith(TEXT)
        ]
        command = ["git", f"--git-dir={self.git_dir}", "cat-file", "--batch"]
        given = b"".join(blob + b"\n" for blob, _ in wanted)
        output = subprocess.run(command, input=given, check=True, capture_output=True).stdout
        at = 0
        for _, path in wanted:
            end = output.index(b"\n", at)
            header = output[at:end].split()
            at = end + 1
            if header[-1] == b"missing":
                continue
            size = int(header[2])
            target = into / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(output[at : at + size])
            at += size + 1


def clones(folder: Path) -> list[Clone]:
    """The clones in a folder: `NAME`, `NAME.git`, `OWNER+NAME`, each itself or its `repo`."""
    found = []
    for entry in sorted(folder.iterdir()):
        for git_dir in (entry / ".git", entry / "repo" / ".git", entry / "repo", entry):
            if (git_dir / "HEAD").is_file() and (git_dir / "objects").is_dir():
                name = entry.name.removesuffix(".git").rpartition("+")[2]
                found.append(Clone(name, git_dir))
                break
    return found
