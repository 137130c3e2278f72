"""Commits made straight in the object store, and the one step that shows them: the branch."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from codemod.base.changeset import FileChange
from codemod.base.errors import UsageError
from codemod.base.git_state import GitError
from codemod.reports.pullrequest.git.repository import ZERO, Repository, check_no_links

# How git ends the sentence about a lock that it cannot take: another git has it, or was killed.
_LOCKED = ".lock': File exists"


@dataclass(frozen=True, slots=True)
class DraftCommit:
    """A commit to be made: its message and the new bytes of files, as of that commit."""

    message: str
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that was made."""

    name: str
    subject: str


def identity(repository: Repository) -> str:
    """`Name <address>` of the user, from the git config or git's environment variables.

    Raises:
        UsageError: git knows no name or no address; guessing one is not ours.
    """
    strict = ("-c", "user.useConfigOnly=true")
    try:
        repository.line(*strict, "var", "GIT_AUTHOR_IDENT")
        found = repository.line(*strict, "var", "GIT_COMMITTER_IDENT")
    except GitError as error:
        raise UsageError(
            "git does not know who you are, so no commit can be made.",
            'Set `git config user.name "Your Name"` and `git config user.email you@host`.',
        ) from error
    return found.rpartition(">")[0] + ">"


def trees(
    repository: Repository,
    base: str,
    stages: Sequence[Sequence[FileChange]],
    modes: Mapping[str, str],
) -> list[str]:
    """The tree after each stage, one on top of the other, beginning with that of `base`.

    Raises:
        UsageError: the object store cannot be written.
    """
    _check_objects(repository)
    with _own_index(repository, base) as environment:
        names = []
        for changes in stages:
            rows = [
                f"{modes[change.path]} {_blob(repository, change.new)}\t{change.path}\0"
                for change in changes
            ]
            feed, index = os.fsencode("".join(rows)), ("update-index", "-z", "--index-info")
            repository.run(*index, stdin=feed, environment=environment)
            # A partial clone lacks blobs that the tree only names; they are not ours to fetch.
            names.append(repository.line("write-tree", "--missing-ok", environment=environment))
    return names


def commit_all(
    repository: Repository, base: str, drafts: Sequence[DraftCommit], tree_names: Sequence[str]
) -> list[Commit]:
    """One commit a draft, the first on top of `base`; no branch knows them yet.

    Raises:
        UsageError: git cannot write a commit.
    """
    made: list[Commit] = []
    for draft, tree in zip(drafts, tree_names, strict=True):
        parent = made[-1].name if made else base
        text = draft.message.encode("utf-8", "surrogateescape")
        try:
            name = repository.run("commit-tree", tree, "-p", parent, "-F", "-", stdin=text)
        except GitError as error:
            raise _unwritable(repository, error.reason) from error
        made.append(Commit(name.decode().strip(), draft.message.partition("\n")[0]))
    return made


def set_branch(repository: Repository, name: str, new: str, old: str | None) -> None:
    """Point the branch at `new`, if it still is where it was seen; one atomic step.

    Raises:
        UsageError: it moved meanwhile, or cannot be written.
    """
    ref = f"refs/heads/{name}"
    check_no_links(repository.git_dir, ref, f"logs/{ref}", "logs/HEAD", "packed-refs")
    options = ("--create-reflog", "-m", "codemod branch")
    try:
        repository.run("update-ref", *options, ref, new, old or ZERO)
    except GitError as error:
        remedy = "Look at the branch, then run this again, or give another --name."
        if _LOCKED in error.reason:
            remedy = (
                "If no git runs in this clone, one that was killed left that file: "
                "delete it, then run this again."
            )
        raise UsageError(
            f"The branch {name} could not be set: {error.reason}. Nothing else was changed.", remedy
        ) from error


def branch_tip(repository: Repository, name: str) -> str | None:
    """The commit that the local branch is at; None when there is no such branch.

    Raises:
        UsageError: git takes no such name for a branch.
    """
    try:
        repository.run("check-ref-format", "--branch", name)
    except GitError as error:
        raise UsageError(f"`{name}` is not a valid branch name.", "Give another --name.") from error
    return repository.commit(f"refs/heads/{name}")


def checked_out_at(repository: Repository, name: str) -> str | None:
    """The work tree in which the branch is checked out, if any."""
    folder = ""
    for row in repository.run("worktree", "list", "--porcelain").decode().splitlines():
        key, _, value = row.partition(" ")
        folder = value if key == "worktree" else folder
        if key == "bare":
            folder = ""
        if key == "branch" and value == f"refs/heads/{name}" and folder:
            return folder
    return None


def _blob(repository: Repository, data: bytes) -> str:
    try:
        return repository.run("hash-object", "-w", "--stdin", stdin=data).decode().strip()
    except GitError as error:
        raise _unwritable(repository, error.reason) from error


@contextlib.contextmanager
def _own_index(repository: Repository, base: str) -> Iterator[dict[str, str]]:
    """An index outside the repository, filled with `base`: the user's own is never opened."""
    with tempfile.TemporaryDirectory(prefix="codemod-index-") as folder:
        environment = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        repository.run("read-tree", base, environment=environment)
        try:
            yield environment
        except GitError as error:
            raise _unwritable(repository, error.reason) from error


def _check_objects(repository: Repository) -> None:
    """Permission bits count even where the user is root: whoever took them away meant it."""
    objects = repository.git_dir / "objects"
    check_no_links(repository.git_dir, *(f"objects/{byte:02x}" for byte in range(256)))
    if not objects.stat().st_mode & 0o222:
        raise _unwritable(repository, f"{objects} is read-only")


def _unwritable(repository: Repository, reason: str) -> UsageError:
    return UsageError(
        f"The repository {repository.folder} cannot be written to ({reason}). "
        "No branch was made or moved.",
        "Make it writable, or write a patch with `codemod diff -o patches/`.",
    )
