"""What is read from git cheaply: revision, tracked files, files that differ from HEAD.

A git process costs 3 ms, importing a git library 70. Nothing here writes: optional locks
are off, and a repository's own `fsmonitor` program is not run.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from codemod.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.quotepath=false")
QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def git_environment() -> dict[str, str]:
    """The environment for a git process: no prompt, no lock, English, no foreign repository."""
    kept = {k: v for k, v in os.environ.items() if k not in _REPOSITORY_VARIABLES}
    return kept | QUIET


# Set while git runs a hook: they would point our commands at another repository.
_REPOSITORY_VARIABLES = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"}
)


def run_git(root: Path, *arguments: str, stdin: bytes = b"") -> bytes | None:
    """What git prints when run in `root`; None when it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", *_SAFE, "-C", str(root), *arguments],
            input=stdin,
            capture_output=True,
            env=git_environment(),
            check=False,
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def is_checkout(root: Path) -> bool:
    """Whether `root` is the top of a git work tree (a linked work tree has a `.git` file)."""
    return (root / ".git").exists()


def head_revision(root: Path) -> str | None:
    """The commit that `root` stands at; None for a plain folder or an unborn branch."""
    if not is_checkout(root):
        return None
    out = run_git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return out.decode().strip() or None if out else None


def tracked_files(root: Path) -> list[str] | None:
    """The tracked regular files that are checked out, relative to `root`.

    None when `root` is not the top of a work tree, or git cannot say: then the caller
    walks. A repository without any commit yet counts as a plain folder.
    """
    if not is_checkout(root):
        return None
    out = run_git(root, "ls-files", "-z", "-t", "--stage")
    if not out:
        return None
    paths = []
    for entry in out.split(b"\0"):
        head, _, name = entry.partition(b"\t")
        # "H 100644 <blob> 0": H is checked out, S is left out by a sparse checkout;
        # 120000 is a symbolic link, 160000 a submodule.
        if head.startswith((b"H 100", b"M 100")):
            paths.append(os.fsdecode(name))
    return list(dict.fromkeys(paths))


def dirty_files(root: Path, paths: Sequence[str]) -> list[str]:
    """Those of `paths` (relative to `root`) that differ from HEAD; [] for a plain folder.

    Raises:
        UsageError: there is a repository that git refuses to read, so nobody can tell.
    """
    if not paths:
        return []
    # `git diff` would be simpler, but it writes the index even with optional locks off.
    options = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=no")
    out = run_git(root, "--literal-pathspecs", "status", *options, "--", *paths)
    if out is not None:
        prefix = b"" if is_checkout(root) else run_git(root, "rev-parse", "--show-prefix") or b""
        cut = len(b"XY ") + len(prefix.strip())
        return [os.fsdecode(entry[cut:]) for entry in out.split(b"\0") if entry]
    if is_checkout(root) and run_git(root, "rev-parse", "--git-dir") is None:
        raise UsageError(
            f"git cannot read the repository {root}, so edits of yours could be overwritten.",
            "See `git status` there, or give --allow-dirty.",
        )
    return []
