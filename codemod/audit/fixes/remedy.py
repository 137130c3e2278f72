"""What mends a hazard where that can be done by rule: a rewrite of the statement that shows it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from codemod.base.reason import Reason, Refusal
from codemod.code.module import Path, Statement, dotted
from codemod.code.traversal import own_nodes
from codemod.engine.rewrite.ops import Action, Rename
from codemod.hazards.reach.reached import Reached

Mender = Callable[["Reached", ast.AST], "tuple[Action, ...] | Refusal"]
"""The operations that mend a hazard at a node, or why it cannot be seen that they are right."""
MENDERS: dict[str, Mender] = {}
NodeFinder = Callable[["Reached"], Iterator[ast.AST]]
"""The nodes that a remedy may mend."""
FAULT_FINDERS: dict[str, NodeFinder] = {}


class Blame(str, Enum):
    """Whose fault a remedy mends: what only a static graph trips over, or the kit's own."""

    HOOK = "hook"
    KIT = "kit"


@dataclass(frozen=True)
class Remedy:
    """A mechanical remedy.

    `id` is the hazard's (`D-77`), or that of a fault of the kit's own (`K-01`), which stops
    dynamic training too. `says` tells what the rewrite does; `comment` stands above the code that
    it writes, and says which Paddle needs that.
    """

    id: str
    name: str
    blame: Blame
    says: str
    says_zh: str
    find: NodeFinder
    mend: Mender
    comment: str = ""

    @property
    def reason(self) -> Reason:
        """`says`, in both languages."""
        return Reason.said(self.says, self.says_zh)


def mends(*ids: str) -> Callable[[Mender], Mender]:
    """Register a function as the one that mends hazards or faults, given by their ids."""

    def register(mender: Mender) -> Mender:
        for id_ in ids:
            assert id_ not in MENDERS, id_
            MENDERS[id_] = mender
        return mender

    return register


def finds_fault(id_: str) -> Callable[[NodeFinder], NodeFinder]:
    """Register a function as the one that looks for a fault of the kit's own."""

    def register(finder: NodeFinder) -> NodeFinder:
        assert id_ not in FAULT_FINDERS, id_
        FAULT_FINDERS[id_] = finder
        return finder

    return register


def statement_of(reached: Reached, node: ast.AST) -> Statement | None:
    """The innermost statement in whose own expressions a node of the function stands."""
    for scope in reached.function.module.scopes:
        for statement in scope.statements:
            found = node is statement.node or any(n is node for n in own_nodes(statement.node))
            if found and not isinstance(statement.node, (ast.FunctionDef, ast.ClassDef)):
                return statement
    return None


def path_of(reached: Reached, node: ast.AST) -> Path | None:
    """The path of that statement; None for a node that stands in no statement that runs."""
    found = statement_of(reached, node)
    return found.path if found else None


def source_of(reached: Reached, node: ast.AST) -> str:
    """The text of a node, as it stands in the file."""
    return reached.function.module.code(node) if isinstance(node, (ast.expr, ast.stmt)) else ""


def meaning(reached: Reached, node: ast.AST | None) -> str:
    """What a name means, imports spelled out: `paddle.max`; "" for what is no name."""
    name = dotted(node)
    return reached.index.canonical(reached.function.module, name) if name else ""


def reread(reached: Reached, node: ast.AST, new: str) -> tuple[Rename, ...]:
    """The operation that writes an expression otherwise; none where it cannot be named."""
    path, old = path_of(reached, node), source_of(reached, node)
    return (Rename(path, old, new),) if path is not None and old else ()
