"""One repository, and git commands in it that cannot run or disturb anything of the user's."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from git import Repo

# A repository's hooks (`reference-transaction` fires on any new branch), its file-system
# monitor and its housekeeping are programs: none of them is ours to start.
_SAFE = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.quotepath=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "i18n.commitEncoding=UTF-8",
)
_QUIET = {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
ZERO = "0" * 40


class GitError(Exception):
    """A git command failed; `reason` is what it complained of, `output` what it printed."""

    def __init__(self, reason: str, output: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.output = output


@dataclass(frozen=True, slots=True)
class Repository:
    """An open repository; `folder` is what the user named."""

    folder: Path
    repo: Repo

    @property
    def git_dir(self) -> Path:
        """The folder that all work trees of the repository share."""
        return Path(self.repo.common_dir)

    def run(
        self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> bytes:
        """What a git command prints.

        Raises:
            GitError: it ended with another status than 0.
        """
        from git.exc import GitCommandError

        with tempfile.TemporaryFile() as feed:
            feed.write(stdin)
            feed.seek(0)
            try:
                out = self.repo.git.execute(
                    # Named outright: GIT_DIR of a hook that runs us would mean another one.
                    ["git", f"--git-dir={self.repo.git_dir}", *_SAFE, *arguments],
                    istream=feed,
                    env=_QUIET | dict(environment or {}),
                    stdout_as_string=False,
                    strip_newline_in_stdout=False,
                )
            except GitCommandError as error:
                raise GitError(_last_words(error), str(error.stdout or "")) from error
        assert isinstance(out, bytes), "asked for bytes"
        return out

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

    def is_ancestor(self, older: str, younger: str) -> bool:
        """Whether `younger` builds on `older`."""
        try:
            self.run("merge-base", "--is-ancestor", older, younger)
        except GitError:
            return False
        return True


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[Repository]:
    """The repository whose top (or bare git directory) is `folder`.

    Raises:
        UsageError: there is none, or git refuses to read it.
        EnvironmentFault: git is not installed.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.", "Name a clone of the kit with --path.")
    try:
        from git import Repo
        from git.exc import InvalidGitRepositoryError, NoSuchPathError
    except ImportError as error:  # GitPython looks for the git program when it is imported
        raise EnvironmentFault("A branch needs git.", "Install git.") from error
    try:
        repo = Repo(folder)
    except (InvalidGitRepositoryError, NoSuchPathError) as error:
        raise UsageError(
            f"{folder} is not the top folder of a git repository.",
            "Name a clone of the kit with --path.",
        ) from error
    with repo:
        found = Repository(folder, repo)
        try:
            found.run("rev-parse", "--git-dir")
        except GitError as error:
            raise UsageError(
                f"git refuses to read {folder}: {error.reason}.", "See `git status` there."
            ) from error
        yield found


def _last_words(error: Exception) -> str:
    """The line of git's complaint that tells the most."""
    text = str(getattr(error, "stderr", "") or error)
    text = text.strip().removeprefix("stderr: ").strip().strip("'").strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for mark in ("fatal:", "error:"):
        for line in lines:
            if mark in line:
                return line.removeprefix("fatal:").removeprefix("error:").strip().rstrip(".")
    return (lines[-1] if lines else f"git failed ({type(error).__name__})").rstrip(".")
