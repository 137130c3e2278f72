"""Losses that read what a model's forward kept as an attribute, found in the code.

`loss = criterion(model(x)) + model.aux_loss`: after a full-graph trace the attribute holds a value
of the trace, not of the step.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.module import Scope, callee, dotted
from codemod.code.project import Project
from codemod.code.sites import assigned

# Losses that gates of Paddle's own mixture of experts keep, which no repository defines.
_OF_PADDLE = frozenset({"get_loss"})
_FORWARD = frozenset({"forward", "__call__"})
_BACKWARD = "backward"


def kept_by_forward(
    project: Project, scope: Scope, names: frozenset[str]
) -> tuple[int, str] | None:
    """Line and source text of what the differentiated loss reads from the model beside its output.

    `names` are the model's in `scope`, which differentiates the loss.
    """
    for value in _making_the_loss(scope, names):
        for node in ast.walk(value):
            if not isinstance(node, ast.Attribute) or not _of_model(value, node, names):
                continue
            if _set_in_forward(project, node.attr, _is_called(value, node)):
                return node.lineno, ast.unparse(node)
    return None


def _making_the_loss(scope: Scope, names: frozenset[str]) -> Iterator[ast.expr]:
    """The expressions that the differentiated loss is made of, followed through its names."""
    waiting: list[ast.expr] = []
    for call in scope.calls:
        if callee(call) == _BACKWARD and isinstance(call.func, ast.Attribute):
            waiting += [call.func.value, *call.args]
    made: dict[str, list[ast.expr]] = {}
    for statement in scope.statements:
        targets, made_of = assigned(statement.node)
        if isinstance(statement.node, ast.AugAssign):
            target = dotted(statement.node.target)
            targets, made_of = (target,) if target else (), statement.node.value
        if made_of is not None:
            for target in targets:
                made.setdefault(target, []).append(made_of)
    seen: set[str] = set(names)
    while waiting:
        value = waiting.pop()
        yield value
        for node in ast.walk(value):
            name = dotted(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
            if name and name not in seen:
                seen.add(name)
                waiting += made.get(name, ())


def _of_model(value: ast.expr, node: ast.Attribute, names: frozenset[str]) -> bool:
    """Whether an attribute is read from the model, or from one of its parts in a comprehension."""
    owner = node.value
    while isinstance(owner, (ast.Attribute, ast.Subscript)):
        if dotted(owner) in names:
            return True
        owner = owner.value
    root = dotted(owner)
    if root in names:
        return True
    loops = (part for part in ast.walk(value) if isinstance(part, ast.comprehension))
    return any(
        isinstance(loop.target, ast.Name)
        and loop.target.id == root
        and any(dotted(part) in names for part in ast.walk(loop.iter))
        for loop in loops
    )


def _is_called(value: ast.expr, node: ast.Attribute) -> bool:
    return any(isinstance(part, ast.Call) and part.func is node for part in ast.walk(value))


def _set_in_forward(project: Project, attribute: str, called: bool) -> bool:
    """Whether a class of the repository sets the attribute when it is run, or returns one such."""
    if not called:
        return any(
            f"self.{attribute}" in _kept(scope) and scope.function in _FORWARD
            for scope in _methods(project, f"self.{attribute} =")
        )
    if attribute in _OF_PADDLE:
        return True
    for scope in _methods(project, f"def {attribute}(self"):
        if scope.function == attribute:
            returned = {
                dotted(s.node.value) for s in scope.statements if isinstance(s.node, ast.Return)
            }
            own = [name[5:] for name in returned if name and name.startswith("self.")]
            if any(_set_in_forward(project, name, called=False) for name in own):
                return True
    return False


def _kept(scope: Scope) -> frozenset[str]:
    """The attributes that a scope sets to what it computes: neither constants nor arguments."""
    return frozenset(
        name
        for statement in scope.statements
        for targets, value in [assigned(statement.node)]
        for name in targets
        if name.startswith("self.") and value is not None and not isinstance(value, ast.Constant)
    )


def _methods(project: Project, text: str) -> Iterator[Scope]:
    for path in project.mentioning(text):
        module = project.module(path)
        for scope in module.scopes if module else ():
            if scope.owner is not None:
                yield scope
