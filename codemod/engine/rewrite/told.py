"""What an operation does to its file, as a sentence: the origin of the edit that it becomes."""

from __future__ import annotations

from codemod.base.changeset import EditKind, EditOrigin
from codemod.base.reason import Reason
from codemod.engine.rewrite.ops import (
    AddArgument,
    AddElements,
    AddParameter,
    AddToDocstring,
    Extract,
    Insert,
    Move,
    Op,
    Rename,
    Replace,
)


def origin_of(op: Op) -> EditOrigin:
    """Whence the edit comes that carries out an operation."""
    return EditOrigin(_does(op), op.says, op.fix)


def _does(op: Op) -> Reason:
    match op.action:
        case AddParameter(name=name, default=default):
            return Reason.of("engine.edit-parameter", name=name, default=default)
        case AddArgument(callee=callee, name=name, value=value):
            return Reason.of("engine.edit-passes", callee=callee, name=name, value=value)
        case AddToDocstring():
            return Reason.of("engine.edit-docstring")
        case AddElements(elements=elements):
            return Reason.of("engine.edit-elements", elements=elements)
        case Rename(old=old, new=new):
            return Reason.of("engine.edit-reads", old=old, new=" ".join(new.split()))
        case Extract(name=name):
            return Reason.of("engine.edit-extracts", name=name)
        case Move():
            return Reason.of("engine.edit-moves")
        case Replace(code=""):
            return Reason.of("engine.edit-removes")
        case Replace(code=code):
            return Reason.of("engine.edit-replaces", code=_first(code))
        case Insert(code=code):
            return _inserted(op.kind, code)


def _inserted(kind: EditKind, code: str) -> Reason:
    if kind is EditKind.HOOK:
        return Reason.of("engine.edit-hook", code=_first(code))
    return Reason.of("engine.edit-adds", code=_first(code))


def _first(code: str) -> str:
    """The first line that does something; the call of a flag may go over several."""
    lines = [line.strip() for line in code.splitlines()]
    known = [line for line in lines if line and not line.startswith("#")]
    if known and known[0].endswith("("):
        end = next((n for n, line in enumerate(known) if line.endswith(")")), 0)
        return known[0] + " ".join(known[1 : end + 1])
    return known[0] if known else ""
