"""Whether a hook's call is shut off by its gate, which mode it gives, and what it calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum

from codemod.base.changeset import ChangeSet, Hook
from codemod.code.module import Module, Scope, Statement, callee, dotted, parse
from codemod.code.project import Project
from codemod.code.tree import Tree

_SWITCH = re.compile(r"static|d2s|dy2st", re.IGNORECASE)
_LEAVES = (ast.Return, ast.Raise)


class Guard(Enum):
    """Where the `if` stands that reads the gate and decides over a call."""

    HERE = "around the call, or above it where it leaves the function"
    HELPER = "in the kit's own helper that is called"
    NOWHERE = "elsewhere, or there is none"


class Decides(Enum):
    """What a condition does to a line, where the names that it reads are false."""

    ALONE = "shuts the line off by itself"
    WITH_OTHERS = "shuts it off where its other parts do not open it"
    OTHERWISE = "asks that they be false"


def guard_of(hook: Hook, change_set: ChangeSet) -> Guard:
    """Where the `if` stands that shuts a call off; a helper's need only name the switch."""
    found = _place(hook, change_set)
    if found is None or hook.gate is None:
        return Guard.NOWHERE
    module, scope, line = found
    try:
        gate = ast.dump(ast.parse(hook.gate.strip(), mode="eval").body)
    except SyntaxError:
        return Guard.NOWHERE
    tests = [test for _, test in deciding(scope, line)]
    if any(ast.dump(part) == gate for test in tests for part in ast.walk(test)):
        return Guard.HERE
    for _, helper, calls in _helpers(change_set, module, scope, line):
        over = ([test for _, test in deciding(helper, one.lineno)] for one in calls)
        if all(any(map(names_switch, tests)) for tests in over):
            return Guard.HELPER
    return Guard.NOWHERE


def takes_default_mode(hook: Hook, change_set: ChangeSet) -> bool:
    """Whether no `to_static` that the hook calls, itself or in its helper, says `full_graph`."""
    found = _place(hook, change_set)
    if found is None:
        return False
    own = [call for call in found[1].calls if callee(call) == "to_static"]
    others = [one for _, _, calls in _helpers(change_set, *found) for one in calls]
    return not any(word.arg == "full_graph" for call in own + others for word in call.keywords)


def names_switch(test: ast.expr) -> bool:
    """Whether a condition names a switch for static training."""
    return _SWITCH.search(ast.unparse(test)) is not None


def helper_files(hook: Hook, change_set: ChangeSet) -> list[str]:
    """The files of the kit's helpers that a hook calls, which call `to_static`."""
    found = _place(hook, change_set)
    return [path for path, _, _ in _helpers(change_set, *found)] if found else []


def _place(hook: Hook, change_set: ChangeSet) -> tuple[Module, Scope, int] | None:
    """The scope and the line of a hook as the change makes or leaves it."""
    new = next((c.new for c in change_set.changes if c.path == hook.file), None)
    if new is None:
        tree = Tree(change_set.source.root)
        new = tree.read(hook.file) if hook.file in tree.paths() else None
    module = parse(hook.file, new) if new is not None else None
    scope = module.scope(hook.scope) if isinstance(module, Module) else None
    if not isinstance(module, Module) or scope is None or hook.line is None:
        return None
    return module, scope, hook.line


def deciding(scope: Scope, line: int) -> Iterator[tuple[Decides, ast.expr]]:
    """The conditions that decide whether a line of a scope is reached, and what each does.

    With `or` beside it a condition lets a line be reached without it; so does `and` in a
    condition above that leaves the function.
    """
    at = _statement(scope, line)
    for statement in scope.statements if at else ():
        node, path = statement.node, statement.path
        if not isinstance(node, ast.If) or at is None or node.lineno >= line:
            continue
        around = at.path[: len(path)] == path and at.path[len(path)][0] == "body"
        beside = at.path[: len(path) - 1] == path[:-1] and at.path[: len(path)] != path
        if around or (beside and isinstance(node.body[-1], _LEAVES) and _denies(node.test)):
            off = ast.And if beside else ast.Or
            sure = not any(isinstance(part, off) for part in ast.walk(node.test))
            if around and _denies(node.test):
                yield Decides.OTHERWISE, node.test
            else:
                yield Decides.ALONE if sure else Decides.WITH_OTHERS, node.test


def _denies(test: ast.expr) -> bool:
    """`not x`, `x is not True`, `x is False` and the like."""
    for node in ast.walk(test):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return True
        if isinstance(node, ast.Compare):
            right = node.comparators[0]
            off = isinstance(right, ast.Constant) and not right.value
            if isinstance(node.ops[0], (ast.IsNot, ast.NotEq)) != off:
                return True
    return False


def _statement(scope: Scope, line: int) -> Statement | None:
    """The innermost statement that holds a line."""
    holding = (s for s in scope.statements if s.node.lineno <= line <= (s.node.end_lineno or 0))
    return max(holding, key=lambda statement: len(statement.path), default=None)


def _helpers(
    change_set: ChangeSet, module: Module, scope: Scope, line: int
) -> Iterator[tuple[str, Scope, list[ast.Call]]]:
    """The helpers of the kit that a line calls: file, scope, and its calls of `to_static`."""
    project = Project(Tree(change_set.source.root))
    for call in scope.calls:
        name = dotted(call.func)
        if not call.lineno <= line <= (call.end_lineno or 0) or callee(call) == "to_static":
            continue
        found = project.definition(module, name) if name else None
        helper = project.scope_of(*found) if found else None
        hooked = [c for c in helper.calls if callee(c) == "to_static"] if helper else []
        if found and helper and hooked:
            yield found[0].path, helper, hooked
