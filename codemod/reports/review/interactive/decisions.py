"""What the user has decided so far, kept so that a session can be continued."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codemod.base.changeset import Hook
from codemod.base.files.shared_file import replace_file
from codemod.base.files.state import make_state, tree_key
from codemod.base.json_form import from_json, to_json
from codemod.base.patch.hunks import Hunk

VERSION = 1


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The added lines `shown` at old line `start` (0-based) will be `wanted` instead.

    Both as Latin-1 text, which holds any bytes; an empty `wanted` leaves the hunk out.
    """

    path: str
    start: int
    shown: str
    wanted: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer for one hook. `digest` is of the lines it was given for."""

    accepted: bool
    digest: str
    rewrites: tuple[Rewrite, ...] = ()


def hook_key(hook: Hook) -> str:
    """A name for a hook that outlives a run: line numbers may move."""
    return "\t".join((hook.trainer, hook.file, hook.scope, hook.target))


def digest(hunks: Iterable[Hunk]) -> str:
    """A checksum of the lines of a hook; their place does not count."""
    state = hashlib.sha256()
    for hunk in hunks:
        for line in (os.fsencode(hunk.path), b"\0-", *hunk.old, b"\0+", *hunk.new):
            state.update(line)
    return state.hexdigest()


def decisions_file(root: Path) -> Path:
    """Where the decisions for the tree at `root` are kept; its folder is made."""
    return make_state("interactive", outside=root) / f"{tree_key(root)}.json"


def load(file: Path | None) -> dict[str, Decision]:
    """The decisions of an unfinished session by hook; a damaged file counts as none."""
    if file is None or not file.exists():
        return {}
    try:
        content: dict[str, Any] = json.loads(file.read_bytes())
        if content["version"] != VERSION:
            return {}
        return {key: from_json(Decision, item) for key, item in content["decisions"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def save(file: Path | None, decisions: Mapping[str, Decision]) -> None:
    """Keep the decisions; called after each answer, so that no answer is ever lost."""
    if file is None:
        return
    content = {
        "version": VERSION,
        "decisions": {key: to_json(decision) for key, decision in decisions.items()},
    }
    replace_file(file, json.dumps(content, indent=1).encode())


def finish(file: Path | None, decisions: Mapping[str, Decision]) -> None:
    """Put the decisions of a session that came to its end where `answers` finds them."""
    if file is not None:
        save(_finished(file), decisions)
        file.unlink(missing_ok=True)


def answers(root: Path) -> dict[str, Decision]:
    """What was last decided for the tree at `root`, also in a session that was left."""
    file = decisions_file(root)
    return load(_finished(file)) | load(file)


def _finished(file: Path) -> Path:
    return file.with_suffix(".finished.json")
