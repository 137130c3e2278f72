"""What a branch will hold: the user's wishes, planned on the files of one commit."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.changeset import ChangeSet, Source
from codemod.pullrequest.commit_stages import Part, parts_of, with_more
from codemod.pullrequest.git.export import PLANNED, export

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.engine.plan import Plan
    from codemod.pullrequest.git.repository import Repository

DEFAULT_NAME = "to-static-training"
_TEXTS = (".txt", ".sh", ".md")


class Conflict(str, Enum):
    """What to do when the branch is there already and is not the tool's own."""

    REFUSE = "refuse"
    SKIP = "skip"
    REPLACE = "replace"
    APPEND = "append"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for."""

    kit: str | None
    name: str = DEFAULT_NAME
    revision: str = "HEAD"
    conflict: Conflict = Conflict.REFUSE
    signoff: bool = False
    tipc: tuple[str, ...] = ()
    docs: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """The change, cut into commits.

    `modes` are the files' modes in the commit; `hook` is the checksum by which parity knows
    the code with the change.
    """

    whole: ChangeSet
    parts: tuple[Part, ...]
    modes: dict[str, str]
    hook: str


def plan_at(
    repository: Repository, commit: str, wish: Wish, plan: Callable[[Source], Plan]
) -> Planned:
    """Plan on the files of `commit`, brought out of the object store for the while."""
    with tempfile.TemporaryDirectory(prefix="codemod-") as folder:
        root = Path(folder) / (wish.kit or repository.folder.resolve().name)
        suffixes = (*PLANNED, *_TEXTS) if wish.tipc or wish.docs else PLANNED
        modes = export(repository, commit, root, suffixes)
        made = plan(Source(wish.kit, root, commit, "git"))
        whole = _whole(made, root, modes, wish)
        return Planned(whole, parts_of(made, whole), modes, _checksum(root, whole))


def _whole(plan: Plan, root: Path, modes: dict[str, str], wish: Wish) -> ChangeSet:
    """The plan's change set, with TIPC and documentation where the user asked for them."""
    whole = plan.change_set()
    if not (wish.tipc or wish.docs):
        return whole
    from codemod.pullrequest.doc_edits import doc_edits
    from codemod.pullrequest.tipc_edits import tipc_edits

    files = {path: (root / path).read_bytes() for path in modes if path.endswith(_TEXTS)}
    more, skips = doc_edits(wish.kit, files, whole.hooks) if wish.docs else ([], [])
    if wish.tipc:
        switches = list(dict.fromkeys(hook.switch for hook in whole.hooks if hook.switch))
        edits, left = tipc_edits(files, wish.tipc, switches)
        more, skips = [*more, *edits], [*skips, *left]
    return replace(with_more(whole, more), skipped=(*whole.skipped, *skips))


def _checksum(root: Path, whole: ChangeSet) -> str:
    """The checksum of the code with the change, as a parity run on the branch would take it."""
    from codemod.training.launch import hook_checksum

    for change in whole.changes:
        (root / change.path).write_bytes(change.new)
    return hook_checksum(root)
