"""Rewrites a file, and looks at every name that the result uses."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from codemod.base.reason import Reason, Refusal
from codemod.engine.rewrite.bindings import unbound
from codemod.engine.rewrite.file import Rewritten, rewrite
from codemod.engine.rewrite.ops import CannotRewriteError, Op


@dataclass(frozen=True)
class RefusedOps:
    """Why operations on a file (by their place in its list) must not be carried out."""

    reasons: dict[int, Reason]


def rewrite_checked(
    source: bytes, ops: Sequence[Op], tree: ast.Module | None
) -> Rewritten | RefusedOps | Refusal:
    """The result, or the reason why the file, or some of the operations, must be left out."""
    try:
        result = rewrite(source, ops, tree)
        fault = unbound(source, result.new, result.tree)
        return _refused(source, ops, fault) if fault else result
    except CannotRewriteError as fault:
        return Refusal(fault.reason)


def _refused(source: bytes, ops: Sequence[Op], fault: Reason) -> RefusedOps:
    """The operations that are at fault by themselves, or all of them."""
    reasons = {}
    for index, op in enumerate(ops):
        result = rewrite(source, [op])
        alone = unbound(source, result.new, result.tree)
        if alone:
            reasons[index] = alone
    return RefusedOps(reasons or dict.fromkeys(range(len(ops)), fault))
