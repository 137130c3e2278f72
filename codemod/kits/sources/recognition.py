"""Which kit a folder is a checkout of, and which folders are none: parts, and holders of several.

A kit is known by the folders that `kits.yaml` names as its marks, whatever the checkout is
called: a code host's archive has the branch in its name, and no `.git`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from codemod.base.errors import UsageError
from codemod.base.git_state import is_checkout
from codemod.base.terminal.text import one_line
from codemod.kits.catalogue import Kit, find_kit, load_kits

_REMOTE = re.compile(r"^[ \t]*url[ \t]*=[ \t]*(\S+)", re.MULTILINE)
# What lies at the top of a repository, and seldom in one of its folders.
_TOP = re.compile(r"(README|LICENSE)(\.\w+)?|(setup|pyproject|requirements)\.\w+", re.IGNORECASE)
_SET_UP = re.compile(r"LICENSE(\.\w+)?|setup\.py|pyproject\.toml", re.IGNORECASE)
# How many levels down a repository is looked for: `kits/`, `work/kits/`.
_LEVELS = 3
_NAMED = 3


def recognised(root: Path) -> Kit | None:
    """The kit of which `root` is a checkout, None for a repository that no rule knows.

    Raises:
        UsageError: the folder has the marks of several kits, and neither its name nor its git
            remotes say which one is meant.
    """
    marked = _marked(root)
    names = checkout_names(root)
    by_name = [kit for kit in marked if kit.name.lower() in names]
    # A fork has the marks of the kit that it is like, and more.
    borrowed = {kit.like for kit in marked}
    own = by_name or [kit for kit in marked if kit.name not in borrowed]
    if len(own) > 1 and not by_name:
        listed = " and ".join(f"{kit.name} ({kit.marks[0]})" for kit in own)
        raise UsageError(
            f"{one_line(str(root))} has folders of several kits: {listed}.",
            "Name the kit that is meant, and give the folder with --path.",
        )
    return own[0] if own else None


def checkout_names(root: Path) -> frozenset[str]:
    """The names that a checkout goes by, in lower case: its folder's and its git remotes'."""
    return frozenset({root.name.lower(), *_remote_names(root)})


def refuse_other_kit(root: Path, kit: Kit) -> None:
    """Refuse a checkout of another kit than the one that the user named.

    Raises:
        UsageError: the folder lacks the marks of `kit` and has those of another kit.
    """
    marked = _marked(root)
    kin = any(kit.name in (other.name, other.like) or kit.like == other.name for other in marked)
    if marked and not kin:
        other = marked[0].name
        raise UsageError(
            f"{one_line(str(root))} is a checkout of {other}, not of {kit.name}.",
            f"Name {other}, or give the folder of a checkout of {kit.name}.",
        )


def refuse_parts_and_holders(root: Path, kit: Kit | None = None) -> None:
    """Refuse a folder of a kit, and a plain folder that holds repositories.

    A git checkout is neither: only the files that it tracks are read. Nor is an archive of `kit`,
    which the user named, from a time when its code lay a folder deeper.

    Raises:
        UsageError: what is around the folder, or below it, is what the user means.
    """
    if is_checkout(root):
        return
    if found := _around(root):
        kit, top = found
        raise UsageError(
            f"{one_line(str(root))} is a part of {kit.name}, whose top is {one_line(str(top))}.",
            "Give the top folder.",
        )
    below = [] if _marked(root) else [*_below(root)]
    deeper = [top for top in below if not is_checkout(top) and kit in _marked(top)]
    if below == deeper and len(deeper) == 1 and _is_top(root):
        return
    if below:
        shown = ", ".join(one_line(str(top.relative_to(root))) for top in below[:_NAMED])
        more = f" and {len(below) - _NAMED} more" if len(below) > _NAMED else ""
        count = "several repositories" if len(below) > 1 else "another repository"
        raise UsageError(
            f"{one_line(str(root))} holds {count}: {shown}{more}.",
            "Give that folder, or make this one a git repository: only what it tracks is read.",
        )


def repository_around(root: Path) -> Path | None:
    """The top of the git work tree that a plain folder is a part of."""
    if is_checkout(root):
        return None
    return next(filter(is_checkout, root.parents), None)


def kit_of(target: str) -> Kit:
    """The kit that a target is or is a checkout of, where only the kit matters.

    Raises:
        UsageError: there is no such kit, or the folder is no checkout of one.
    """
    folder = Path(target)
    found = recognised(folder.resolve()) if folder.is_dir() else None
    return found or find_kit(target)


def checkout_around(folder: Path) -> Path | None:
    """The nearest folder, this one or one above it, that has the marks of a kit."""
    return next((place for place in (folder, *folder.parents) if _marked(place)), None)


def _marked(root: Path) -> list[Kit]:
    return [
        kit for kit in load_kits().values() if all((root / mark).is_dir() for mark in kit.marks)
    ]


def _remote_names(root: Path) -> set[str]:
    if not is_checkout(root):
        return set()
    try:
        text = (root / ".git" / "config").read_text(errors="replace")
    except OSError:
        return set()
    urls = (url.rstrip("/").removesuffix(".git") for url in _REMOTE.findall(text))
    return {url.rpartition("/")[2].lower() for url in urls}


def _around(root: Path) -> tuple[Kit, Path] | None:
    """The kit of whose checkout the folder is a part, and that checkout's top."""
    for folder in root.parents:
        for kit in _marked(folder):
            if _is_top(folder) or folder.name.lower().startswith(kit.name.lower()):
                return kit, folder
        if is_checkout(folder):
            return None
    return None


def _below(root: Path) -> Iterator[Path]:
    """The tops of repositories some levels below a plain folder."""
    level = _folders(root)
    packages = [folder for folder in level if _holds(folder, _SET_UP)]
    if len(packages) > 1 and not _is_top(root):
        yield from packages
        return
    for _ in range(_LEVELS):
        deeper: list[Path] = []
        for folder in level:
            if is_checkout(folder) or (_is_top(folder) and _marked(folder)):
                yield folder
            else:
                deeper += _folders(folder)
        level = deeper


def _folders(root: Path) -> list[Path]:
    """The folders in a folder, sorted; hidden ones, links and virtual environments left out."""
    try:
        with os.scandir(root) as entries:
            found = list(entries)
    except OSError:
        return []
    if any(entry.name == "pyvenv.cfg" for entry in found):
        return []
    kept = (e.name for e in found if e.is_dir(follow_symlinks=False) and e.name[0] != ".")
    return [root / name for name in sorted(kept)]


def _is_top(folder: Path) -> bool:
    return is_checkout(folder) or _holds(folder, _TOP)


def _holds(folder: Path, names: re.Pattern[str]) -> bool:
    try:
        return any(names.fullmatch(name) for name in os.listdir(folder))  # noqa: PTH208 - names
    except OSError:
        return False
