"""The model code that fixes rewrite, told by its places in the tree that a reviewer sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from codemod.audit.fixes.offers import Offer
from codemod.audit.fixes.remedy import Remedy
from codemod.base.changeset import ChangeSet
from codemod.base.files.line_diff import changed_spans
from codemod.base.reason import Reason
from codemod.engine.rewrite.rewritten import unexecuted


def rewritten(mended: Iterable[Offer], change_set: ChangeSet) -> dict[Remedy, list[str]]:
    """What the fixes of a change do, with the places in the new files: `FILE:LINE`, each once.

    Remedies of several hazards that do the same are told as one.
    """
    place = _placed(change_set)
    first: dict[str, Remedy] = {}
    found: dict[Remedy, dict[str, None]] = {}
    for offer in mended:
        for fix in offer.found.fixes:
            remedy = first.setdefault(fix.remedy.says, fix.remedy)
            found.setdefault(remedy, {})[place(fix.file, fix.line)] = None
    return {remedy: list(places) for remedy, places in found.items()}


def beside(mended: Iterable[Offer], change_set: ChangeSet) -> dict[Reason, list[str]]:
    """Why code in a rewritten function that looks the same is left as it is, with the places."""
    place = _placed(change_set)
    found: dict[Reason, dict[str, None]] = {}
    for offer in mended:
        done = {(fix.remedy.id, fix.file, fix.scope) for fix in offer.found.fixes}
        for one in offer.found.without:
            if (one.id, one.file, one.scope) in done:
                found.setdefault(one.reason, {})[place(one.file, one.line)] = None
    return {reason: list(places) for reason, places in found.items()}


def statements(mended: Iterable[Offer], change_set: ChangeSet) -> frozenset[str]:
    """The rewritten statements in functions, as `FILE:LINE` of the new files.

    Proofs execute them, not the runs that a text cites.
    """
    new = {change.path: change.new.splitlines() for change in change_set.changes}
    codes = {
        (path, line)
        for offer in mended
        for path, line in map(_parted, unexecuted(offer.change, ()))
    }
    fixed = {change.path: change.new.splitlines() for o in mended for change in o.change.changes}
    texts = {(path, fixed[path][line - 1].strip()) for path, line in codes}
    every = unexecuted(change_set, ())
    return frozenset(
        one
        for one in every
        for path, line in [_parted(one)]
        if (path, new[path][line - 1].strip()) in texts
    )


def _parted(place: str) -> tuple[str, int]:
    path, _, line = place.rpartition(":")
    return path, int(line)


def _placed(change_set: ChangeSet) -> Callable[[str, int], str]:
    """Where a line of the kit stands after the change: of rewritten ones the last comes last."""
    spans = {
        change.path: changed_spans(change.old.splitlines(), change.new.splitlines())
        for change in change_set.changes
    }

    def placed(path: str, line: int) -> str:
        moved = line
        for _, stop, _, new_stop in (s for s in spans.get(path, ()) if s.start < line):
            moved = line + new_stop - stop
        return f"{path}:{moved}"

    return placed
