"""Losses that read what a model's forward kept as an attribute, found in the code.

`loss = criterion(model(x)) + model.aux_loss`: after a full-graph trace the attribute holds a value
of the trace, not of the step.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemod.base.grouping import grouped
from codemod.code.module import Scope, callee, dotted
from codemod.code.project import Project
from codemod.code.sites import assigned
from codemod.code.traversal import walk
from codemod.engine.assignments import assignments

# Losses that gates of Paddle's own mixture of experts keep, which no repository defines.
_OF_PADDLE = frozenset({"get_loss"})
_FORWARD = frozenset({"forward", "__call__"})
_NAME = re.compile(rb"\w+")
_BACKWARD = "backward"


def kept_by_forward(
    project: Project, scope: Scope, names: frozenset[str]
) -> tuple[int, str] | None:
    """Line and source text of what the differentiated loss reads from the model beside its output.

    `names` are the model's in `scope`, which differentiates the loss.
    """
    for value in _making_the_loss(scope, names):
        for node in walk(value):
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
    made = grouped(_given(scope))
    seen: set[str] = set(names)
    while waiting:
        value = waiting.pop()
        yield value
        for node in walk(value):
            name = dotted(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
            if name and name not in seen:
                seen.add(name)
                waiting += made.get(name, ())


def _given(scope: Scope) -> Iterator[tuple[str, ast.expr]]:
    """The names that a scope gives values, each with a value, or what is added to it."""
    for statement in scope.statements:
        node, (targets, value) = statement.node, assigned(statement.node)
        if isinstance(node, ast.AugAssign):
            targets, value = tuple(filter(None, [dotted(node.target)])), node.value
        yield from ((target, value) for target in targets if value is not None)


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
    loops = (part for part in walk(value) if isinstance(part, ast.comprehension))
    return any(
        isinstance(loop.target, ast.Name)
        and loop.target.id == root
        and any(dotted(part) in names for part in walk(loop.iter))
        for loop in loops
    )


def _is_called(value: ast.expr, node: ast.Attribute) -> bool:
    return any(isinstance(part, ast.Call) and part.func is node for part in walk(value))


def _set_in_forward(project: Project, attribute: str, called: bool) -> bool:
    """Whether a class of the repository sets the attribute when it is run, or returns one such."""
    if not called:
        return any(
            scope.function in _FORWARD and f"self.{attribute}" in _kept(scope)
            for scope in _methods(project, f"self.{attribute} =", _FORWARD)
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
        for _, targets, value in assignments(scope)
        for name in targets
        if name.startswith("self.") and not isinstance(value, ast.Constant)
    )


def _methods(project: Project, text: str, within: frozenset[str] = frozenset()) -> Iterator[Scope]:
    """The methods of the files that hold a text, or hold it in a function of these names.

    Most files that hold `self.loss =` set it in a constructor, so they need not be parsed.
    """
    word = text.encode()
    # The names of functions stand in the texts that are searched already, a text in few of these.
    heads = b"|".join(b"def " + name.encode() for name in sorted(within))
    for path in project.matching(heads) if within else project.mentioning(text):
        if within and not _holds(project.tree.read(path), word, within):
            continue
        module = project.module(path)
        for scope in module.scopes if module else ():
            if scope.owner is not None:
                yield scope


def _holds(source: bytes, word: bytes, names: frozenset[str]) -> bool:
    """Whether a word stands in a function of these names, by the indents of the definitions."""
    at = source.find(word)
    while at >= 0:
        head, indent = at, _indent(source, at)
        while indent and (head := source.rfind(b"def ", 0, head)) >= 0:
            outer = _indent(source, head)
            if outer < indent:
                name = _NAME.match(source, head + 4)
                if name and name[0].decode("latin-1") in names:
                    return True
                indent = outer
        at = source.find(word, at + 1)
    return False


def _indent(source: bytes, at: int) -> int:
    """How far the line is indented that holds the byte at an offset."""
    start = max(source.rfind(b"\n", 0, at), source.rfind(b"\r", 0, at)) + 1
    line = source[start:at]
    return len(line) - len(line.lstrip())
