"""Code patterns with metavariables: `$MODEL = build_model($CONFIG["Arch"], ...)`.

A pattern is one Python statement or expression in which `$NAME` stands for any expression
(the same name must stand for the same code), `$_` for any expression that nobody asks for,
and a bare `...` among the arguments of a call for any further arguments. A plain name in
the place of a callee also matches it as an attribute: `build_model(...)` finds
`models.build_model(cfg)` too, since kits moved such functions about.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache

from codemod.base.errors import UsageError
from codemod.code.module import Scope, Statement

_PREFIX = "__mv_"
Bindings = dict[str, ast.expr]


@lru_cache(maxsize=512)
def compile_pattern(text: str) -> ast.stmt | ast.expr:
    """The tree of a pattern; raises UsageError when it is not one Python statement."""
    body = compile_block(text)
    if len(body) != 1:
        raise UsageError(f"The pattern {text!r} must be one statement.")
    return body[0].value if isinstance(body[0], ast.Expr) else body[0]


def compile_block(text: str) -> list[ast.stmt]:
    """The trees of a block of code with metavariables; raises UsageError when it is not Python."""
    source = re.sub(r"\$([A-Za-z_][A-Za-z_0-9]*)", _PREFIX + r"\1", text)
    try:
        return ast.parse(source).body
    except SyntaxError as fault:
        raise UsageError(f"The pattern {text!r} is not Python: {fault.msg}.") from fault


def match(pattern: ast.AST, node: ast.AST) -> Bindings | None:
    """What each metavariable stands for when `node` has the pattern's shape, else None.

    A pattern that is an expression also matches the statement that is nothing else.
    """
    if isinstance(pattern, ast.expr) and isinstance(node, ast.Expr):
        node = node.value
    bindings: Bindings = {}
    return bindings if _same(pattern, node, bindings) else None


def first_match(scope: Scope, patterns: Iterable[ast.AST]) -> tuple[Statement, Bindings] | None:
    """The first statement of a scope with a pattern's shape, by the first pattern that has one."""
    for pattern in patterns:
        for statement in scope.statements:
            found = match(pattern, statement.node)
            if found is not None:
                return statement, found
    return None


def fill(template: str, bindings: Bindings | dict[str, str]) -> str:
    """The template with each `$NAME` replaced by the code it stands for."""

    def code(found: re.Match[str]) -> str:
        value = bindings.get(found[1])
        if value is None:
            raise UsageError(f"The template {template!r} uses ${found[1]}, which nothing binds.")
        return value if isinstance(value, str) else ast.unparse(value)

    return re.sub(r"\$([A-Za-z_][A-Za-z_0-9]*)", code, template)


def _same(pattern: object, node: object, bindings: Bindings) -> bool:
    if isinstance(pattern, ast.Name) and pattern.id.startswith(_PREFIX):
        return isinstance(node, ast.expr) and _bind(pattern.id, node, bindings)
    if isinstance(pattern, ast.Assign) and isinstance(node, ast.AnnAssign) and node.value:
        node = ast.Assign(targets=[node.target], value=node.value)
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, ast.Call) and isinstance(node, ast.Call):
        return _same_call(pattern, node, bindings)
    if isinstance(pattern, list) and isinstance(node, list):
        return len(pattern) == len(node) and all(
            _same(a, b, bindings) for a, b in zip(pattern, node, strict=True)
        )
    if isinstance(pattern, ast.AST):
        return all(
            _same(getattr(pattern, name, None), getattr(node, name, None), bindings)
            for name in pattern._fields
            if name not in ("ctx", "type_comment", "kind")
        )
    return pattern == node


def _bind(name: str, node: ast.expr, bindings: Bindings) -> bool:
    name = name[len(_PREFIX) :]
    if name == "_":
        return True
    if name in bindings:
        return ast.unparse(bindings[name]) == ast.unparse(node)
    bindings[name] = node
    return True


def _same_call(pattern: ast.Call, node: ast.Call, bindings: Bindings) -> bool:
    callee = node.func
    if isinstance(pattern.func, ast.Name) and isinstance(callee, ast.Attribute):
        callee = ast.Name(id=callee.attr)
    if not _same(pattern.func, callee, bindings):
        return False
    wanted = list(pattern.args)
    more = bool(wanted) and isinstance(wanted[-1], ast.Constant) and wanted[-1].value is ...
    if more:
        wanted.pop()
    if len(node.args) < len(wanted) or (len(node.args) > len(wanted) and not more):
        return False
    if not all(_same(a, b, bindings) for a, b in zip(wanted, node.args, strict=False)):
        return False
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    for keyword in pattern.keywords:
        if keyword.arg not in given or not _same(keyword.value, given[keyword.arg], bindings):
            return False
    return more or len(given) == len(pattern.keywords)
