"""The model code that fixes rewrite, told by its places in the tree that a reviewer sees."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from codemod.audit.fixes.offers import Offer
from codemod.audit.fixes.remedy import Remedy
from codemod.base.changeset import ChangeSet
from codemod.base.files.line_diff import changed_spans
from codemod.base.grouping import grouped_once
from codemod.base.reason import Reason
from codemod.code.traversal import walk
from codemod.engine.rewrite.rewritten import unexecuted


def rewritten(mended: Iterable[Offer], change_set: ChangeSet) -> dict[Remedy, list[str]]:
    """What the fixes of a change do, with the places in the new files: `FILE:LINE`, each once.

    Remedies of several hazards that do the same are told as one.
    """
    place = _placed(change_set)
    first: dict[str, Remedy] = {}
    return grouped_once(
        (first.setdefault(fix.remedy.says, fix.remedy), place(fix.file, fix.line))
        for offer in mended
        for fix in offer.found.fixes
    )


def beside(mended: Iterable[Offer], change_set: ChangeSet) -> dict[Reason, list[str]]:
    """Why code in a rewritten function that looks the same is left as it is, with the places."""
    place = _placed(change_set)
    found: list[tuple[Reason, str]] = []
    for offer in mended:
        done = {(fix.remedy.id, fix.file, fix.scope) for fix in offer.found.fixes}
        left = (one for one in offer.found.without if (one.id, one.file, one.scope) in done)
        found += [(one.reason, place(one.file, one.line)) for one in left]
    return grouped_once(found)


def statements(mended: Iterable[Offer], change_set: ChangeSet) -> frozenset[str]:
    """The rewritten statements in functions, as `FILE:LINE` of the new files.

    Proofs execute them, not the runs that a text cites. They are known by their code, since the
    change may break lines as the kit's formatter does.
    """
    fixed = {code for offer in mended for code in _codes(offer.change).values()}
    return frozenset(place for place, code in _codes(change_set).items() if code in fixed)


def _codes(change_set: ChangeSet) -> dict[str, tuple[str, str]]:
    """The statements that a change touches: by place the file, and the code on one line."""
    heads: dict[str, str] = {}
    wanted = unexecuted(change_set, ())
    paths = {place.rpartition(":")[0] for place in wanted}
    for change in (one for one in change_set.changes if one.path in paths):
        for node in walk(ast.parse(change.new)):
            if isinstance(node, ast.stmt):
                place = f"{change.path}:{node.lineno}"
                heads.setdefault(place, ast.unparse(node).partition("\n")[0])
    return {place: (place.rpartition(":")[0], heads[place]) for place in wanted}


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
