"""The text files of one commit as a folder, byte for byte.

`git archive` would rewrite line ends and keywords where `.gitattributes` says so, and a
work tree may hold edits; the blobs themselves are what a branch must be planned on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from codemod.base.atomic import new_below
from codemod.base.errors import UsageError
from codemod.base.git_state import GitError
from codemod.kits.sources.clone import TEXT
from codemod.reports.pullrequest.git.repository import Repository

# What `apply` finds in a fetched kit: a plan on fewer files, such as without the kit's
# pyproject.toml, may write other lines.
PLANNED = tuple(glob.removeprefix("*") for glob in TEXT)
_FILES = ("100644", "100755")


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A regular file of a commit."""

    path: str
    mode: str
    blob: str


def entries(repository: Repository, commit: str) -> Iterator[TreeEntry]:
    """The regular files of a commit; links and submodules are left out."""
    listing = repository.run("ls-tree", "-r", "-z", "--full-tree", commit)
    for row in listing.split(b"\0"):
        head, _, name = row.partition(b"\t")
        if head.startswith(tuple(mode.encode() for mode in _FILES)):
            mode, _, blob = head.decode().split()
            yield TreeEntry(os.fsdecode(name), mode, blob)


def export(
    repository: Repository, commit: str, folder: Path, suffixes: Sequence[str] = PLANNED
) -> dict[str, str]:
    """Write the files with these suffixes under `folder`; returns path -> mode.

    Raises:
        UsageError: the clone lacks the text of some files, or a path leads out of a tree.
    """
    wanted = [
        entry for entry in entries(repository, commit) if entry.path.endswith(tuple(suffixes))
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for entry, data in _blobs(repository, wanted):
        parts = PurePosixPath(entry.path).parts
        if ".." in parts or ".git" in parts or entry.path.startswith("/"):
            raise UsageError(f"The commit holds a path that leads out of the tree: {entry.path}.")
        new_below(folder, entry.path, data)
    return {entry.path: entry.mode for entry in wanted}


def _blobs(
    repository: Repository, wanted: Sequence[TreeEntry]
) -> Iterator[tuple[TreeEntry, bytes]]:
    """The bytes of many files by one process."""
    try:
        stream = repository.run(
            "cat-file", "--batch", stdin="".join(f"{entry.blob}\n" for entry in wanted).encode()
        )
    except GitError as error:
        raise _lacking(repository, error.reason) from error
    at = 0
    for entry in wanted:
        end = stream.index(b"\n", at)
        head = stream[at:end].split()
        if len(head) != 3:
            raise _lacking(repository, f"{entry.path} is missing")
        size = int(head[2])
        yield entry, stream[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _lacking(repository: Repository, reason: str) -> UsageError:
    return UsageError(
        f"The clone {repository.folder} lacks files of that commit ({reason}).",
        "Fetch them (`git fetch --refetch`), or make a full clone.",
    )
