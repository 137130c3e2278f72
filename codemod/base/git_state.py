"""What is read from git cheaply: revision, tracked files, files that differ from HEAD.

A git process costs 3 ms, importing a git library 70. Nothing here writes, and no program
that a repository names is run: optional locks are off, so are its hooks, its `fsmonitor`, its
filters and any fetching of what a partial clone lacks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codemod.base.errors import UsageError
from codemod.base.launch.tools import ask, ask_on_terminal

if TYPE_CHECKING:
    from pathlib import Path

# Whatever a repository's config says: these name programs, or change what is printed.
_SAFE = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.quotepath": "false",
    "log.showSignature": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "i18n.commitEncoding": "UTF-8",
    "i18n.logOutputEncoding": "UTF-8",
}
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
# What a partial clone lacks is fetched from where its config says, also by `ext::PROGRAM`.
# Older gits do not know the first of the two; no protocol has the name in the second.
_NO_FETCH = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}


def git_environment() -> dict[str, str]:
    """The environment for a git process: no prompt, no lock, English, no foreign repository."""
    kept = {k: v for k, v in os.environ.items() if k not in _REPOSITORY_VARIABLES}
    return kept | _QUIET


# Set while git runs a hook: they would point our commands at another repository.
_REPOSITORY_VARIABLES = frozenset(
    {
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_PREFIX",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_EXTERNAL_DIFF",
        "GIT_NAMESPACE",
    }
)


def forget_repository_variables() -> None:
    """Take the variables that point git at another repository out of this process."""
    for name in _REPOSITORY_VARIABLES:
        os.environ.pop(name, None)


def safe_environment(
    settings: Mapping[str, str] | None = None, *, network: bool = False
) -> dict[str, str]:
    """As `git_environment`, with settings that win over any config; no fetching without `network`.

    Settings travel by the environment: on the command line a key cannot hold `=`, and a
    submodule's git would not see them.

    Raises:
        UsageError: GIT_CONFIG_COUNT is no number.
    """
    count = os.environ.get("GIT_CONFIG_COUNT") or "0"
    if not count.isdecimal() or len(count) > 4:
        raise UsageError(f"GIT_CONFIG_COUNT is {count!r}, which is no number for git.", "Unset it.")
    inherited = int(count)
    wanted = {**_SAFE, **(settings or {})}
    numbered = enumerate(wanted.items(), start=inherited)
    pairs = {
        f"GIT_CONFIG_{word}_{n}": text
        for n, (key, value) in numbered
        for word, text in (("KEY", key), ("VALUE", value))
    }
    total = {"GIT_CONFIG_COUNT": str(inherited + len(wanted))}
    return git_environment() | pairs | total | ({} if network else _NO_FETCH)


class GitError(Exception):
    """A git command failed; `reason` is what it complained of, `output` what it printed."""

    def __init__(self, reason: str, output: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.output = output


def git_output(
    root: Path,
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    heard: Callable[[str], None] | None = None,
    seconds: float | None = None,
) -> bytes:
    """What git prints when run in `root`, by default in `safe_environment()`: our way to run git.

    The repository is the one that git finds there, and git's own check of its owner holds. With
    `heard` nothing is returned; that gets what git says of how far it is, piece by piece.

    Raises:
        GitError: it ended with another status than 0 or not in `seconds`, or is not installed.
    """
    argv = ["git", "-C", os.fspath(root), *arguments]
    env = safe_environment() if environment is None else environment
    try:
        if heard:
            done = ask_on_terminal(argv, env=env, heard=heard, seconds=seconds)
        else:
            done = ask(argv, stdin=stdin, env=env, seconds=seconds)
    except TimeoutError as error:
        raise GitError(str(error), "") from error
    except OSError as error:
        raise GitError(f"git cannot be run ({error.strerror})", "") from error
    if done.code != 0:
        raise GitError(complaint(done.complaint), done.text)
    return done.out


def object_name(data: bytes, kind: bytes = b"blob") -> str:
    """The name that git gives to an object of these bytes."""
    import hashlib  # takes 5 ms, and most commands name none

    head = b"%s %d\0" % (kind, len(data))
    return hashlib.sha1(head + data, usedforsecurity=False).hexdigest()


def objects_in(batch: bytes) -> Iterator[tuple[bytes, bytes] | None]:
    """What `git cat-file --batch` printed: each object's kind and content; None of a missing one.

    Raises:
        ValueError: the text is cut off.
    """
    at = 0
    while at < len(batch):
        end = batch.index(b"\n", at)
        told = batch[at:end].split()
        at = end + 1
        if len(told) == 3:
            size = int(told[2])
            yield told[1], batch[at : at + size]
            at += size + 1
        else:
            yield None


def complaint(said: str) -> str:
    """The line of git's complaint that tells the most."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for mark in ("fatal:", "error:"):
        for line in lines:
            if line.startswith(mark):
                return line.removeprefix(mark).strip().rstrip(".")
    return (lines[-1] if lines else "git gave no reason").rstrip(".")


def git_output_or_none(
    root: Path, *arguments: str, settings: Mapping[str, str] | None = None
) -> bytes | None:
    """As `git_output`, None where that raises; `settings` win over any config."""
    try:
        return git_output(root, *arguments, environment=safe_environment(settings))
    except GitError:
        return None


def is_checkout(root: Path) -> bool:
    """Whether `root` is the top of a git work tree (a linked work tree has a `.git` file)."""
    return (root / ".git").exists()


def head_revision(root: Path) -> str | None:
    """The commit that is checked out in `root`; None for a plain folder or an unborn branch."""
    if not is_checkout(root):
        return None
    out = git_output_or_none(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return out.decode().strip() or None if out else None


def tracked_files(root: Path, links: list[str] | None = None) -> list[str] | None:
    """The tracked regular files that are checked out, relative to `root`.

    `links` gets the symbolic links to Python files among the tracked ones.

    None when `root` is not the top of a work tree, or git cannot say: then the caller
    walks. A repository without any commit yet counts as a plain folder.
    """
    if not is_checkout(root):
        return None
    out = git_output_or_none(root, "ls-files", "-z", "-t", "--stage")
    if not out:
        return None
    paths = []
    for entry in out.split(b"\0"):
        head, _, name = entry.partition(b"\t")
        # "H 100644 <blob> 0": H is checked out, S is left out by a sparse checkout;
        # 120000 is a symbolic link, 160000 a submodule.
        if head.startswith((b"H 100", b"M 100")):
            paths.append(os.fsdecode(name))
        elif links is not None and head.startswith(b"H 120") and name.endswith(b".py"):
            links.append(os.fsdecode(name))
    return list(dict.fromkeys(paths))


def dirty_files(root: Path, paths: Sequence[str]) -> list[str]:
    """Those of `paths` (relative to `root`) that differ from HEAD; [] for a plain folder.

    Raises:
        UsageError: there is a repository that git cannot read, so nobody can tell.
    """
    if not paths:
        return []
    out = status(root, "--untracked-files=no", "--", *paths)
    if out is not None:
        asked = ("rev-parse", "--show-prefix")
        below = None if is_checkout(root) else git_output_or_none(root, *asked)
        cut = len(b"XY ") + len((below or b"").strip())
        return [os.fsdecode(entry[cut:]) for entry in out.split(b"\0") if entry]
    if any((folder / ".git").exists() for folder in (root, *root.resolve().parents)):
        raise UsageError(
            f"git cannot read the repository of {root}, so edits of yours could be overwritten.",
            "See `git status` there, or give --allow-dirty.",
        )
    return []


def edited_files(root: Path) -> list[str]:
    """The tracked files that differ from HEAD; none where git cannot tell."""
    return _unlike_head(root, "--untracked-files=no")


def edited_and_new_files(root: Path) -> list[str]:
    """Those, and the untracked ones that git does not ignore."""
    return _unlike_head(root, "--untracked-files=all")


def _unlike_head(root: Path, untracked: str) -> list[str]:
    out = status(root, untracked) if is_checkout(root) else None
    return [os.fsdecode(entry[len(b"XY ") :]) for entry in (out or b"").split(b"\0") if entry]


def status(root: Path, *arguments: str) -> bytes | None:
    """What `git status` prints, each entry ended by NUL; None where git cannot tell.

    Git would run the filters that the config names to compare a file; without them a file that
    a filter changes counts as edited.
    """
    listed = git_output_or_none(root, "config", "-z", "--name-only", "--get-regexp", r"^filter\.")
    off: dict[str, str] = {}
    for key in (listed or b"").split(b"\0"):
        driver = os.fsdecode(key.rpartition(b".")[0])
        if driver:
            off |= {f"{driver}.{word}": "" for word in ("clean", "smudge", "process")}
            off[f"{driver}.required"] = "false"
    # `git diff` would be simpler, but it writes the index even with optional locks off.
    options = ("--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all")
    return git_output_or_none(
        root, "--literal-pathspecs", "status", *options, *arguments, settings=off
    )
