"""The conversation: which hook, which hunk, what was answered."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from codemod.base.changeset import ChangeSet, EditKind, FileChange, Status
from codemod.base.errors import UsageError
from codemod.base.patch.hunks import Hunk, compose, hunks_of
from codemod.reports.review import show_change, show_hook
from codemod.reports.review.interactive import decisions as store
from codemod.reports.review.interactive.decisions import Rewrite
from codemod.reports.review.interactive.editing import RefusedEditError, edit, fault
from codemod.reports.review.interactive.rewriting import brought, old_bytes, rewritten
from codemod.reports.review.interactive.state import Conversation, Reviewable

_HOOK_HELP = """\
y - insert this hook, with all that it needs
n - leave this hook out
q - quit; what was accepted so far is kept, the rest is left undecided
a - insert this hook and all later ones in this file
d - leave out this hook and all later ones in this file
s - decide hunk by hunk
e - edit the added lines in your editor
? - print this help"""

_HUNK_HELP = """\
y - take this hunk
n - leave this hunk out (where the hook cannot work without it: the whole hook)
q - quit; what was accepted so far is kept, this hook and the rest are left undecided
a - take this hunk and all later ones of this hook
d - leave out this hunk and all later ones of this hook
e - edit the added lines in your editor
? - print this help"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the user chose. `undecided` hooks were not answered before quitting."""

    change_set: ChangeSet
    accepted: frozenset[int]
    rejected: frozenset[int]
    undecided: frozenset[int]


class _QuitError(Exception):
    """The user asked to stop."""


def ask_hooks(
    plan: Reviewable,
    console: Console,
    *,
    decisions: Path | None = None,
    ask: Callable[[str], str] | None = None,
) -> Outcome:
    """Ask for each hook; returns what was accepted, also when the user quits early.

    `decisions` is the file in which answers are kept until the session came to its end.
    `ask` reads one line for a prompt; by default from the terminal.

    Raises:
        UsageError: there is no terminal to ask on.
    """
    if ask is None and not (sys.stdin.isatty() and console.is_terminal):
        raise UsageError(
            "--interactive needs a terminal to ask on.",
            "Use --dry-run to look, or `codemod apply` without it.",
        )
    session = Conversation(plan, console, ask or input, decisions)
    # A hook of the kit's own is asked about where something is missing that makes it reachable.
    session.open_hooks = tuple(sorted({i for edit in session.changes().edits for i in edit.hooks}))
    _take_up(session)
    try:
        for index in session.open_hooks:
            if session.answered(index) is None:
                _ask_hook(session, index)
    except (_QuitError, EOFError):
        session.say("")
    except KeyboardInterrupt as stop:
        session.say("")
        raise UsageError(
            "Stopped: nothing was written, and your answers are kept.",
            "Run the same command to go on.",
        ) from stop
    return _finish(session)


def _take_up(session: Conversation) -> None:
    """Bring back the answers of a session that was left, where they still fit."""
    remembered = store.load(session.file)
    for index in session.open_hooks:
        key = store.hook_key(session.plan.hooks[index])
        decision = remembered.get(key)
        if decision and decision.digest == store.digest(session.alone(index)):
            session.decisions[key] = decision
    if session.decisions:
        yes, no = len(session.accepted()), len(session.rejected())
        session.say(f"Taken up again: {yes} accepted and {no} left out before.\n")


def _finish(session: Conversation) -> Outcome:
    accepted, rejected = session.accepted(), session.rejected()
    undecided = frozenset(session.open_hooks) - accepted - rejected
    change_set = rewritten(session.plan.change_set(accepted), session.rewrites())
    told = f"{len(accepted)} accepted, {len(rejected)} left out"
    if undecided:
        session.say(f"Quit: {told}, {len(undecided)} undecided. What was accepted is kept;")
        session.say("run the same command to go on with the rest.")
    else:
        store.finish(session.file, session.decisions)
        session.say(f"All answered: {told}.")
    return Outcome(change_set, accepted, rejected, undecided)


def _ask_hook(session: Conversation, index: int) -> None:
    hook = session.plan.hooks[index]
    if hook.file in session.blanket:
        session.decide(index, session.blanket[hook.file])
        return
    near = session.beside(index)
    base = session.changes(near)
    hunks = brought(base, session.changes(near | {index}))
    show_hook(session.changes(), index, session.console)
    _show(session, index, hunks, base)
    stands = hook.status is Status.PRESENT
    question = "This hook stands already; add what it lacks" if stands else "Insert this hook"
    letters = "y,n,q,a,d,e,?" if len(hunks) < 2 else "y,n,q,a,d,s,e,?"
    while True:
        answer = _answer(session, f"{question} [{letters}]? ", letters, _HOOK_HELP)
        if answer in "ad":
            session.blanket[hook.file] = answer == "a"
        if answer in "ynad":
            session.decide(index, answer in "ya")
            return
        rewrites = _hunk_by_hunk(session, index, hunks) if answer == "s" else None
        if answer == "e":
            rewrites = _edited(session, index, hunks)
            if rewrites is None:
                continue
            rewrites = None if _lacking(session, rewrites) else rewrites
        session.decide(index, rewrites is not None, rewrites or ())
        return


def _lacking(session: Conversation, rewrites: Sequence[Rewrite]) -> bool:
    """Whether an edit took out a hunk that the hook needs; the user is told."""
    lacking = any(not one.wanted and not _optional(session, one.path) for one in rewrites)
    if lacking:
        session.say("The hook cannot work without a hunk you emptied, so the hook is left out.")
    return lacking


def _answer(session: Conversation, prompt: str, letters: str, words: str) -> str:
    """One of the letters; anything else prints the help and asks again."""
    allowed = letters.replace(",", "").replace("?", "")
    while True:
        answer = session.ask(prompt).strip()[:1].lower()
        if answer == "q":
            raise _QuitError
        if answer and answer in allowed:
            return answer
        shown = [line for line in words.splitlines() if line[0] in letters]
        session.say("\n".join(shown))


def _hunk_by_hunk(session: Conversation, index: int, hunks: Sequence[Hunk]) -> list[Rewrite] | None:
    """The user's wording for each hunk, or None when the hook is left out as a whole."""
    rewrites: list[Rewrite] = []
    rest: str | None = None
    base = session.changes(session.beside(index))
    for number, hunk in enumerate(hunks, start=1):
        optional = _optional(session, hunk.path)
        if rest is None:
            _show(session, index, [hunk], base)
            need = "optional" if optional else "needed by the hook"
            prompt = f"({number}/{len(hunks)}, {need}) Take this hunk [y,n,q,a,d,e,?]? "
        answer = rest or _hunk_answer(session, index, hunk, prompt, rewrites)
        rest = answer if answer in "ad" else rest
        if answer in "nd":
            if not optional:
                session.say("The hook cannot work without this hunk, so the hook is left out.")
                return None
            rewrites.append(_rewrite(hunk, ()))
    return rewrites


def _hunk_answer(
    session: Conversation, index: int, hunk: Hunk, prompt: str, rewrites: list[Rewrite]
) -> str:
    while True:
        answer = _answer(session, prompt, "y,n,q,a,d,e,?", _HUNK_HELP)
        if answer != "e":
            return answer
        edited = _edited(session, index, [hunk])
        if edited is not None:
            rewrites.extend(edited)
            left_out = bool(edited) and not edited[0].wanted
            return "n" if left_out and not _optional(session, hunk.path) else "y"


def _edited(session: Conversation, index: int, hunks: Sequence[Hunk]) -> list[Rewrite] | None:
    """The hunks as they came back from the editor; None when an edit was refused."""
    more = session.changes(session.beside(index) | {index})
    rewrites: list[Rewrite] = []
    for hunk in hunks:
        try:
            wanted = edit(hunk, old_bytes(more, hunk.path))
        except RefusedEditError as refused:
            session.say(f"{refused} Nothing was taken over; your answer, please.")
            return None
        if wanted != hunk.new:
            rewrites.append(_rewrite(hunk, wanted))
    for change in rewritten(more, [*session.rewrites(), *rewrites]).changes:
        if reason := fault(change.path, change.new):
            session.say(f"{reason} Nothing was taken over; your answer, please.")
            return None
    return rewrites


def _rewrite(hunk: Hunk, wanted: Sequence[bytes]) -> Rewrite:
    shown, new = b"".join(hunk.new), b"".join(wanted)
    return Rewrite(hunk.path, hunk.start, shown.decode("latin-1"), new.decode("latin-1"))


def _optional(session: Conversation, path: str) -> bool:
    """Whether a hook works without a file's hunks: documentation and test lists do not count."""
    edits = [edit for edit in session.changes().edits if edit.file == path]
    free = {EditKind.DOC, EditKind.TIPC}
    return bool(edits) and all(edit.kind in free for edit in edits)


def _show(session: Conversation, index: int, hunks: Sequence[Hunk], base: ChangeSet) -> None:
    """The hunks on top of what was accepted before."""
    more = session.changes(session.beside(index) | {index})
    for path in dict.fromkeys(hunk.path for hunk in hunks):
        old = old_bytes(more, path)
        mine = [hunk for hunk in hunks if hunk.path == path]
        starts = {hunk.start for hunk in mine}
        accepted = [
            hunk
            for change in base.changes
            if change.path == path
            for hunk in hunks_of(change)
            if hunk.start not in starts
        ]
        before = compose(old, accepted)
        after = compose(old, [*accepted, *mine])
        show_change(FileChange(path, before, after), session.console)
