"""Carries out operations on a file with LibCST, which keeps every byte outside them.

LibCST is given an outline of the file, see `outline.py`. Only the nodes on the way to an
insertion are rebuilt; no metadata, no visitor. A file that LibCST does not give back byte for
byte, or that does not come out as promised, is refused.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from codemod.base.files.line_diff import changed_spans
from codemod.base.reason import Reason, Refusal
from codemod.code.module import changed_tree
from codemod.engine.rewrite.bindings import unbound
from codemod.engine.rewrite.ops import CannotRewriteError, Insert, Move, Op
from codemod.engine.rewrite.outline import Outline, outline
from codemod.engine.rewrite.rewriter import Rewriter


@dataclass(frozen=True)
class Rewritten:
    """New bytes, and the lines added and removed by each operation in their order."""

    new: bytes
    counts: tuple[tuple[int, int], ...]


def rewrite(source: bytes, ops: Sequence[Op]) -> Rewritten:
    """The file with the operations carried out.

    Raises:
        CannotRewriteError: with the reason, when the file must stay as it is.
    """
    if any(isinstance(op.action, Move) for op in ops):
        return rewrite_whole(source, ops)
    cut = outline(source, [op.action for op in ops])
    if cut.runs:
        # Where the outline fails, the whole file decides, and has the better reason.
        with contextlib.suppress(CannotRewriteError):
            return _rewrite(source, cut, ops)
    return rewrite_whole(source, ops)


def rewrite_whole(source: bytes, ops: Sequence[Op]) -> Rewritten:
    """The same with nothing held back from LibCST: slower, and right by LibCST alone.

    Raises:
        CannotRewriteError: with the reason, when the file must stay as it is.
    """
    return _rewrite(source, Outline(source), ops)


def _rewrite(source: bytes, cut: Outline, ops: Sequence[Op]) -> Rewritten:
    try:
        module = cst.parse_module(cut.text)
    except cst.ParserSyntaxError as fault:
        raise CannotRewriteError(Reason.of("engine.libcst-parse", line=fault.raw_line)) from fault
    except (SyntaxError, UnicodeError, LookupError, RecursionError) as fault:
        # LibCST asks `tokenize` for the encoding, which takes a file with CR alone for one line.
        raise CannotRewriteError(Reason.of("engine.libcst-read", said=str(fault))) from fault
    try:
        changed = Rewriter(module, cut).run([op.action for op in ops])
    except UnicodeError as fault:
        # Python reads files in `idna` and the like, but nothing longer can be written in them.
        raise CannotRewriteError(Reason.of("engine.unwritable", said=str(fault))) from fault
    try:
        new = cut.restore(changed)
    except ValueError as fault:
        raise CannotRewriteError(Reason.of("engine.lost-statements")) from fault
    _check_syntax(new)
    # Where lines are only added, comparing them shows all that a second printing would.
    if not _only_adds(source, new, ops):
        if module.bytes != cut.text:
            raise CannotRewriteError(Reason.of("engine.not-byte-for-byte"))
        if not any(op.reason for op in ops) and not _keeps(source, new):
            raise CannotRewriteError(Reason.of("engine.lines-not-ours"))
    return Rewritten(new, _count(source, new, ops))


def _check_syntax(new: bytes) -> None:
    try:
        changed_tree(new)
    except SyntaxError as fault:
        raise CannotRewriteError(
            Reason.of("engine.unparsable-result", line=fault.lineno or 0)
        ) from fault


def _only_adds(old: bytes, new: bytes, ops: Sequence[Op]) -> bool:
    """Whether the new file is the old one and the inserted lines, nothing else."""
    inserts = [op.action for op in ops if isinstance(op.action, Insert)]
    added = sum(len(insert.code.splitlines()) for insert in inserts)
    exact = len(new.splitlines()) == len(old.splitlines()) + added
    return len(inserts) == len(ops) and exact and _keeps(old, new)


def _keeps(old: bytes, new: bytes) -> bool:
    """Whether every old line is in the new file, in order."""
    lines = iter(new.splitlines(keepends=True))
    return all(line in lines for line in old.splitlines(keepends=True))


def _count(old: bytes, new: bytes, ops: Sequence[Op]) -> tuple[tuple[int, int], ...]:
    """Lines added and removed by each operation.

    An insertion's lines are known; what the whole file has beyond them belongs to the
    operations that touch a line of the kit's, shared out in order.
    """
    known = [
        len(op.action.code.splitlines()) if isinstance(op.action, Insert) else -1 for op in ops
    ]
    if -1 not in known:
        return tuple((lines, 0) for lines in known)
    spans = changed_spans(old.splitlines(), new.splitlines())
    removed = sum(span.stop - span.start for span in spans)
    added = sum(span.new_stop - span.new_start for span in spans) - sum(
        lines for lines in known if lines > 0
    )
    touching = known.count(-1)
    counts = []
    for lines in known:
        if lines >= 0:
            counts.append((lines, 0))
            continue
        share = (-(-added // touching), -(-removed // touching))
        counts.append(share)
        added, removed, touching = added - share[0], removed - share[1], touching - 1
    return tuple(counts)


@dataclass(frozen=True)
class RefusedOps:
    """Why operations on a file (by their place in its list) must not be carried out."""

    reasons: dict[int, Reason]


def rewrite_checked(source: bytes, ops: Sequence[Op]) -> Rewritten | RefusedOps | Refusal:
    """The result, or the reason why the file, or some of the operations, must be left out."""
    try:
        result = rewrite(source, ops)
        fault = unbound(source, result.new)
        return _refused(source, ops, fault) if fault else result
    except CannotRewriteError as fault:
        return Refusal(fault.reason)


def _refused(source: bytes, ops: Sequence[Op], fault: Reason) -> RefusedOps:
    """The operations that are at fault by themselves, or all of them."""
    reasons = {}
    for index, op in enumerate(ops):
        alone = unbound(source, rewrite(source, [op]).new)
        if alone:
            reasons[index] = alone
    return RefusedOps(reasons or dict.fromkeys(range(len(ops)), fault))
