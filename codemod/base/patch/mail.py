"""Patches as files: one a kit, in the form of a mail that `git am` takes, and their index."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from codemod.base.changeset import ChangeSet, Edit, Status
from codemod.base.files.shared_file import export, remove
from codemod.base.patch.git_patch import patch
from codemod.base.reason import Reason
from codemod.base.version import version

# The same for everyone, so that a patch has one checksum wherever it is made. The date is
# the one by which git tells a patch from a mail; `git am` sets the author's date to now.
_HEADER = """\
From {zeros} Mon Sep 17 00:00:00 2001
From: paddle-codemod <paddle-codemod@example.invalid>
Subject: [PATCH] {subject}
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit

{body}
---
"""


def mail(change_set: ChangeSet) -> bytes:
    """The patch with a mail header; empty when nothing changes."""
    text = patch(change_set)
    if not text:
        return b""
    new = [hook for hook in change_set.hooks if hook.status is Status.INSERTED]
    lines = [f"{hook.file}: {hook.scope}: {hook.target}" for hook in new]
    source = change_set.source
    kind = "package " if source.origin == "package" else ""
    revision = f" at {kind}{source.revision}" if source.revision else ""
    off = " Off by default." if new else ""
    lines += _beside(change_set)
    body = "\n".join([f"Made for {source.name}{revision}.{off}", "", *lines])
    header = _HEADER.format(zeros="0" * 40, subject=_subject(change_set).text(), body=body)
    return header.encode("utf-8", "surrogateescape") + text + f"-- \n{version()}\n".encode()


def _beside(change_set: ChangeSet) -> list[str]:
    """What the change does beside its new hooks: what rules say of edits, and edits without any."""
    hooks = change_set.hooks
    told: dict[str, None] = {}
    for edit in change_set.edits:
        with_new = any(hooks[index].status is Status.INSERTED for index in edit.hooks)
        if edit.origin and (edit.origin.says or not with_new):
            does = str(edit.origin.says or edit.origin.does)
            told[f"{edit.file}: {' '.join(does.split())}"] = None
    return list(told)


def _subject(change_set: ChangeSet) -> Reason:
    """What the change is to the kit: its first hooks, more of them, or a repair of what it has."""
    new = any(h.status is Status.INSERTED and not h.exists for h in change_set.hooks)
    if not any(hook.exists for hook in change_set.hooks):
        return Reason.of("reports.headline-switch")
    if new:
        return Reason.of("reports.headline-extends")
    return repairing(change_set.edits) or Reason.of("reports.headline-completes")


def repairing(edits: Iterable[Edit]) -> Reason | None:
    """What of the kit's own the edits repair, as a headline; None where they repair nothing."""
    found = (edit.origin.fix for edit in edits if edit.origin and edit.origin.fix)
    fixes = list(dict.fromkeys(found))
    if not fixes:
        return None
    if more := len(fixes) - 1:
        return Reason.of("reports.headline-fixes", what=fixes[0], more=more)
    return Reason.of("reports.headline-fix", what=fixes[0])


def write_patches(change_sets: Sequence[ChangeSet], output: Path) -> None:
    """Write the patches into the file `output`, or into the folder `output` with an index.

    A name that ends in a slash, names a folder, or has no suffix is a folder; so is any
    when there are several patches. A kit without a change has its old patch removed.

    Raises:
        UsageError: the place cannot be written, or is a file where a folder is needed.
    """
    if len(change_sets) == 1 and not output.is_dir() and output.suffix:
        export(output, mail(change_sets[0]))
        return
    index = _read_index(output / "index.json")
    for change_set in change_sets:
        name = change_set.source.name
        index[name] = _write_one(change_set, output / f"{name}.patch")
    content = json.dumps(dict(sorted(index.items())), indent=1, ensure_ascii=False) + "\n"
    export(output / "index.json", content.encode("utf-8", "backslashreplace"))


def _write_one(change_set: ChangeSet, file: Path) -> dict[str, object]:
    """Write one patch; returns its line in the index."""
    data = mail(change_set)
    if data:
        export(file, data)
    else:
        remove(file)
    return {
        "revision": change_set.source.revision,
        "origin": change_set.source.origin,
        "files": len(change_set.changes),
        "lines_added": sum(edit.lines_added for edit in change_set.edits),
        "lines_removed": sum(edit.lines_removed for edit in change_set.edits),
        "sha256": hashlib.sha256(data).hexdigest() if data else None,
        "tool": f"paddle-codemod {version()}",
    }


def _read_index(file: Path) -> dict[str, object]:
    try:
        content = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
