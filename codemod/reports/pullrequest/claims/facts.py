"""What a change does, as sentences with their places: the matter of a pull request's text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from codemod.base.changeset import ChangeSet, Edit, EditKind, Hook, Status
from codemod.base.errors import UsageError
from codemod.base.grouping import grouped, grouped_once
from codemod.base.reason import Reason
from codemod.reports.pullrequest.claims.switched_off import Fate, fates_of
from codemod.reports.pullrequest.claims.under_gate import helper_files
from codemod.training.recipes import read_recipe

_ABSTAINED = "engine.abstained"
_TAKING = (
    "engine.edit-removes",
    "engine.edit-replaces",
    "engine.edit-replaces-lines",
    "engine.edit-reads",
    "engine.edit-moves",
)
_CODE = (EditKind.PLUMBING, EditKind.HELPER, EditKind.IMPORT, EditKind.HOOK, EditKind.CONFIG)
_LINES = (EditKind.PLUMBING, EditKind.HELPER)
_IN_CONFIG = " in the config"
_SWITCH = re.compile(r"to_static(?!\(|_spec)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WithoutSwitch:
    """The files of which a changed line acts with the switch off, too, each once.

    `plumbing` are those whose lines name the switch: flags, parameters, fields; `other_lines` do
    not name it. Of `undecided` the code does not tell whether the switch is needed.
    """

    plumbing: list[str]
    other_lines: list[str]
    undecided: dict[Fate, list[str]]


class Switch(NamedTuple):
    """Words of a command or a line of a config, and the files that read it."""

    words: str
    in_config: bool
    files: list[str]


def groups(change_set: ChangeSet) -> list[tuple[Reason, list[Hook]]]:
    """The inserted hooks by the reason for which they stand where they stand.

    First those that take the place of the kit's lines, then the most.
    """
    found = grouped((stands(hook), hook) for hook in inserted(change_set))
    made = [(stands(*hooks), hooks) for hooks in found.values()]
    edits = (edit for edit in change_set.edits if edit.kind is EditKind.HOOK and _takes(edit))
    taking = {change_set.hooks[index] for edit in edits for index in edit.hooks}
    return sorted(made, key=lambda group: (taking.isdisjoint(group[1]), -len(group[1])))


def stands(hook: Hook, *others: Hook) -> Reason:
    """Where a hook stands and why, as a sentence; of one that moves, whence it comes.

    With others that stand there for the same reason, the sentence is of each of them.
    """
    reason = hook.reason
    if reason.code == "engine.placed" and others:
        return Reason.of("reports.hooks-stand", where=reason["where"])
    if reason.code == "engine.placed":
        return Reason.of("reports.hook-stands", where=reason["where"])
    if reason.code == "engine.moved":
        return Reason.of("reports.hook-moves", line=reason["line"], about=reason["about"])
    return reason


def inserted(change_set: ChangeSet) -> list[Hook]:
    """The hooks that the change brings."""
    return [hook for hook in change_set.hooks if hook.status is Status.INSERTED]


def switches(change_set: ChangeSet) -> list[Switch]:
    """What switches the hooks on, that of most files first."""
    found = grouped_once((hook.switch, hook.file) for hook in inserted(change_set) if hook.switch)
    made = [
        Switch(words.removesuffix(_IN_CONFIG), words.endswith(_IN_CONFIG), files)
        for words, files in found.items()
    ]
    return sorted(made, key=lambda switch: -len(switch.files))


def notes(change_set: ChangeSet) -> dict[Reason, list[str]]:
    """What the rule says of the edits, with their files, and why the kit's own lines change.

    Each sentence once, first those of edits that take the kit's lines away.
    """
    edits = [edit for edit in change_set.edits if edit.kind is not EditKind.FIX]
    # Why a line goes is left out where what comes, or a hook's reason, tells it.
    known = {edit.reason for edit in edits if edit.origin and edit.origin.says}
    for why in (hook.reason for hook in inserted(change_set)):
        about = why["about"] if why.code == "engine.moved" else why
        known.add(about if isinstance(about, Reason) else why)
    said: list[tuple[Reason, str]] = []
    for edit in sorted(edits, key=lambda edit: not _takes(edit)):
        gone = edit.reason if _changes(edit) and edit.reason not in known else None
        reasons = (edit.origin.says if edit.origin else None, gone)
        said += [(reason, edit.file) for reason in reasons if reason]
    return grouped_once(said)


def told(change_set: ChangeSet, edits: Sequence[Edit]) -> list[str]:
    """What some of its edits do, as lines that name the files: for the message of their commit."""
    hooked = {index for edit in edits if edit.kind is EditKind.HOOK for index in edit.hooks}
    new = [hook for index, hook in enumerate(change_set.hooks) if index in hooked]
    does = grouped_once(
        (edit.file, edit.origin.does)
        for edit in edits
        if edit.origin and not edit.origin.says and edit.kind is not EditKind.HOOK
    )
    alike = grouped(("; ".join(map(str, reasons)), file) for file, reasons in does.items())
    points = [
        *(
            (str(why), [hook.file for hook in hooks])
            for why, hooks in groups(replace(change_set, hooks=tuple(new), edits=()))
        ),
        *((str(note), of) for note, of in notes(replace(change_set, edits=tuple(edits))).items()),
        *alike.items(),
    ]
    said = grouped((tuple(dict.fromkeys(files)), what) for what, files in points)
    return [f"{named(files)}: {' '.join(map(sentence, whats))}" for files, whats in said.items()]


def named(files: Sequence[str]) -> str:
    """The first file, and how many more there are."""
    more = len(dict.fromkeys(files)) - 1
    return f"{files[0]} and {more} more" if more else files[0]


def sentence(text: str, stop: str = ".") -> str:
    """The text with a capital, where it does not begin with code, and a full stop."""
    whole = text.strip()
    as_it_is = stop == "。" or re.match(r"[\w.]*[_(./]|self\b", whole)
    start = whole if as_it_is else whole[:1].upper() + whole[1:]
    return start if start.endswith((".", "。", "!", "?")) else start + stop


def _changes(edit: Edit) -> bool:
    """Whether an edit changes the kit's own code: a method that is cut off may remove no line."""
    does = edit.origin.does.code if edit.origin else ""
    return bool(edit.lines_removed) or does == "engine.edit-extracts"


def _takes(edit: Edit) -> bool:
    """Whether an edit takes code of the kit's away, or reads it otherwise."""
    return edit.origin is not None and edit.origin.does.code in _TAKING


def done_to(path: str, change_set: ChangeSet) -> list[Reason]:
    """What the edits of a file do to it, each sentence once."""
    edits = (edit for edit in change_set.edits if edit.file == path)
    return list(dict.fromkeys(edit.origin.does for edit in edits if edit.origin))


def alone(change_set: ChangeSet) -> dict[str, list[Reason]]:
    """What is done to files of which neither a new hook nor a rule's sentence tells, by file."""
    hooks = change_set.hooks
    told = {file for files in notes(change_set).values() for file in files}
    told |= {hook.file for hook in inserted(change_set)}
    return grouped_once(
        (edit.file, edit.origin.does)
        for edit in change_set.edits
        if edit.origin and edit.kind in _CODE and edit.file not in told
        if not any(hooks[index].status is Status.INSERTED for index in edit.hooks)
    )


def refused(change_set: ChangeSet) -> dict[Reason, list[tuple[str, str]]]:
    """The trainers that are left alone, and hooks that could not be placed, by reason.

    Each is a file with its scope.
    """
    found: list[tuple[Reason, tuple[str, str]]] = []
    for skip in change_set.skipped:
        if skip.reason.code == _ABSTAINED:
            why, scope = skip.reason["why"], skip.reason["scope"]
            assert isinstance(why, Reason)
            found.append((why, (skip.file, str(scope))))
    unplaced = (hook for hook in change_set.hooks if hook.status is Status.UNPLACED)
    found += [(hook.reason, (hook.file, hook.scope)) for hook in unplaced]
    return grouped(found)


def concerning(change_set: ChangeSet) -> tuple[list[str], list[Hook]]:
    """The changed files that concern hooks which stay, and those hooks.

    Such a file is the hook's own, holds the helper that it calls, or has an edit that the hook
    needs: what mends the kit goes with every hook, and says nothing of one of them.
    """
    changed = {change.path for change in change_set.changes}
    files: dict[str, None] = {}
    concerned = []
    for index, hook in enumerate(change_set.hooks):
        if hook.status is Status.PRESENT:
            needed = (edit for edit in change_set.edits if index in edit.hooks)
            own = [
                edit.file
                for edit in needed
                if edit.file == hook.file or not (edit.origin and edit.origin.mends)
            ]
            own += [path for path in helper_files(hook, change_set) if path in changed]
            files |= dict.fromkeys(own)
            concerned += [hook] if own else []
    # First the files that have edits for them, in the order of the change.
    edited = dict.fromkeys(edit.file for edit in change_set.edits if edit.file in files)
    return list(edited | files), concerned


def without_switch(change_set: ChangeSet) -> WithoutSwitch:
    """What becomes of the changed lines with the switch off: those of flags, and all others."""
    edits = [edit for edit in change_set.edits if edit.kind in _LINES]
    fates = fates_of(change_set, (edit.file for edit in edits))
    acting = [edit for edit in edits if Fate.RUNS in fates.get(edit.file, {Fate.RUNS})]
    undecided = grouped(
        (fate, path)
        for path, found in fates.items()
        for fate in sorted(found & {Fate.BESIDE, Fate.CALLED}, key=str)
    )
    plumbing = (e.file for e in acting if e.kind is EditKind.PLUMBING and _names(e))
    other = (edit.file for edit in acting if not _names(edit))
    return WithoutSwitch(list(dict.fromkeys(plumbing)), list(dict.fromkeys(other)), undecided)


def _names(edit: Edit) -> bool:
    """Whether an edit's code names a switch, as far as it is known."""
    return edit.origin is None or _SWITCH.search(edit.origin.does.text()) is not None


def untrained_scripts(change_set: ChangeSet, never: Collection[str]) -> dict[Reason, list[str]]:
    """The hooked scripts that the recipe says cannot be trained, by reason.

    `never` are the places (`FILE:LINE`) of statements that no run is known to have executed: only
    scripts with one of them are told of.
    """
    kit = change_set.source.kit
    files = {place.rpartition(":")[0] for place in never} if kit else set()
    return grouped_once(
        (why, hook.file)
        for hook in inserted(change_set)
        if hook.file in files and (why := _why_not(kit or "", hook.file))
    )


def _why_not(kit: str, script: str) -> Reason | None:
    try:
        recipe = read_recipe(kit, script)
    except UsageError:
        return None
    return Reason.said(recipe.why_not, recipe.why_not_zh) if recipe.why_not else None
