"""Hooks that stand in a base class and are lost to a derived one: it does not come to them.

A class that makes the hooked net anew, that does not call the method with the hook, or that does
not hand its switch on trains a dynamic net, whatever the base has.
"""

from __future__ import annotations

import ast
import re
from itertools import takewhile

from codemod.base.changeset import Hook
from codemod.base.reason import Reason
from codemod.code.lineage import lineage
from codemod.code.module import Scope, dotted, spreads
from codemod.code.project import ClassInModule, Project, of_super

_SWITCH = re.compile(r"to_static", re.IGNORECASE)


def lost_hook(
    project: Project, derived: ClassInModule, base: ClassInModule, hook: Hook
) -> Reason | None:
    """Why a class does not come to the hook in a method of its base; None where it may."""
    method = hook.scope.rpartition(".")[2]
    for kin in takewhile(lambda one: one.node is not base.node, lineage(project, derived)):
        scope = kin.module.scope(f"{kin.node.name}.{method}")
        if scope is None:
            continue
        name, above, place = kin.node.name, base.node.name, hook.place
        call = _call_of_base(project, kin, scope, method)
        if call is None:
            return Reason.of(
                "engine.base-passed-over", name=name, method=method, base=above, hook=place
            )
        if _makes_anew(scope, hook.target, call.lineno):
            return Reason.of(
                "engine.base-replaced", name=name, target=hook.target, base=above, hook=place
            )
        if (switch := _not_handed_on(base.node, method, call)) is not None:
            return Reason.of("engine.base-off", name=name, switch=switch, base=above, hook=place)
    return None


def _call_of_base(
    project: Project, kin: ClassInModule, scope: Scope, method: str
) -> ast.Call | None:
    """The call of the base's method: `super().__init__(...)`, or by the name of the class."""
    above = {f"{one.node.name}.{method}" for one in lineage(project, kin)}
    for call in scope.calls:
        named = ".".join((dotted(call.func) or "").split(".")[-2:])
        if of_super(call) == method or named in above:
            return call
    return None


def _makes_anew(scope: Scope, target: str, after: int) -> bool:
    """Whether the method binds the hooked name again below the call of its base."""
    bound = (
        ast.unparse(one)
        for node in (statement.node for statement in scope.statements)
        if isinstance(node, ast.Assign) and node.lineno > after
        for one in node.targets
    )
    return ast.unparse(ast.parse(target, mode="eval")) in bound


def _not_handed_on(base: ast.ClassDef, method: str, call: ast.Call) -> str | None:
    """The switch among the parameters of the base's method that a call leaves at its default."""
    if spreads(call):
        return None
    functions = (node for node in base.body if isinstance(node, ast.FunctionDef))
    for function in (one for one in functions if one.name == method):
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)][1:]
        given = {*names[: len(call.args)], *(word.arg for word in call.keywords)}
        defaults = dict(zip(reversed(names), reversed(function.args.defaults), strict=False))
        for one, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
            defaults |= {one.arg: default} if default else {}
        for name, default in defaults.items():
            off = isinstance(default, ast.Constant) and not default.value
            if _SWITCH.search(name) and off and name not in given:
                return name
    return None
