"""The text files of one commit as a folder, byte for byte.

`git archive` would rewrite line ends and keywords where `.gitattributes` says so, and a
work tree may hold edits; the blobs themselves are what a branch must be planned on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from codemod.base.errors import UsageError
from codemod.base.files.atomic import new_below
from codemod.base.git_state import GitError, git_output, objects_in
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
    return _write(repository, wanted, folder)


def _write(repository: Repository, wanted: Sequence[TreeEntry], folder: Path) -> dict[str, str]:
    folder.mkdir(parents=True, exist_ok=True)
    for entry, data in _blobs(repository, wanted):
        parts = PurePosixPath(entry.path).parts
        if ".." in parts or ".git" in parts or entry.path.startswith("/"):
            raise UsageError(f"The commit holds a path that leads out of the tree: {entry.path}.")
        new_below(folder, entry.path, data)
    return {entry.path: entry.mode for entry in wanted}


def checkout(repository: Repository, base: str, tip: str, folder: Path) -> None:
    """A checkout of `base` in which the files of `tip` lie, as `apply` leaves one.

    What trains there is then told as a run of `base` with these files changed. The objects stay
    the repository's own. What the clone lacks is left out and does not count as removed.

    Raises:
        UsageError: a path leads out of a tree.
        GitError: git cannot make a repository there, or lacks `base`.
    """
    _write(repository, _held(repository, list(entries(repository, tip))), folder)
    git_output(folder, "init", "--quiet")
    objects = repository.git_dir.resolve() / "objects"
    (folder / ".git" / "objects" / "info" / "alternates").write_text(f"{objects}\n")
    git_output(folder, "update-ref", "--no-deref", "HEAD", base)
    git_output(folder, "read-tree", base)
    absent = git_output(folder, "ls-files", "-z", "--deleted")
    git_output(folder, "update-index", "-z", "--skip-worktree", "--stdin", stdin=absent)


def _held(repository: Repository, listed: list[TreeEntry]) -> list[TreeEntry]:
    """The entries whose bytes the clone has: a mirror or a partial clone may lack large ones."""
    asked = "".join(f"{entry.blob}\n" for entry in listed).encode()
    try:
        said = repository.run("cat-file", "--batch-check", stdin=asked)
    except GitError:  # an older git wants to fetch what is missing, and ends there
        return [entry for entry in listed if entry.path.endswith(PLANNED)]
    pairs = zip(listed, said.splitlines(), strict=True)
    return [entry for entry, line in pairs if not line.endswith(b" missing")]


def _blobs(
    repository: Repository, wanted: Sequence[TreeEntry]
) -> Iterator[tuple[TreeEntry, bytes]]:
    """The bytes of many files by one process."""
    asked = "".join(f"{entry.blob}\n" for entry in wanted).encode()
    try:
        stream = repository.run("cat-file", "--batch", stdin=asked)
    except GitError as error:
        raise _lacking(repository, error.reason) from error
    for entry, found in zip(wanted, objects_in(stream), strict=True):
        if found is None:
            raise _lacking(repository, f"{entry.path} is missing")
        yield entry, found[1]


def _lacking(repository: Repository, reason: str) -> UsageError:
    return UsageError(
        f"The clone {repository.folder} lacks files of that commit ({reason}).",
        "Fetch them (`git fetch --refetch`), or make a full clone.",
    )
