"""From what the user typed to a source."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, overload

from codemod.base.errors import UsageError
from codemod.base.stderr import note
from codemod.base.workspace import JOURNAL
from codemod.kits.catalogue import find_kit
from codemod.sources.folder import folder_source

if TYPE_CHECKING:
    from codemod.base.changeset import Source
    from codemod.base.workspace import Workspace


@overload
def resolve(
    target: str, path: Path | None, workspace: Workspace, revision: str | None = None
) -> Source: ...


@overload
def resolve(
    target: str, path: Path | None, workspace: Workspace, *, fetch: bool
) -> Source | None: ...


def resolve(
    target: str,
    path: Path | None,
    workspace: Workspace,
    revision: str | None = None,
    *,
    fetch: bool = True,
) -> Source | None:
    """The source that `target` (a kit's name or a folder) and `--path` mean.

    What an interrupted `apply` left in it is undone first, so no command sees half a change.

    A name without a path is brought into the workspace at `revision`, by default the one
    that `kits.yaml` pins; without `fetch` it is None when the workspace does not hold it.

    Raises:
        UsageError: nothing of that name, or a folder that holds no kit.
        EnvironmentFault: the kit can be had neither by git nor as a package.
    """
    source = _found(target, path, workspace, revision, fetch=fetch)
    if source is not None and (workspace.record(source.root) / JOURNAL).exists():
        from codemod.patch.apply import recover

        if recover(source.root, workspace):
            note("An earlier run was interrupted; what it had written is undone.")
    return source


def _found(
    target: str, path: Path | None, workspace: Workspace, revision: str | None, *, fetch: bool
) -> Source | None:
    if not target.strip():
        raise UsageError("The target is empty.", "Give a kit's name or a folder.")
    if path is not None:
        if _looks_like_folder(target):
            raise UsageError(
                f"The target {target} is a folder already, so --path has nothing to say.",
                "Give a kit's name with --path, or the folder alone.",
            )
        return folder_source(path, find_kit(target).name)
    if _looks_like_folder(target):
        return folder_source(Path(target).expanduser(), None)
    try:
        kit = find_kit(target)
    except UsageError:
        if Path(target).exists():
            return folder_source(Path(target), None)
        raise
    if Path(target).is_dir():
        note(f"{kit.name} is taken for the kit's name; write ./{target} for the folder.")
    from codemod.sources.fetch import fetched, kept

    if not fetch:
        copy = kept(kit, workspace)
        return copy.source(kit) if copy else None
    return fetched(kit, workspace, revision)


def _looks_like_folder(target: str) -> bool:
    """Whether the target is written as a path and not as a name."""
    return "/" in target or target.startswith(("~", "."))
