"""A kit's revision by git: shallow, text files only, without prompts, with a time limit.

Kits carry fonts, pictures and weights by the gigabyte; a clone without blobs and a sparse
checkout fetch only the files that the tool can read, and the samples that a kit trains on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.git_state import GitError, git_environment, git_output
from codemod.base.launch.tools import found
from codemod.base.terminal.doing import doing, note
from codemod.kits.catalogue import Kit

# Cython's sources too: PaddleOCR compiles one of its own when it is imported. A package may look
# its version up in a file.
_CODE = ("*.py", "*.pyx", "*.sh", ".version")
TEXT = (*_CODE, "*.yml", "*.yaml", "*.json", "*.txt", "*.md", "*.cfg", "*.toml")
ANSWER_SECONDS = 30
TIMEOUT_SECONDS = 900
_PATIENCE = ("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=20")
# No window that asks for a password, and no protocol that runs programs.
_NEVER_ASK = {"GIT_ASKPASS": "true", "GIT_ALLOW_PROTOCOL": "https:ssh:file"}
_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=15"
_IS_URL = re.compile(r"(https|ssh|file)://|[\w.-]+@[\w.-]+:")
_SECRET = re.compile(r"://[^/\s@]+@")
# What git says of how far it is: `Receiving objects:  43% (430/1000), 1.20 MiB | 600.00 KiB/s`.
_HOW_FAR = re.compile(r"(?:remote: )?([A-Z][a-z ]+): +(\d+% \(\d+/\d+\)(?:, [^\r\n]*)?)[\r\n]")


def clone(kit: Kit, revision: str, into: Path) -> None:
    """Make `into` a checkout of `kit` at `revision`, from `CODEMOD_MIRROR` if that is set.

    Raises:
        EnvironmentFault: git is missing, or the repository or the revision cannot be reached.
        UsageError: CODEMOD_MIRROR is set and names nothing that could be a mirror.
    """
    if found("git") is None:
        raise EnvironmentFault(f"{kit.name} cannot be fetched: git is not installed.")
    mirror = os.environ.get("CODEMOD_MIRROR", "")
    if not mirror:
        origin, bring = kit.git, _fetch
    elif _IS_URL.match(mirror):
        origin, bring = f"{mirror.rstrip('/')}/{kit.name}", _fetch
    else:
        origin, bring = str(_mirrored(kit, Path(mirror).expanduser())), _borrow
    into.mkdir()
    git = partial(_execute, into, kit.name)
    try:
        git("init", "--quiet")
        commit = bring(git, kit, origin, revision, into)
        _check_out(git, commit, kit)
    except GitError as error:
        said = f"{kit.name} cannot be fetched from {origin}: {error}."
        raise EnvironmentFault(_shown(said)) from error


def _fetch(git: Callable[..., None], kit: Kit, origin: str, revision: str, into: Path) -> str:
    """Fetch the revision from an address; what names it here."""
    room = f", about {kit.megabytes} MB" if kit.megabytes else ""
    note(
        f"Fetching {kit.name} {revision[:12]} from {_shown(origin)} "
        f"into {into.parent.parent}{room} ..."
    )
    doing(f"Fetching {kit.name}: waiting for an answer")
    git("remote", "add", "origin", origin)
    # An address behind a firewall may swallow packets: ask briefly before fetching.
    git("ls-remote", "--quiet", "origin", "HEAD", seconds=ANSWER_SECONDS)
    fetch = ("fetch", "--depth=1", "--no-tags", "--filter=blob:none", "origin", revision)
    git(*_PATIENCE, *fetch)
    return "FETCH_HEAD"


def _borrow(git: Callable[..., None], kit: Kit, origin: str, revision: str, into: Path) -> str:
    """Borrow a local mirror's objects instead of copying them; it may lack large blobs."""
    doing(f"Copying {kit.name} from {origin}")
    git("remote", "add", "origin", kit.git)
    objects = Path(origin) / ".git" / "objects"
    borrowed = objects if objects.is_dir() else Path(origin) / "objects"
    (into / ".git" / "objects" / "info" / "alternates").write_text(f"{borrowed.resolve()}\n")
    git("cat-file", "-e", f"{revision}^{{commit}}")
    return revision


def _check_out(git: Callable[..., None], commit: str, kit: Kit) -> None:
    git("sparse-checkout", "set", "--no-cone", *TEXT, *kit.samples)
    git("-c", "advice.detachedHead=false", *_PATIENCE, "checkout", "--detach", commit)


def _shown(text: str) -> str:
    """The text without the user names and passwords in its addresses."""
    return _SECRET.sub("://***@", text)


def _execute(folder: Path, name: str, *arguments: str, seconds: int = TIMEOUT_SECONDS) -> None:
    """Run one git command; how far it is goes to whoever shows it."""

    def told(piece: str) -> None:
        for doing_what, how_far in _HOW_FAR.findall(piece)[-1:]:
            doing(f"Fetching {name}: {doing_what.lower()}, {how_far}")

    environment = {"GIT_SSH_COMMAND": _SSH} | git_environment() | _NEVER_ASK
    git_output(folder, *arguments, environment=environment, heard=told, seconds=seconds)


def _mirrored(kit: Kit, folder: Path) -> Path:
    """The repository of `kit` in a folder of mirrors: `<Kit>` or `OWNER+NAME/repo`, bare or not."""
    if not folder.is_dir():
        raise UsageError(
            f"CODEMOD_MIRROR names {folder}, which is not a folder.",
            "Set it to a folder of clones or to an address, or unset it.",
        )
    owner, name = kit.git.removesuffix(".git").split("/")[-2:]
    places = [folder / kit.name, folder / f"{kit.name}.git", folder / f"{owner}+{name}" / "repo"]
    places += sorted(folder.glob(f"*+{name}/repo"))
    for place in places:
        if (place / "objects").is_dir() or (place / ".git").is_dir():
            return place
    raise EnvironmentFault(f"{kit.name} cannot be fetched: the mirror {folder} does not hold it.")
