"""The line about the switch in a kit's training document, in the document's own language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from codemod.base.changeset import Edit, EditKind, EditOrigin, FileChange, Hook, Skip
from codemod.base.files.yaml_file import YamlValue, read_yaml
from codemod.base.patch.hunks import counts, hunks_of, split_lines
from codemod.base.reason import Reason
from codemod.base.schema import Check, read_record
from codemod.kits.folder import DOCS, kit_file


@dataclass(frozen=True, slots=True)
class DocLine:
    """Our line in a document that lists the training options: `rules/<Kit>/docs.yaml`.

    The line goes `after` or `before` the line that matches that regular expression. `when` is what
    a hook's gate or switch must hold, so that no option is documented that is not there; `unless`
    is what the document holds when it names the switch already.
    """

    file: str
    text: str
    when: str
    unless: str
    after: str = ""
    before: str = ""


def doc_lines(kit: str | None) -> tuple[DocLine, ...]:
    """Our lines in a kit's documents.

    Raises:
        UsageError: the kit's file is broken, with file and line.
    """
    file = kit_file(kit, DOCS) if kit else None
    if file is None:
        return ()
    return tuple(read_record(DocLine, value, _CHECKS) for value in read_yaml(file).entries())


def _check(line: DocLine, value: YamlValue) -> None:
    if bool(line.after) == bool(line.before):
        raise value.fault("needs one of after, before")
    try:
        re.compile(line.after or line.before)
    except re.error as error:
        raise value.fault(f"is not a regular expression: {error}") from error


_CHECKS: Check = {DocLine: _check}


def doc_edits(
    kit: str | None, files: Mapping[str, bytes], hooks: Sequence[Hook]
) -> tuple[list[tuple[Edit, FileChange]], list[Skip]]:
    """The edits of the kit's documents; a document that cannot be edited is a skip."""
    lines = doc_lines(kit)
    if not lines:
        return [], [Skip("docs", Reason.of("reports.no-known-document"))]
    results = [(place.file, _edited(place, files, hooks)) for place in lines]
    return text_edits(files, results, EditKind.DOC, Reason.of("reports.tells-of-switch"))


def text_edits(
    files: Mapping[str, bytes],
    results: Iterable[tuple[str, bytes | Reason]],
    kind: EditKind,
    why: Reason,
) -> tuple[list[tuple[Edit, FileChange]], list[Skip]]:
    """The edits that make files what `results` says; a file that has a reason there is a skip."""
    edits: list[tuple[Edit, FileChange]] = []
    skips: list[Skip] = []
    for path, result in results:
        if isinstance(result, Reason):
            skips.append(Skip(path, result))
        elif result != files[path]:
            change = FileChange(path, files[path], result)
            added, removed = counts(hunks_of(change))
            edits.append((Edit(path, kind, added, removed, (), why, EditOrigin(why)), change))
    return edits, skips


def _edited(place: DocLine, files: Mapping[str, bytes], hooks: Sequence[Hook]) -> bytes | Reason:
    data = files.get(place.file)
    if data is None:
        return Reason.of("reports.no-document")
    if place.unless.encode() in data:
        return data
    if not any(place.when in f"{hook.gate} {hook.switch}" for hook in hooks):
        return Reason.of("reports.no-such-switch", switch=place.when)
    lines = split_lines(data)
    anchor = re.compile((place.after or place.before).encode())
    found = [index for index, line in enumerate(lines) if anchor.search(line.rstrip(b"\r\n"))]
    if not found:
        return Reason.of("reports.no-list-of-options")
    at = found[0] + (1 if place.after else 0)
    end = b"\r\n" if lines[found[0]].endswith(b"\r\n") else b"\n"
    ours = [line.rstrip(b"\n") + end for line in split_lines(place.text.encode())]
    if at and not lines[at - 1].endswith(b"\n"):
        lines[at - 1] += end
    lines[at:at] = ours
    return b"".join(lines)
