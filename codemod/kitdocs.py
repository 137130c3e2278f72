"""The line about the switch in a kit's training document, in the document's own language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.hunks import counts, hunks_of, split_lines
from codemod.model import Edit, EditKind, FileChange, Skip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codemod.model import Hook

_DATA = Path(__file__).with_name("kitdocs.yaml")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document tells of the training options, and our line (see `kitdocs.yaml`)."""

    file: str
    text: str
    when: str
    unless: str
    after: str | None = None
    before: str | None = None


def places(kit: str | None) -> tuple[Place, ...]:
    """The documents of a kit that have such a place."""
    import yaml

    table: dict[str, list[dict[str, str]]] = yaml.safe_load(_DATA.read_text(encoding="utf-8"))
    return tuple(Place(**row) for row in table.get(kit or "", []))


def doc_edits(
    kit: str | None, files: Mapping[str, bytes], hooks: Sequence[Hook]
) -> tuple[list[tuple[Edit, FileChange]], list[Skip]]:
    """The edits of the kit's documents; a document that cannot be edited is a skip."""
    edits: list[tuple[Edit, FileChange]] = []
    skips: list[Skip] = []
    for place in places(kit):
        result = _edited(place, files, hooks)
        if isinstance(result, str):
            skips.append(Skip(place.file, result))
        elif result != files[place.file]:
            change = FileChange(place.file, files[place.file], result)
            added, removed = counts(hunks_of(change))
            edit = Edit(place.file, EditKind.DOC, added, removed, (), "tells of the switch")
            edits.append((edit, change))
    if not places(kit):
        skips.append(Skip("docs", "no training document of this kit is known to list options"))
    return edits, skips


def _edited(place: Place, files: Mapping[str, bytes], hooks: Sequence[Hook]) -> bytes | str:
    data = files.get(place.file)
    if data is None:
        return "this revision has no such document"
    if place.unless.encode() in data:
        return data
    if not any(place.when in f"{hook.gate} {hook.switch}" for hook in hooks):
        return f"no hook has the switch `{place.when}` that the line would tell of"
    lines = split_lines(data)
    anchor = re.compile((place.after or place.before or "").encode())
    found = [index for index, line in enumerate(lines) if anchor.search(line.rstrip(b"\r\n"))]
    if not found:
        return "the place where the document lists its options was not found"
    at = found[0] + (1 if place.after else 0)
    end = b"\r\n" if lines[found[0]].endswith(b"\r\n") else b"\n"
    ours = [line.rstrip(b"\n") + end for line in split_lines(place.text.encode())]
    if at and not lines[at - 1].endswith(b"\n"):
        lines[at - 1] += end
    lines[at:at] = ours
    return b"".join(lines)
