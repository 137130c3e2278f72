"""The lines that are put into the kit: gate, call, and one line of log."""

from __future__ import annotations

import ast

from codemod.code.module import Module, Scope, callee
from codemod.code.sites import assigned
from codemod.code.traversal import walk
from codemod.engine.assignments import assignments
from codemod.engine.gate.gates import in_quotes
from codemod.engine.place.placement import Position

MESSAGE = "Training runs under paddle.jit.to_static."


def hook_code(
    module: Module,
    scope: Scope,
    position: Position,
    target: str,
    test: str,
    spec: str | None,
    template: str = "",
    logs: bool = True,
) -> str:
    """The hook's source, indented by four spaces a level from its own block.

    `logs` is false where the template says itself what it did.
    """
    arguments = f"{target}, input_spec={spec}" if spec else target
    lines = template.splitlines() or [f"{target} = paddle.jit.to_static({arguments})"]
    if logs:
        lines.append(in_quotes(module, f'{logger(module, scope, position)}("{MESSAGE}")'))
    body = (f"    {line}" for line in (*_import(module, scope, position), *lines))
    return "\n".join([f"if {test}:", *body])


def standing_line(scope: Scope, position: Position, code: str) -> int | None:
    """The line of the `to_static` call if exactly this code is at the position already."""
    wanted = ast.unparse(ast.parse(code).body[0])
    near = [(*position.owner, (position.field, position.index - back)) for back in (0, 1)]
    for statement in scope.statements:
        if statement.path in near and ast.unparse(statement.node) == wanted:
            calls = [n for n in walk(statement.node) if isinstance(n, ast.Call)]
            lines = [n.lineno for n in calls if callee(n).endswith("to_static")]
            return next(iter(lines), statement.node.lineno)
    return None


def _import(module: Module, scope: Scope, position: Position) -> list[str]:
    """Nothing where `paddle` is at hand; else an import that costs nothing when off."""
    used = any(isinstance(n, ast.Name) and n.id == "paddle" for n in walk(scope.node))
    at_hand = used or any(map(_is_import, _ran(module, scope, position)))
    return [] if at_hand else ["import paddle"]


def _is_import(node: ast.stmt) -> bool:
    """Whether a statement binds the name `paddle` to the package."""
    named = node.names if isinstance(node, ast.Import) else []
    return any(
        one.asname in (None, "paddle")
        if one.name == "paddle"
        else one.asname is None and one.name.startswith("paddle.")
        for one in named
    )


def _ran(module: Module, scope: Scope, position: Position) -> list[ast.stmt]:
    """The statements of scope and module that may have run when the hook does."""
    whole = module.scopes[0]
    above = whole.statements if scope is not whole else ()
    before = (s for s in scope.statements if position.follows(s.path))
    return [s.node for s in (*before, *above)]


def logger(module: Module, scope: Scope, position: Position) -> str:
    """The kit's own way of logging, where it can be reached at the position."""
    if _bound_before(scope, "logger", position):
        return "logger.info"
    if "logger" not in _locals(scope) and _global(module, scope, position, "logger"):
        return "logger.info"
    if scope.owner is not None and _has_attribute(module, scope, "self.logger", position):
        return "self.logger.info"
    return _fetched(module, scope) or "print"


def _fetched(module: Module, scope: Scope) -> str | None:
    """The logger that another function of the file gets by a call with constants alone."""
    taken = {*scope.parameters, *_locals(scope)}
    for other in module.scopes:
        for call in other.calls if other.mentions("get_logger(") else ():
            own = isinstance(call.func, ast.Name) and call.func.id == "get_logger"
            plain = all(isinstance(value, ast.Constant) for value in call.args)
            if own and plain and not call.keywords and "get_logger" not in taken:
                return f"{ast.unparse(call)}.info" if _imports(module, "get_logger") else None
    return None


def _imports(module: Module, name: str) -> bool:
    """Whether the module imports a name at its top level."""
    return any(
        name == (alias.asname or alias.name)
        for node in module.tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


def _locals(scope: Scope) -> set[str]:
    return {name for s in scope.statements for name in assigned(s.node)[0]}


def _global(module: Module, scope: Scope, position: Position, name: str) -> bool:
    for node in _ran(module, scope, position):
        named = node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []
        if any((one.asname or one.name.split(".")[0]) == name for one in named):
            return True
    return any(name in assigned(node)[0] for node in module.tree.body)


def _bound_before(scope: Scope, name: str, position: Position) -> bool:
    before = (one for one, _, _ in assignments(scope, name) if position.follows(one.path))
    return name in scope.parameters or any(before)


def _has_attribute(module: Module, scope: Scope, name: str, position: Position) -> bool:
    assert scope.owner is not None
    return _bound_before(scope, name, position) or any(
        len(statement.path) == len(method.path) + 1
        for method in module.methods(scope.owner)
        if method.function == "__init__" and method is not scope
        for statement, _, _ in assignments(method, name)
    )
