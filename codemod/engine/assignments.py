"""What the statements of a scope assign to names, and a call to parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from codemod.code.module import Scope, Statement
from codemod.code.sites import assigned


def assignments(
    scope: Scope, name: str = ""
) -> Iterator[tuple[Statement, tuple[str, ...], ast.expr]]:
    """The statements that give values to names: to one name, or to any; targets and value."""
    for statement in scope.statements:
        targets, value = assigned(statement.node)
        if value is not None and targets and (not name or name in targets):
            yield statement, targets, value


def values_of(scope: Scope, name: str) -> Iterator[ast.expr]:
    """What a scope assigns to a name, in order."""
    return (value for _, _, value in assignments(scope, name))


def given(call: ast.Call, parameters: Sequence[str]) -> dict[str, ast.expr]:
    """What a call hands over for each parameter."""
    named = ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg)
    return dict((*zip(parameters, call.args, strict=False), *named))


def binds(scope: Scope, name: str) -> bool:
    """Whether a scope assigns the name itself."""
    return scope.mentions(name) and any(name in assigned(s.node)[0] for s in scope.statements)
