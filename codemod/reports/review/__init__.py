"""The dry run: each hook with its place, reason, gate and switch, and the lines it brings.

Source text is shown as it is. A terminal gets colours, and both files side by side from
160 columns on; a pipe gets plain unified text.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from rich.cells import set_cell_size
from rich.console import Console
from rich.style import Style

from codemod.base.changeset import ChangeSet, FileChange, Hook, Status, by_reason
from codemod.base.files.data_folder import table_beside
from codemod.base.grouping import grouped
from codemod.base.patch.hunks import Block, blocks
from codemod.base.reason import Reason
from codemod.base.tally import hook_counts
from codemod.base.terminal.spoken import language, told
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
    Status.INSERTED: Reason.of("reports.would-insert"),
    Status.PRESENT: Reason.of("reports.present"),
    Status.UNPLACED: Reason.of("reports.cannot-place"),
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
        put(console, [((told(Reason.of("reports.other-edits")), _TITLE),)])
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
        place = f"{hazard.file}:{hazard.line}"
        text = Reason.of("reports.near", place=place, name=hazard.name, why=hazard.reason)
        put(console, [*_fact("hazard", told(text), console)])


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
    name = source.name
    title = Reason.of("reports.at-revision", name=name, revision=source.revision or "")
    yield ((told(title) if source.revision else name, _TITLE),)
    yield _blank()


def _head(hook: Hook, index: int, total: int) -> Iterator[Row]:
    place = f"{hook.file}:{hook.line}" if hook.line else hook.file
    yield (
        (f"[{index + 1}/{total}] ", _BOLD),
        (told(_WORDS[hook.status]), _STATUS[hook.status]),
        (f"  {one_line(place)}  {hook.scope}", _BOLD),
    )


def _facts(change_set: ChangeSet, hook: Hook, index: int) -> Iterator[tuple[str, str]]:
    yield "trainer", hook.trainer
    yield "target", hook.target
    yield "reason", told(hook.reason)
    for path, of in change_set.idle.items():
        if hook in of:
            yield "reached", told(Reason.of("reports.no-more", file=path))
    sides = (
        Reason.of("reports.after", code=hook.after) if hook.after else "",
        Reason.of("reports.before", code=hook.before) if hook.before else "",
    )
    if any(sides):
        yield "place", told(Reason.of("base.several", parts=tuple(filter(None, sides))))
    if hook.gate:
        yield "gate", hook.gate
    if hook.switch:
        yield "switch on", hook.switch
    elif hook.status is Status.INSERTED:
        yield "switch on", told(Reason.of("reports.by-the-gate"))
    if hook.input_spec:
        yield "spec", hook.input_spec
    for edit in change_set.edits:
        if index in edit.hooks:
            why = f"  {told(edit.reason)}" if edit.reason else ""
            removed = f" -{edit.lines_removed}" if edit.lines_removed else ""
            shared = "" if len(edit.hooks) == 1 else told(Reason.of("reports.shared"))
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
    if language() == "zh":
        label = table_beside(__file__, "labels.yaml")[label]
    for number, row in enumerate(rows):
        yield ((f"  {set_cell_size(label if number == 0 else '', _LABEL)} ", _DIM), (row, None))


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
    for why, places in skipped.items():
        first, left = tuple(map(one_line, places[:_LISTED])), len(places) - _LISTED
        more = Reason.of("reports.more", number=left) if left > 0 else ""
        alone = Reason.of("reports.left-alone", places=first, more=more, why=why)
        yield from _fact("left alone", told(alone), console)
    hooks = hook_counts(change_set.hooks, written=False, language=language())
    yield ((told(Reason.of("reports.hooks", hooks=hooks)), _BOLD),)
    found = Reason.of("reports.hazards", number=len(hazards)) if hazards is not None else ""
    total = Reason.of(
        "reports.totals",
        files=len(change_set.changes),
        lines=f"+{change_set.lines_added} -{change_set.lines_removed}",
        alone=sum(map(len, skipped.values())),
        hazards=found,
    )
    yield ((told(total), _BOLD),)


def _blank() -> Row:
    return (("", None),)
