"""A kit brought into the workspace: by git if it can be reached, else as a package.

A copy is made under a passing name and renamed when it is whole, with its record inside, so
that a download cut off half-way is never taken for a kit.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from codemod.base.changeset import Source
from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.atomic import inside, locked
from codemod.base.files.workspace import Workspace
from codemod.base.git_state import status
from codemod.base.launch.tools import ask, found
from codemod.base.terminal.doing import note
from codemod.kits.catalogue import Kit, Package
from codemod.kits.sources.provenance import is_own, note_fetched

_REMEDY = (
    "Give a checkout with `--path DIR`, set CODEMOD_MIRROR to a mirror of {}, "
    "or try again with a network."
)


@dataclass(frozen=True, slots=True)
class Copy:
    """A kit in the workspace. `folder` holds it, `root` is the top of its source in there."""

    folder: Path
    root: Path
    origin: str
    revision: str

    def source(self, kit: Kit) -> Source:
        """The source that later stages see."""
        return Source(kit.name, self.root, self.revision, self.origin)


def kept(kit: Kit, workspace: Workspace) -> Copy | None:
    """The copy of `kit` that the workspace holds, or None.

    Raises:
        UsageError: what lies there is a link, or its note is not one that `fetched` writes: a
            workspace may come from elsewhere, and the note must not lead to other folders.
    """
    folder = workspace.kits() / kit.name
    if not folder.is_symlink() and not folder.exists():
        return None
    if workspace.kits().is_symlink() or folder.is_symlink() or _record(folder).is_symlink():
        raise _not_ours(folder, "it is a symbolic link")
    try:
        content = json.loads(_record(folder).read_bytes())
        origin, revision, root = content["origin"], content["revision"], content["root"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _not_ours(folder, "its note is not whole") from error
    known = {"git": "."} | ({"package": kit.package.root} if kit.package else {})
    if root != known.get(str(origin)) or not _VERSION.fullmatch(str(revision)):
        raise _not_ours(folder, "its note is about something else")
    if not inside(folder, root) and root != ".":
        raise _not_ours(folder, f"its {root} is a symbolic link")
    if not is_own(folder, origin, revision):
        raise _not_ours(folder, "you did not fetch it, and its files are not those of a commit")
    return Copy(folder, folder / root, origin, revision)


def _not_ours(folder: Path, reason: str) -> UsageError:
    return UsageError(
        f"{folder} cannot be taken for a fetched kit: {reason}.",
        "Delete that folder, name another workspace with --workspace, or, if you trust it, "
        "name the folder itself with --path.",
    )


def fetched(kit: Kit, workspace: Workspace, revision: str | None) -> Source:
    """The source of `kit` at `revision` (by default the pinned one), fetched if need be.

    Raises:
        EnvironmentFault: neither git nor the package index gives it.
        UsageError: the workspace holds another revision with edits in it.
    """
    if revision is not None and not _REVISION.fullmatch(revision):
        raise UsageError(f"`{revision}` is not a commit of 40 hexadecimal digits.")
    copy = kept(kit, workspace)
    if copy is None or not _serves(copy, kit, revision):
        # Two runs may want one kit: the second waits, and finds what the first has brought.
        with locked(workspace.make("locks", kit.name), wait=True):
            copy = _renewed(kit, workspace, revision)
    elif copy.origin == "package":
        note(_PACKAGE_KEPT.format(kit=kit.name, copy=copy))
    return copy.source(kit)


def _renewed(kit: Kit, workspace: Workspace, revision: str | None) -> Copy:
    copy = kept(kit, workspace)
    if copy is not None and _serves(copy, kit, revision):
        return copy
    if copy is not None:
        _refuse_edited(kit, copy)
    if copy is not None and copy.origin == "package":
        _put_aside(copy)
    return _bring(kit, workspace.make("kits"), revision)


_REVISION = re.compile(r"[0-9a-f]{40}")
# A commit, or a package's version.
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+!-]{0,99}")
_PACKAGE_KEPT = (
    "{kit}: using the published package {copy.revision} that the workspace holds; "
    "delete {copy.folder} to try git again."
)


def _serves(copy: Copy, kit: Kit, revision: str | None) -> bool:
    if copy.origin == "package" and revision is None:
        # Where a mirror is set by now, git has another chance.
        if os.environ.get("CODEMOD_MIRROR"):
            return False
        return kit.package is not None and copy.revision == kit.package.version
    return copy.revision == (revision or kit.revision)


def _put_aside(copy: Copy) -> None:
    """A package's copy may hold hooks or edits, which nothing would tell: it stays, renamed."""
    aside = copy.folder.with_name(f"{copy.folder.name}-{copy.revision}")
    if aside.exists():
        raise UsageError(
            f"{copy.folder} is to make room for git's copy, and {aside} exists.",
            "Delete one of the two.",
        )
    copy.folder.rename(aside)
    note(f"The package's copy is kept as {aside}.")


def _refuse_edited(kit: Kit, copy: Copy) -> None:
    """A copy that is to make room must hold nothing of the user's."""
    if copy.origin == "git" and status(copy.root) != b"":
        raise UsageError(
            f"{copy.root} holds {kit.name} at {copy.revision[:12]} with changes in it.",
            f"Take them out (`codemod revert {kit.name} --path {copy.root}`), "
            "or name another folder with --workspace.",
        )


def _bring(kit: Kit, kits: Path, revision: str | None) -> Copy:
    """Fetch the kit beside its place, then put it there."""
    from codemod.kits.sources.clone import clone

    for stale in kits.glob(f".{kit.name}-*"):
        shutil.rmtree(stale, ignore_errors=True)
    passing = Path(tempfile.mkdtemp(prefix=f".{kit.name}-", dir=kits))
    try:
        whole = passing / "kit"
        wanted = revision or kit.revision
        try:
            clone(kit, wanted, whole)
        except EnvironmentFault as fault:
            if revision is not None or kit.package is None or not kit.package.trainer:
                raise EnvironmentFault(fault.message, _REMEDY.format(kit.name)) from fault
            note(f"{fault.message} Using the package {kit.package.name} {kit.package.version}.")
            unpack(kit, kit.package, whole, fault)
            content = ("package", kit.package.version, kit.package.root)
        else:
            content = ("git", wanted, ".")
        return _settle(whole, kits / kit.name, *content)
    finally:
        shutil.rmtree(passing, ignore_errors=True)


def _settle(whole: Path, place: Path, origin: str, revision: str, root: str) -> Copy:
    record = {"origin": origin, "revision": revision, "root": root}
    _record(whole).write_text(json.dumps(record))
    if place.exists():
        place.rename(whole.with_name("previous"))
    whole.rename(place)
    note_fetched(place, origin, revision)
    return Copy(place, place / root, origin, revision)


def _record(folder: Path) -> Path:
    """Where a copy says what it is: out of git's sight in a clone."""
    git = folder / ".git"
    is_folder = git.is_dir() and not git.is_symlink()
    return git / "codemod.json" if is_folder else folder / ".codemod-source.json"


TIMEOUT_SECONDS = 600


def unpack(kit: Kit, package: Package, into: Path, why: EnvironmentFault) -> None:
    """Unpack the package's wheel into `into`; `why` says what git answered before.

    Only wheels are taken: a source archive would run its own code while being prepared.

    Raises:
        EnvironmentFault: there is no installer, or the index cannot be reached.
    """
    shutil.rmtree(into, ignore_errors=True)
    wanted = f"{package.name}=={package.version}"
    options = ["--no-deps", "--target", str(into), wanted]
    try:
        done = ask([*_installer(), *options], cwd=into.parent, seconds=TIMEOUT_SECONDS)
        lines = [line for line in done.complaint.splitlines() if line.strip()]
        reason = lines[-1].strip() if lines else f"it ended with {done.code}"
    except TimeoutError:
        done, reason = None, f"no answer in {TIMEOUT_SECONDS} s"
    if done is None or done.code != 0 or not (into / package.root).is_dir():
        raise EnvironmentFault(
            f"{why.message} Nor can the package {wanted}: {reason.removeprefix('ERROR: ')}.",
            f"Give a checkout of {kit.name} with `--path DIR`, set CODEMOD_MIRROR, "
            "or try again with a network.",
        )


def _installer() -> list[str]:
    """The command that unpacks a wheel: pip of this Python, else uv."""
    if importlib.util.find_spec("pip"):
        options = ["--quiet", "--no-compile", "--only-binary", ":all:", "--no-input"]
        return [sys.executable, "-I", "-m", "pip", "install", *options, "--retries", "1"]
    uv = found("uv")
    if uv is None:
        raise EnvironmentFault(
            "The package cannot be fetched: neither pip nor uv is there.", "Install one of them."
        )
    # By default uv links files to its cache, and no file of a kit may have a second name.
    options = ["--quiet", "--only-binary", ":all:", "--link-mode", "copy"]
    return [uv, "pip", "install", *options]
