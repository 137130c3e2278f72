"""One repository, and git commands in it that cannot run or disturb anything of the user's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.git_state import (
    GitError,
    forget_repository_variables,
    git_output,
    git_output_or_none,
    safe_environment,
)
from codemod.reports.pullrequest.git.commands import Commands

ZERO = "0" * 40
# What a push may use. Git's own default would also let the repository's config allow `ext::`.
_PROTOCOLS = {"GIT_ALLOW_PROTOCOL": "https:ssh:file"}


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository; `folder` is what the user named.

    `git_dir` is the folder that all its work trees share.
    """

    folder: Path
    git_dir: Path

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        network: bool = False,
    ) -> bytes:
        """What a git command prints; without `network` it cannot fetch what is missing.

        Raises:
            GitError: it ended with another status than 0.
        """
        reach = safe_environment(network=True) | _PROTOCOLS if network else safe_environment()
        git = Commands(self.folder, reach | dict(environment or {}))
        return git.execute(["git", *arguments], stdin)

    def line(self, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
        """What a git command prints, as one line of text."""
        out = self.run(*arguments, environment=environment)
        return out.decode("utf-8", "surrogateescape").strip()

    def commit(self, revision: str) -> str | None:
        """The full name of the commit that `revision` means; None when there is none."""
        if revision.startswith("-"):
            return None
        try:
            return self.line("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        except GitError:
            return None

    def file(self, commit: str, path: str) -> bytes | None:
        """The bytes of a file in a commit; None when it holds no such file."""
        try:
            return self.run("cat-file", "blob", f"{commit}:{path}")
        except GitError:
            return None

    def sizes(self, older: str, younger: str) -> dict[str, tuple[int, int]]:
        """The lines added and removed by path, as `git diff --numstat` counts them."""
        told = self.run("diff-tree", "-r", "--numstat", "-z", older, younger)
        rows = (row.split(b"\t", 2) for row in told.split(b"\0") if row)
        return {
            path.decode("utf-8", "surrogateescape"): (int(added), int(removed))
            for added, removed, path in rows
            if added != b"-"
        }

    def log(self, older: str, younger: str) -> list[tuple[str, str]]:
        """The commits from `older` on to `younger`, each by its name and its message."""
        form = ("--reverse", "--no-show-signature", "-z", "--format=%H %B")
        told = self.run("log", *form, f"{older}..{younger}").decode("utf-8", "replace")
        rows = (row.partition(" ") for row in told.split("\0") if row)
        return [(name, message.strip()) for name, _, message in rows]

    def is_ancestor(self, older: str, younger: str) -> bool:
        """Whether `younger` builds on `older`."""
        try:
            self.run("merge-base", "--is-ancestor", older, younger)
        except GitError:
            return False
        return True


def opened(folder: Path) -> Repository:
    """The repository whose top (or bare git directory) is `folder`.

    Raises:
        UsageError: there is none, git refuses to read it, or it keeps its branches or objects
            somewhere else than a repository does.
        EnvironmentFault: git is not installed.
    """
    forget_repository_variables()
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.", "Name a clone of the kit with --path.")
    if shutil.which("git") is None:
        raise EnvironmentFault("A branch needs git.", "Install git.")
    not_the_top = UsageError(
        f"{folder} is not the top folder of a git repository.",
        "Name a clone of the kit with --path.",
    )
    try:
        said = git_output(folder, "rev-parse", "--absolute-git-dir", "--git-common-dir")
    except GitError as error:
        if "not a git repository" in error.reason and not os.path.lexists(folder / ".git"):
            raise not_the_top from error
        raise UsageError(
            f"git refuses to read {folder}: {error.reason}.", "See `git status` there."
        ) from error
    own, _, shared = os.fsdecode(said.removesuffix(b"\n")).partition("\n")
    git_dir, common = Path(own), folder.resolve() / shared
    if not os.path.lexists(folder / ".git") and git_dir != folder.resolve():
        raise not_the_top
    _check_place(folder.resolve(), git_dir, common.resolve())
    return Repository(folder, common)


def _check_place(folder: Path, git_dir: Path, common: Path) -> None:
    """Refuse a repository that would have us write into another one.

    A work tree made by `git worktree add` is known to the repository it belongs to, and so is
    a submodule; a `.git` file or `commondir` that somebody else wrote is not.
    """
    beside = folder / ".git"
    known = git_dir in (folder, beside)
    if not known and beside.is_file() and not beside.is_symlink():
        back = git_dir / "gitdir"
        if git_dir.parent.name == "worktrees" and back.is_file():
            known = (git_dir / back.read_text().strip()).resolve() == beside.resolve()
            known = known and common == git_dir.parent.parent
        elif "modules" in git_dir.parts:
            tree = git_output_or_none(folder, "config", "core.worktree") or b""
            known = (git_dir / os.fsdecode(tree.strip())).resolve() == folder
    if not known or (git_dir in (folder, beside) and common != git_dir):
        raise UsageError(
            f"The repository of {folder} lies in {common}, which does not know it.",
            "Name the folder of that repository itself.",
        )


def check_no_links(git_dir: Path, *paths: str) -> None:
    """Refuse to write to `paths` (relative to the git directory) where a link leads elsewhere.

    Raises:
        UsageError: a part of one of them is a symbolic link.
    """
    for path in paths:
        parts = Path(path).parts
        for n in range(1, len(parts) + 1):
            place = git_dir.joinpath(*parts[:n])
            if place.is_symlink():
                raise UsageError(
                    f"{place} is a symbolic link, so no branch was made.",
                    "Work in a repository that git made itself.",
                )
