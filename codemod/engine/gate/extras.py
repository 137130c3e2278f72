"""Statements that go with a hook: what a rule needs beyond the gate's own plumbing."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase
from typing import cast

from codemod.base.changeset import EditKind
from codemod.base.reason import Reason, Refusal
from codemod.code.module import Module, Scope, Statement
from codemod.code.pattern import Bindings, compile_pattern, fill, first_match, match
from codemod.code.project import Project
from codemod.code.traversal import own_nodes
from codemod.engine.gate.gates import in_quotes
from codemod.engine.rewrite.ops import AddElements, Insert, Op, Rename, Replace
from codemod.kits.rule import Extra

READ = "_READ"


def extra_ops(project: Project, extras: tuple[Extra, ...]) -> tuple[Op, ...] | Refusal:
    """The operations of a trainer's extras, or why one that is needed cannot be placed."""
    ops: list[Op] = []
    for extra in extras:
        found = _place(project, extra)
        if isinstance(found, Op):
            ops.append(found)
        elif found is None and not extra.optional:
            anchor = extra.anchors[0]
            return Refusal(Reason.of("engine.no-anchor", anchor=anchor, files=extra.files))
    return tuple(ops)


def read_anew(mends: tuple[Extra, ...], module: Module, scope: Scope, code: str) -> str:
    """An expression of a new hook as the rule's mends would have it: they look at old lines alone.

    Else a second run would mend what the first one wrote.
    """
    node = compile_pattern(code)
    for extra in mends:
        here = any(fnmatchcase(module.path, glob) for glob in extra.files)
        if extra.reads and here and any(fnmatchcase(scope.name, glob) for glob in extra.scopes):
            found = match(compile_pattern(extra.reads), node)
            if found is not None:
                return in_quotes(module, fill(extra.code, found))
    return code


def _place(project: Project, extra: Extra) -> Op | bool | None:
    """The operation, True when the code exists already, None when there is no anchor."""
    if extra.where and not _fits(project, extra):
        return True
    pattern = compile_pattern(extra.anchors[0])
    for path in project.tree.paths(".py"):
        if not any(fnmatchcase(path, glob) for glob in extra.files):
            continue
        other = project.module(path)
        if other is None:
            continue
        if not extra.where and extra.unless and extra.unless in other.text:
            return True
        if not extra.where and extra.requires not in other.text:
            continue
        for scope in other.scopes:
            if any(fnmatchcase(scope.name, glob) for glob in extra.scopes):
                read = _read(scope, pattern, extra.within) if extra.reads else None
                if hit := read if extra.reads else first_match(scope, [pattern]):
                    return _op(extra, other, *hit)
    return None


def _fits(project: Project, extra: Extra) -> bool:
    """Whether the files of `where` hold what they must and nothing that they must not."""

    def holds(text: str) -> bool:
        paths = project.mentioning(text)
        return any(fnmatchcase(path, glob) for path in paths for glob in extra.where)

    required = not extra.requires or holds(extra.requires)
    return required and not (extra.unless and holds(extra.unless))


def _read(scope: Scope, pattern: ast.AST, within: str) -> tuple[Statement, Bindings] | None:
    """The first statement that reads the expression, in its header if it has blocks."""
    for statement in scope.statements:
        if within and within not in ast.unparse(statement.node):
            continue
        for node in own_nodes(statement.node):
            found = match(pattern, node)
            if found is not None:
                return statement, {**found, READ: cast("ast.expr", node)}
    return None


def _op(extra: Extra, module: Module, statement: Statement, bindings: Bindings) -> Op:
    code = fill(extra.code, bindings).rstrip("\n")
    kind, said = EditKind(extra.kind), (extra.told, extra.repairs, extra.idles)
    if extra.append:
        elements = tuple(in_quotes(module, code).splitlines())
        return Op(module.path, kind, AddElements(statement.path, elements), extra.reason, *said)
    if extra.reads:
        rename = Rename(statement.path, module.code(bindings[READ]), code)
        return Op(module.path, kind, rename, extra.reason, *said)
    if extra.replace or extra.remove:
        return Op(module.path, kind, Replace(statement.path, code), extra.reason, *said)
    insert = Insert.beside(statement.path, code, behind=bool(extra.after))
    return Op(module.path, kind, insert, None, *said)
