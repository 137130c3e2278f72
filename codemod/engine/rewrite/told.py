"""What an operation does to its file, as a sentence: the origin of the edit that it becomes."""

from __future__ import annotations

import ast
import re

from codemod.base.changeset import EditKind, EditOrigin
from codemod.base.reason import Reason
from codemod.code.module import Path
from codemod.engine.rewrite import ops


def origin_of(op: ops.Op, tree: ast.Module | None) -> EditOrigin:
    """Whence the edit comes that carries out an operation on the file of this tree."""
    return EditOrigin(_does(op, tree), op.says, op.fix, op.idles, op.mends)


def _does(op: ops.Op, tree: ast.Module | None) -> Reason:
    match op.action:
        case ops.AddParameter(name=name, default=default):
            return Reason.of("engine.edit-parameter", name=name, default=default)
        case ops.AddArgument(callee=callee, name=name, value=value):
            return Reason.of("engine.edit-passes", callee=callee, name=name, value=value)
        case ops.AddToDocstring(text=text):
            return Reason.of("engine.edit-docstring", name=re.split(r"\W", text.strip())[0])
        case ops.AddElements(elements=elements):
            return Reason.of("engine.edit-elements", elements=elements)
        case ops.Rename(old=old, new=new):
            return Reason.of("engine.edit-reads", old=old, new=_joined(new))
        case ops.Extract(name=name):
            return Reason.of("engine.edit-extracts", name=name)
        case ops.Move(owner=owner):
            return Reason.of("engine.edit-moves", code=_statement(tree, owner))
        case ops.Replace(owner=owner, code=""):
            return Reason.of("engine.edit-removes", code=_statement(tree, owner))
        case ops.Replace(owner=owner, code=code):
            old = _statement(tree, owner)
            # A statement of several lines is known by its first alone, which may stay by chance.
            kept = old in map(str.strip, code.splitlines()) and not old.endswith(":")
            if kept:
                before = [line.strip() for line in code.partition(old)[0].splitlines()]
                if "else:" in before:
                    return Reason.of("engine.edit-else", code=_first(code), old=old)
                return Reason.of("engine.edit-wraps", code=_header(code), old=old)
            if _goes_on(code):
                return Reason.of("engine.edit-replaces-lines", code=_first(code), old=old)
            return Reason.of("engine.edit-replaces", code=_first(code), old=old)
        case ops.Insert(code=code):
            return _inserted(op.kind, code)


def _statement(tree: ast.Module | None, owner: Path) -> str:
    """The first line of the statement at a path, as Python writes it."""
    node: ast.AST | None = tree
    for field, index in owner:
        node = getattr(node, field)[index] if node is not None else None
    return "" if node is None else ast.unparse(node).partition("\n")[0]


def _inserted(kind: EditKind, code: str) -> Reason:
    if kind is EditKind.HOOK:
        return Reason.of("engine.edit-hook", code=_first(code))
    if _goes_on(code):
        return Reason.of("engine.edit-adds-lines", code=_first(code))
    return Reason.of("engine.edit-adds", code=_first(code))


def _first(code: str) -> str:
    """The first line that does something, of a block with what it does first.

    A call may go over several lines; comments beside the code are left out.
    """
    return _parted(code)[0]


def _goes_on(code: str) -> bool:
    """Whether code comes after what `_first` shows."""
    return bool(_parted(code)[1])


def _parted(code: str) -> tuple[str, list[str]]:
    """What `_first` shows, and the lines after it."""
    known = _doing(code)
    if not known:
        return "", []
    first, rest = _closed(known)
    if not first.endswith(":") or not rest:
        return first, rest
    body, rest = _closed(rest)
    return f"{first} {body}", rest


def _header(code: str) -> str:
    """The first line that does something, without what stands below it."""
    known = _doing(code)
    return _closed(known)[0] if known else ""


def _doing(code: str) -> list[str]:
    """The lines that do something, without the comments beside them."""
    lines = [line.strip().partition("  #")[0] for line in code.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def _joined(code: str) -> str:
    """An expression of several lines as one, without blanks beside its brackets."""
    whole = " ".join(code.split())
    return re.sub(r"(?<=[(\[{]) | (?=[)\]}])", "", whole)


def _closed(lines: list[str]) -> tuple[str, list[str]]:
    """The first line with those that close the brackets that it opens, and the lines below."""
    whole, rest = lines[0], lines[1:]
    while rest and _opened(whole) > 0:
        whole += rest[0] if whole.endswith(("(", "[", "{")) else f" {rest[0]}"
        rest = rest[1:]
    return whole, rest


def _opened(code: str) -> int:
    """How many brackets are open at the end of a line, those in texts left out."""
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", code)
    return len(re.findall(r"[(\[{]", bare)) - len(re.findall(r"[)\]}]", bare))
