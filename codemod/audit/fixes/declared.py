"""Fixes that a file states for one kit: `fixes.yaml` in its folder, or a file of the user's own.

They are for code that only one kit has. What is stated is held to the same law as the remedies of
the catalogue: nothing is written that no probe proves.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from codemod.audit.fixes.remedy import Blame, Remedy, path_of, reread
from codemod.base.files.yaml_file import YamlValue, read_yaml
from codemod.base.reason import Reason, Refusal
from codemod.base.schema import Check, read_record
from codemod.engine.rewrite.ops import Action, Replace
from codemod.hazards.reach.reached import Reached
from codemod.kits.folder import FIXES, kit_file


@dataclass(frozen=True)
class DeclaredFix:
    """A fix as a file states it.

    In the function `scope` (`Class.method`) of `file`, each expression or statement `old`, however
    it is laid out, becomes `new`: an expression, or any number of statements. `comment` is put
    above it.
    """

    id: str
    name: str
    blame: Literal["hook", "kit"]
    file: str
    scope: str
    old: str
    new: str
    says: str
    says_zh: str
    comment: str = ""


@dataclass(frozen=True)
class DeclaredFixes:
    """The form of the file."""

    fixes: tuple[DeclaredFix, ...]


# Several kits have an X-01.
_OF_ONE_KIT = re.compile(r"(?<![\w/])X-\d+\b")


def with_kit(kit: str, text: str) -> str:
    """A text in which the ids of fixes that files state are told apart by kit: `Kit/X-01`."""
    return _OF_ONE_KIT.sub(rf"{kit}/\g<0>", text)


def declared_remedies(kit: str, more: tuple[Path, ...] = ()) -> tuple[Remedy, ...]:
    """The remedies that the kit's own file and those of the user state.

    Raises:
        UsageError: a file is not of this form, or its code is not Python; with file and line.
    """
    return tuple(_remedy(one) for one in declared_fixes(kit, more))


def declared_fixes(kit: str, more: tuple[Path, ...] = ()) -> tuple[DeclaredFix, ...]:
    """The fixes as those files state them.

    Raises:
        UsageError: as `declared_remedies`.
    """
    own = kit_file(kit, FIXES)
    files = (*((own,) if own else ()), *more)
    checks: Check = {DeclaredFix: _check}
    return tuple(
        one for file in files for one in read_record(DeclaredFixes, read_yaml(file), checks).fixes
    )


def _check(fix: DeclaredFix, value: YamlValue) -> None:
    for name in ("old", "new"):
        try:
            body = ast.parse(getattr(fix, name)).body
        except (SyntaxError, ValueError):
            body = []
        if not body or (name == "old" and len(body) > 1):
            raise value.fault(f"has no Python in `{name}`", "`old` is one expression or statement.")


def _remedy(fix: DeclaredFix) -> Remedy:
    statement = ast.parse(fix.old).body[0]
    # A call that stands alone is a statement where statements take its place.
    within = isinstance(statement, ast.Expr) and _is_expression(fix.new)
    sought: ast.AST = statement.value if within and isinstance(statement, ast.Expr) else statement
    form = ast.dump(sought)
    # What the fix has written may hold what it looks for, as in `float("-inf")`.
    made = ast.parse(fix.new).body
    written = {ast.dump(one.value if isinstance(one, ast.Expr) else one) for one in made}

    def find(reached: Reached) -> Iterator[ast.AST]:
        function = reached.function
        if (function.module.path, function.scope) != (fix.file, fix.scope):
            return
        for node in reached.nodes:
            # A name that is read and one that is bound differ in their context, as they should.
            if type(node) is not type(sought) or ast.dump(node) != form:
                continue
            if not any(ast.dump(outer) in written for outer in reached.above(node)):
                yield node

    def mend(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
        if isinstance(sought, ast.expr):
            return reread(reached, node, fix.new.strip())
        path = path_of(reached, node)
        if path is None:
            return Refusal(Reason.of("audit.statement-not-found"))
        return (Replace(path, fix.new),)

    blame = Blame(fix.blame)
    return Remedy(fix.id, fix.name, blame, fix.says, fix.says_zh, find, mend, fix.comment)


def _is_expression(code: str) -> bool:
    body = ast.parse(code).body
    return len(body) == 1 and isinstance(body[0], ast.Expr)
