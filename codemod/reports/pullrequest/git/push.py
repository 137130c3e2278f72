"""Pushing a branch, and the commands by which its pull request is opened."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from codemod.base.errors import EnvironmentFault, FindingsError, UsageError
from codemod.base.git_state import GitError
from codemod.base.launch.tools import ask, found
from codemod.reports.pullrequest.git.repository import Repository

_URL = re.compile(r"(https|ssh|file)://[^\s]+\Z|[\w.-]+@[\w.-]+:(?!-)[^\s]+\Z")
_GITHUB = re.compile(r"github\.com[:/]+([^/\s]+)/([^/\s]+?)(?:\.git)?/?\Z")


def remote_address(repository: Repository, remote: str) -> str:
    """The address of a remote: one that the repository knows, an URL, or a local path.

    Raises:
        UsageError: it is none of these, or the remote has no address.
    """
    known = repository.line("remote").split()
    if remote in known:
        try:
            return repository.line("remote", "get-url", "--push", remote)
        except GitError as error:
            raise UsageError(
                f"The remote `{remote}` has no address: {error.reason}.",
                f"Give it one with `git remote set-url {remote} URL`.",
            ) from error
    if _URL.match(remote) or (not remote.startswith("-") and Path(remote).is_dir()):
        return remote
    raise UsageError(
        f"`{remote}` is not a remote of {repository.folder}.",
        f"Known remotes: {', '.join(known)}." if known else "Add one with `git remote add`.",
    )


def address_of(repository: Repository, remote: str) -> str | None:
    """As `remote_address`; None where there is none."""
    try:
        return remote_address(repository, remote)
    except UsageError:
        return None


def push(repository: Repository, remote: str, branch: str, tip: str, *, pushed: str | None) -> None:
    """Push the branch; no hook runs and no submodule is pushed.

    What the remote has is replaced only if it is `pushed`, which an earlier run put there.

    Raises:
        UsageError: the remote refuses; nothing was overwritten there, the branch is kept.
    """
    target = f"refs/heads/{branch}"
    lease = [f"--force-with-lease={target}:{pushed}"] if pushed else []
    # The repository's config may name another program.
    own = "--receive-pack=git-receive-pack"
    options = ("--porcelain", "--no-verify", "--no-recurse-submodules", own)
    try:
        repository.run("push", *options, *lease, remote, f"{tip}:{target}", network=True)
    except GitError as error:
        reason = _refusal(error)
        hint = "Get the whole history (`git fetch --unshallow`)" if "shallow" in reason else ""
        raise UsageError(
            f"{remote} refuses the push: {reason}. "
            f"The local branch {branch} is kept, and nothing was overwritten on {remote}.",
            f"{hint or f'Look at {remote}'}, then push by hand (`git push {remote} {branch}`), "
            "or give another --name.",
        ) from error


def _refusal(error: GitError) -> str:
    """Why a push failed: the row that `--porcelain` prints for the branch, else the complaint."""
    for row in error.output.splitlines():
        if "!\t" in row:
            return row.rpartition("\t")[2].strip()
    return error.reason


def default_branch(repository: Repository, remote: str) -> str | None:
    """The branch that the kit's HEAD names, None where the clone does not know it.

    A fork is pushed to, and the pull request goes to where it was forked from: `upstream` or
    `origin`, by custom, come first.
    """
    for name in dict.fromkeys(("upstream", "origin", remote)):
        try:
            found = repository.line("symbolic-ref", "--short", f"refs/remotes/{name}/HEAD")
        except GitError:
            continue
        return found.removeprefix(f"{name}/")
    return None


def fork_of(repository: Repository, upstream: str) -> str | None:
    """The remote that is the user's own copy: one on GitHub that is not the kit's repository."""
    kit = _GITHUB.search(upstream)
    for name in repository.line("remote").split():
        there = _GITHUB.search(address_of(repository, name) or "")
        if there and kit and there.groups() != kit.groups():
            return name
    return None


@dataclass(frozen=True, slots=True)
class ForkSteps:
    """How a user whose only remote is the kit's own comes to a fork, and by which login."""

    login: str
    commands: tuple[str, ...]


def way_to_fork(repository: Repository, upstream: str) -> ForkSteps | None:
    """The commands that make a fork and name it `fork`; None where `origin` is not the kit's own.

    `gh` knows the login; without it, `YOU` stands in its place.
    """
    kit = _GITHUB.search(upstream)
    origin = _GITHUB.search(address_of(repository, "origin") or "")
    if kit is None or origin is None or origin.groups() != kit.groups():
        return None
    name = _login() or "YOU"
    fork = ["gh", "repo", "fork", "/".join(kit.groups()), "--clone=false"]
    address = f"https://github.com/{name}/{kit.group(2)}.git"
    remote = ["git", "-C", str(repository.folder), "remote", "add", "fork", address]
    return ForkSteps(name, (shlex.join(fork), shlex.join(remote)))


def _login() -> str | None:
    """The name by which `gh` is signed in, None without it."""
    if found("gh") is None:
        return None
    try:
        done = ask(["gh", "api", "user", "--jq", ".login"], seconds=10)
    except (OSError, TimeoutError):
        return None
    name = done.text.strip()
    return name if done.code == 0 and re.fullmatch(r"[\w-]+", name) else None


def head_of(branch: str, address: str | None) -> str:
    """How GitHub calls a branch that is pushed to that address: with the owner, if it is there."""
    here = _GITHUB.search(address or "")
    return f"{here.group(1)}:{branch}" if here else branch


def gh_command(upstream: str, head: str, base: str | None, title: str, body: Path) -> list[str]:
    """The words by which `gh` opens a draft from `head` to the kit's own repository."""
    there = _GITHUB.search(upstream)
    where = ["--repo", "/".join(there.groups())] if there else []
    where += ["--base", base] if base else []
    what = ["--title", title, "--body-file", str(body)]
    return ["gh", "pr", "create", "--draft", *where, "--head", head, *what]


def push_command(repository: Repository, remote: str, branch: str) -> str:
    """The line a user types to push the branch."""
    return shlex.join(["git", "-C", str(repository.folder), "push", remote, branch])


def open_draft(repository: Repository, command: list[str]) -> str:
    """Open the draft pull request by `gh_command`; returns its address.

    Raises:
        EnvironmentFault: `gh` is not installed.
        FindingsError: `gh` refuses.
    """
    if found("gh") is None:
        raise EnvironmentFault(
            "gh is not installed, so the pull request was not opened.",
            f"Open it by hand, or install gh and run: {shlex.join(command)}",
        )
    done = ask(command, cwd=repository.folder)
    if done.code:
        said = (done.complaint.strip() or done.text.strip() or "no reason given").splitlines()[-1]
        raise FindingsError(
            f"gh did not open the pull request: {said}.", f"Try: {shlex.join(command)}"
        )
    return done.text.strip().splitlines()[-1] if done.text.strip() else ""
