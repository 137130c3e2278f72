"""The dry run: each hook with its place, reason, gate and switch, and the lines it brings.

Source text is shown as it is. A terminal gets colours, and both files side by side from
160 columns on; a pipe gets plain unified text.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from rich.console import Console
from rich.style import Style

from codemod.base.changeset import ChangeSet, FileChange, Hook, Status, by_reason
from codemod.base.grouping import grouped
from codemod.base.patch.hunks import Block, blocks
from codemod.base.tally import hook_counts
from codemod.base.terminal.text import one_line, visible
from codemod.hazards.trainer import TrainerHazard
from codemod.reports.review.layout import FileView, Row, fits, side_by_side, unified
from codemod.reports.review.source import lines_of, put

SIDE_BY_SIDE_FROM = 160

_BOLD = Style(bold=True)
_DIM = Style(dim=True)
_TITLE = Style(bold=True, color="cyan")
_STATUS = {
    Status.INSERTED: Style(bold=True, color="green"),
    Status.PRESENT: Style(bold=True, color="blue"),
    Status.UNPLACED: Style(bold=True, color="red"),
}
# A review is of what is not written yet.
_WORDS = {
    Status.INSERTED: "would insert",
    Status.PRESENT: "present",
    Status.UNPLACED: "cannot place",
}
_LABEL = 10
# So many files that share a reason are named.
_LISTED = 10


def show(
    change_set: ChangeSet, console: Console, hazards: Sequence[TrainerHazard] | None = None
) -> None:
    """Print the whole review; nothing is written to any file.

    `hazards` None means that nobody looked for any, and says nothing of them.
    """
    owned = _assign(change_set)
    put(console, [*_heading(change_set)])
    for index, hook in enumerate(change_set.hooks):
        files = {hook.file, *(edit.file for edit in change_set.edits if index in edit.hooks)}
        near = [hazard for hazard in hazards or () if hazard.file in files]
        show_hook(change_set, index, console, near)
        _show_blocks(owned.get(index, []), console)
        put(console, [_blank()])
    if None in owned:
        put(console, [(("Other edits", _TITLE),)])
        _show_blocks(owned[None], console)
        put(console, [_blank()])
    put(console, [*_totals(change_set, console, hazards)])


def show_hook(
    change_set: ChangeSet, index: int, console: Console, hazards: Sequence[TrainerHazard] = ()
) -> None:
    """Print what is known of one hook, without its lines."""
    hook = change_set.hooks[index]
    put(console, [*_head(hook, index, len(change_set.hooks))])
    for label, value in _facts(change_set, hook, index):
        put(console, [*_fact(label, value, console)])
    for hazard in hazards:
        text = f"{hazard.file}:{hazard.line}  {hazard.name}: {hazard.reason}"
        put(console, [*_fact("hazard", text, console)])


def show_change(change: FileChange, console: Console) -> None:
    """Print one file's hunks, with context."""
    _show_blocks([(change, block) for block in blocks(change)], console)


def _assign(change_set: ChangeSet) -> dict[int | None, list[tuple[FileChange, Block]]]:
    """Each block goes to the hook whose call it holds, else to the first hook that needs it."""
    return grouped(
        (_owner(change_set, change.path, block), (change, block))
        for change in change_set.changes
        for block in blocks(change)
    )


def _owner(change_set: ChangeSet, path: str, block: Block) -> int | None:
    for index, hook in enumerate(change_set.hooks):
        here = hook.status is Status.INSERTED and hook.file == path
        if here and any(hunk.holds(hook.line) for hunk in block.hunks):
            return index
    needing = [hook for edit in change_set.edits if edit.file == path for hook in edit.hooks]
    return min(needing, default=None)


def _heading(change_set: ChangeSet) -> Iterator[Row]:
    source = change_set.source
    revision = f" at {source.revision}" if source.revision else ""
    yield ((f"{source.name}{revision}", _TITLE),)
    yield _blank()


def _head(hook: Hook, index: int, total: int) -> Iterator[Row]:
    place = f"{hook.file}:{hook.line}" if hook.line else hook.file
    yield (
        (f"[{index + 1}/{total}] ", _BOLD),
        (_WORDS[hook.status], _STATUS[hook.status]),
        (f"  {one_line(place)}  {hook.scope}", _BOLD),
    )


def _facts(change_set: ChangeSet, hook: Hook, index: int) -> Iterator[tuple[str, str]]:
    yield "trainer", hook.trainer
    yield "target", hook.target
    yield "reason", hook.reason.text()
    yield from (
        ("reached", f"no more: {p} changes") for p, of in change_set.idle.items() if hook in of
    )
    if hook.after or hook.before:
        sides = (("after " + hook.after) if hook.after else "", f"before {hook.before}")
        yield "place", ", ".join(side for side in sides if side and not side.endswith("None"))
    if hook.gate:
        yield "gate", hook.gate
    if hook.switch:
        yield "switch on", hook.switch
    elif hook.status is Status.INSERTED:
        yield "switch on", "by setting the gate in the config; no option is known for it"
    if hook.input_spec:
        yield "spec", hook.input_spec
    for edit in change_set.edits:
        if index in edit.hooks:
            why = f"  {edit.reason}" if edit.reason else ""
            removed = f" -{edit.lines_removed}" if edit.lines_removed else ""
            shared = "" if len(edit.hooks) == 1 else "  (shared with other hooks)"
            yield (
                edit.kind.value,
                f"{one_line(edit.file)} +{edit.lines_added}{removed}{why}{shared}",
            )


def _fact(label: str, value: str, console: Console) -> Iterator[Row]:
    """A labelled value; a terminal gets it folded at words and indented, a pipe whole."""
    rows = [visible(row) for row in value.splitlines()] or [""]
    if console.is_terminal:
        room = max(20, console.width - _LABEL - 4)
        fold = partial(textwrap.wrap, width=room, break_long_words=False, break_on_hyphens=False)
        rows = [part for row in rows for part in fold(row) or [""]]
    for number, row in enumerate(rows):
        yield ((f"  {label if number == 0 else '':<{_LABEL}} ", _DIM), (row, None))


def _show_blocks(owned: Iterable[tuple[FileChange, Block]], console: Console) -> None:
    views: dict[str, FileView] = {}
    for change, block in owned:
        if change.path not in views:
            views[change.path] = _view(change, console)
            name = one_line(change.path)
            put(console, [((f"--- a/{name}", _BOLD),), ((f"+++ b/{name}", _BOLD),)])
        view = views[change.path]
        wide = console.is_terminal and console.width >= SIDE_BY_SIDE_FROM
        if wide and fits(view, block, console.width):
            put(console, side_by_side(view, block, console.width))
        else:
            put(console, unified(view, block))


def _view(change: FileChange, console: Console) -> FileView:
    coloured = console.is_terminal and console.color_system is not None
    old, new = (
        lines_of(data, change.path, coloured=coloured, exact=not console.is_terminal)
        for data in (change.old, change.new)
    )
    return FileView(old, new)


def _totals(
    change_set: ChangeSet, console: Console, hazards: Sequence[TrainerHazard] | None
) -> Iterator[Row]:
    skipped = by_reason(change_set.skipped)
    for reason, places in skipped.items():
        listed = ", ".join(map(one_line, places[:_LISTED]))
        more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
        yield from _fact("left alone", f"{listed}{more}: {reason}", console)
    hooks = hook_counts(change_set.hooks, written=False)
    lines = f"+{change_set.lines_added} -{change_set.lines_removed} lines"
    files = len(change_set.changes)
    yield ((f"{hooks[0].upper()}{hooks[1:]}.", _BOLD),)
    dangers = "" if hazards is None else f", {len(hazards)} hazards"
    yield (
        (f"{files} file{'s' * (files != 1)} would change, {lines}; ", _BOLD),
        (f"{sum(map(len, skipped.values()))} left alone{dangers}. Nothing written.", _BOLD),
    )


def _blank() -> Row:
    return (("", None),)
