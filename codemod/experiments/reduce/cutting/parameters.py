"""Parameters cut from functions, and from the calls that may be theirs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.experiments.reduce.cutting.edits import (
    Edit,
    Edits,
    functions,
    instead,
    last_name,
    names,
    nodes,
    remove,
    without,
)


def unused_parameters(tree: ast.Module) -> Iterator[Edits]:
    """Each parameter, taken from its function and from the calls that go by its name.

    Where it has a default value, that stands for it in the body.
    """
    calls = [node for node in nodes(tree) if isinstance(node, ast.Call)]
    for owner, function in functions(tree):
        given = function.args
        ahead = len(given.args) - len(given.defaults)
        method = bool(owner) and bool(given.args)
        for index, parameter in enumerate(given.args):
            if index == 0 and method:
                continue
            value = given.defaults[index - ahead] if index >= ahead else None
            edits: dict[ast.AST, Edit] = {parameter: remove}
            if value is not None:
                edits[value] = remove
                for name in names(function.body, parameter.arg):
                    edits[name] = instead(value)
            for group in _calls_of(owner, function, calls):
                arguments = {call: _argument(call, parameter.arg, index - method) for call in group}
                yield edits | {call: without(*one) for call, one in arguments.items() if one}


def _calls_of(owner: str, function: ast.FunctionDef, calls: list[ast.Call]) -> list[list[ast.Call]]:
    """What may be all calls of a function, the likeliest first.

    A layer's forward calls others, not itself; one within the net is not called by `step`.
    """
    named = [call for call in calls if _may_call(call, owner, function.name)]
    if function.name != "forward":
        return [named]
    own = {id(node) for node in ast.walk(function)}
    others = [call for call in named if id(call) not in own]
    within = [call for call in others if last_name(call) != "net"]
    return [others] if len(within) in (0, len(others)) else [others, within]


def _may_call(call: ast.Call, owner: str, function: str) -> bool:
    last = last_name(call)
    if function == "__init__":
        return last in (owner, "__init__")
    if function == "forward":
        on = call.func.value if isinstance(call.func, ast.Attribute) else None
        return last in ("net", "forward") or getattr(on, "id", "") == "self"
    return last == function


def _argument(call: ast.Call, name: str, position: int) -> tuple[str, int] | None:
    for index, keyword in enumerate(call.keywords):
        if keyword.arg == name:
            return "keywords", index
    starred = any(isinstance(argument, ast.Starred) for argument in call.args[: position + 1])
    return ("args", position) if position < len(call.args) and not starred else None
