"""Which hooks a checkout lacks, before it is trained: planned once for the same texts.

Each run asks this as it starts, and to plan a large kit takes seconds. The answer follows from the
kit's Python files, its rule and the code that plans, with its tables; it is kept in the workspace
under the digest of these.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from codemod.base.changeset import Source, Status
from codemod.base.collector import collector_paused
from codemod.base.errors import UsageError
from codemod.base.files.shared_file import read_bytes, replace_file
from codemod.base.files.workspace import Workspace
from codemod.code.kept import forget
from codemod.code.tree import Tree
from codemod.engine import plan_change
from codemod.kits.catalogue import find_kit
from codemod.kits.folder import RULE, kit_file

# The wings that a plan comes from, under the package's folder.
_PLANNED_BY = ("base", "code", "kits", "engine")
_TOOL = Path(__file__).parents[1]


def missing_hooks(source: Source, path: Path | None, place: Workspace) -> str:
    """What to tell of hooks that `codemod apply` would insert into a known kit; "" without any.

    `path` is the checkout as the user named it, None where the kit was fetched.

    Raises:
        UsageError: there is no hook at all, so that both trainings would be the same.
    """
    standing, missing = _counts(source, place) if source.kit else (0, 0)
    where = f" --path {path}" if path is not None else ""
    verb, them = ("1 hook is", "it") if missing == 1 else (f"{missing} hooks are", "them")
    told = f"{verb} not in this checkout yet"
    remedy = f"`codemod apply {source.kit}{where}` inserts {them}."
    if missing and not standing:
        raise UsageError(f"{told}, so nothing would be static.", remedy)
    return f"{told}; {remedy}" if missing else ""


def _counts(source: Source, place: Workspace) -> tuple[int, int]:
    """How many hooks stand, and how many a plan would insert."""
    file = place.make("hooks") / f"{_digest(source)}.json"
    # A damaged file is as good as none.
    with suppress(ValueError, KeyError, TypeError):
        kept = json.loads(read_bytes(file) or b"")
        return int(kept["standing"]), int(kept["missing"])
    found = _statuses(source)
    standing, missing = found.count(Status.PRESENT), found.count(Status.INSERTED)
    replace_file(file, json.dumps({"standing": standing, "missing": missing}).encode())
    return standing, missing


def _statuses(source: Source) -> list[Status]:
    """Those of the planned hooks; the kit's trees are let go, and not held while it trains."""
    with collector_paused():
        try:
            return [hook.status for hook in plan_change(source).hooks]
        finally:
            forget()


def _digest(source: Source) -> str:
    """A digest of all that the answer follows from: of each file its path and its content."""
    found = hashlib.blake2b(digest_size=16)
    rule = kit_file(find_kit(source.kit or "").name, RULE)
    held = (file for wing in _PLANNED_BY for file in sorted((_TOOL / wing).rglob("*")))
    own = (file for file in held if file.suffix in (".py", ".yaml"))
    for file in (*([rule] if rule else []), *own):
        _put(found, str(file), file.read_bytes())
    tree = Tree(source.root)
    for path in tree.paths(".py"):
        with suppress(FileNotFoundError):  # what the plan cannot read either
            _put(found, path, tree.read(path))
    return found.hexdigest()


def _put(found: hashlib.blake2b, name: str, content: bytes) -> None:
    found.update(b"%d %d " % (len(name.encode("utf-8", "surrogateescape")), len(content)))
    found.update(name.encode("utf-8", "surrogateescape"))
    found.update(content)
