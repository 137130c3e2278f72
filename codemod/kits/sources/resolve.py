"""From what the user typed to a source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.files.state import JOURNAL, known_states
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.kits.catalogue import Kit, find_kit
from codemod.kits.sources.folder import changed_folder, folder_source


def resolve(
    target: str,
    path: Path | None,
    workspace: Workspace,
    revision: str | None = None,
    *,
    repair: bool = False,
) -> Source:
    """The source that `target` (a kit's name or a folder) and `--path` mean.

    No command works on half a change: with `repair` (commands that write to the tree) what an
    interrupted `apply` left is undone first, without it the tree is refused.

    A name without a path is brought into the workspace at `revision`, by default the one
    that `kits.yaml` pins.

    Raises:
        UsageError: nothing of that name, a folder that holds no kit, or half a change.
        EnvironmentFault: the kit can be fetched neither by git nor as a package.
    """
    named = _named(target, path, folder_source)
    if isinstance(named, Kit):
        from codemod.kits.sources.fetch import fetched

        named = fetched(named, workspace, revision)
    return _whole(named, repair=repair)


def changed(target: str, path: Path | None, workspace: Workspace) -> Source | None:
    """As `resolve`, to take a change out: of whatever folder; nothing is fetched.

    What an interrupted `apply` left is undone. None where the workspace does not hold the kit.

    Raises:
        UsageError: nothing of that name, or a folder that holds no kit.
    """
    named = _named(target, path, changed_folder)
    if isinstance(named, Kit):
        from codemod.kits.sources.fetch import kept

        copy = kept(named, workspace)
        if copy is None:
            return None
        named = copy.source(named)
    return _whole(named, repair=True)


def _whole(source: Source, *, repair: bool) -> Source:
    if any((folder / JOURNAL).exists() for folder in known_states()):
        from codemod.base.patch.apply import recover

        if not repair:
            _refuse_half(source.root)
        elif recover(source.root):
            note("An earlier run was interrupted; what it had written is undone.")
    return source


def _refuse_half(root: Path) -> None:
    from codemod.base.patch.apply import interrupted
    from codemod.base.patch.ledger import DamagedLedgerError

    try:
        half = interrupted(root)
    except DamagedLedgerError as error:
        note(f"{error.message} Files may be half changed.")
        return
    if half:
        raise UsageError(
            f"An earlier run on {root} was interrupted, so its files are half changed.",
            f"`codemod revert {root}` undoes what it had written.",
        )


def _named(
    target: str, path: Path | None, in_folder: Callable[[Path, Kit | None], Source]
) -> Source | Kit:
    """The source in a folder that is named, or the kit by its name alone."""
    if not target.strip():
        raise UsageError("The target is empty.", "Give a kit's name or a folder.")
    if path is not None:
        if _looks_like_folder(target):
            raise UsageError(
                f"The target {target} is a folder already, so --path has nothing to say.",
                "Give a kit's name with --path, or the folder alone.",
            )
        return in_folder(path, find_kit(target))
    if _looks_like_folder(target):
        return in_folder(Path(target).expanduser(), None)
    try:
        kit = find_kit(target)
    except UsageError:
        if Path(target).exists():
            return in_folder(Path(target), None)
        raise
    if Path(target).is_dir():
        note(f"{kit.name} is taken for the kit's name; write ./{target} for the folder.")
    return kit


def _looks_like_folder(target: str) -> bool:
    """Whether the target is written as a path and not as a name."""
    return "/" in target or target.startswith(("~", "."))


def shown_root(target: str, path: Path | None, root: Path) -> str:
    """The kit's root as the user named it."""
    if path is not None:
        return str(path)
    return target if Path(target).expanduser().resolve() == root else str(root)
