"""A folder that the user names: whether it exists, and which kit it holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.git_state import head_revision, is_checkout
from codemod.code.tree import mentions
from codemod.kits.catalogue import load_kits

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.kits.catalogue import Kit

_REMOTE = re.compile(r"^[ \t]*url[ \t]*=[ \t]*(\S+)", re.MULTILINE)


def folder_source(folder: Path, kit: str | None) -> Source:
    """The source in `folder`; `kit` says which rules apply, None when the user did not say.

    Raises:
        UsageError: no such folder, a file, an empty folder, or nothing that uses Paddle.
    """
    root = _existing(folder)
    if kit is None and (found := recognised(root)):
        kit = found.name
    return Source(kit, root, head_revision(root))


def _existing(folder: Path) -> Path:
    if not folder.exists():
        raise UsageError(f"There is no folder {folder}.", "Name the folder of a kit's checkout.")
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file.", "Name the folder of a kit's checkout.")
    try:
        empty = not any(folder.iterdir())
    except OSError as error:
        raise UsageError(f"The folder {folder} cannot be read ({error.strerror}).") from error
    if empty:
        raise UsageError(f"The folder {folder} is empty.", "Name the folder of a kit's checkout.")
    root = folder.resolve()
    if not mentions(root, b"paddle"):
        raise UsageError(
            f"{folder} is not a Paddle kit: no Python file in it mentions paddle.",
            "Name the top folder of a kit's checkout.",
        )
    return root


def recognised(root: Path) -> Kit | None:
    """The kit of which `root` is a checkout, by its name or its git remote, and its folders."""
    names = {root.name.lower(), *_remote_names(root)}
    for kit in load_kits().values():
        if kit.name.lower() in names and all((root / mark).is_dir() for mark in kit.marks):
            return kit
    return None


def _remote_names(root: Path) -> set[str]:
    if not is_checkout(root):
        return set()
    try:
        text = (root / ".git" / "config").read_text(errors="replace")
    except OSError:
        return set()
    urls = (url.rstrip("/").removesuffix(".git") for url in _REMOTE.findall(text))
    return {url.rpartition("/")[2].lower() for url in urls}
