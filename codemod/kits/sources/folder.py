"""A folder that the user names: whether it exists, and which kit it holds."""

from __future__ import annotations

from pathlib import Path

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.git_state import head_revision
from codemod.code.tree import mentions
from codemod.kits.catalogue import Kit, find_kit
from codemod.kits.sources import recognition


def folder_source(folder: Path, kit: Kit | None) -> Source:
    """The source in `folder`; `kit` says which rules apply, None when the user did not say.

    Raises:
        UsageError: no such folder, a file, an empty folder, nothing that uses Paddle, or one
            that `kit_in` refuses.
    """
    root = _existing(folder)
    known = kit_in(folder, kit)
    return Source(known.name if known else None, root, head_revision(root))


def kit_in(folder: Path, kit: Kit | None) -> Kit | None:
    """The kit whose rules apply to `folder`, which exists: `kit`, or what it is recognised as.

    Raises:
        UsageError: a part of a kit, a folder that holds repositories or has the marks of
            several kits, or a checkout of another kit than `kit`.
    """
    root = folder.resolve()
    recognition.refuse_parts_and_holders(root, kit)
    if kit is None:
        return recognition.recognised(root)
    recognition.refuse_other_kit(root, kit)
    return kit


def remarks(target: str, path: Path | None, kit: str | None) -> tuple[str, ...]:
    """What a target was taken for, where neither the user nor the folder's name says so.

    `target` and `path` are as the user gave them, `kit` is whose rules were used.
    """
    if path is not None or target.lower() == (kit or "").lower():
        return ()
    folder = Path(target).expanduser()
    root = folder.resolve()
    if kit is not None:
        told = f"{folder} is taken for {kit}, by its folder {find_kit(kit).marks[0]}."
        return () if kit.lower() in recognition.checkout_names(root) else (told,)
    top = recognition.repository_around(root)
    unknown = f"No kit is recognised in {folder}, so no rule is used: what trains is searched for."
    part = f"{folder} is a part of the repository {top}, of which nothing else is read."
    return (unknown, part) if top else (unknown,)


def changed_folder(folder: Path, kit: Kit | None) -> Source:
    """The source in a folder whose change is to be taken out, whatever the folder is.

    Raises:
        UsageError: no such folder, a file, an empty folder, or nothing that uses Paddle.
    """
    root = _existing(folder)
    return Source(kit.name if kit else None, root, head_revision(root))


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
