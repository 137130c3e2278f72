"""Where a config object comes from: an argparse namespace, a mapping, a dataclass.

The answer decides how a switch is read (`args.to_static`, `cfg.get("to_static", False)`)
and where it must be declared.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.engine.module import Module, Scope, callee, dotted
from codemod.engine.sites import assigned

if TYPE_CHECKING:
    from codemod.engine.project import Project

MAPPINGS = re.compile(
    r"^(AttrDict|EasyDict|edict|Munch|munchify|CfgNode|CN|Box|dict|DotMap|safe_load|full_load|"
    r"load_yaml|parse_yaml|get_all_inters_from_yaml|parse_config|get_config|load_config|"
    r"merge_config|get_cfg_defaults|clone|deepcopy|copy)$"
)
_DEPTH = 5


@dataclass(frozen=True)
class Namespace:
    """An argparse namespace; `parser` is the parser's name in `scope` of `module`."""

    module: Module
    scope: Scope
    parser: str


@dataclass(frozen=True)
class Mapping:
    """Something read with `.get(key, default)`."""


@dataclass(frozen=True)
class Dataclass:
    """An instance of a dataclass that a command-line parser fills."""

    module: Module
    node: ast.ClassDef


Origin = Namespace | Mapping | Dataclass


def trace(
    project: Project, module: Module, scope: Scope, name: str, depth: int = 0
) -> Origin | None:
    """What `name` is in `scope`, or None when that cannot be told."""
    if depth > _DEPTH:
        return None
    head, _, attribute = name.partition(".")
    if head == "self" and attribute and scope.owner:
        return _attribute(project, module, scope, name, depth)
    if attribute:
        return None
    found = _assigned(project, module, scope, name, depth)
    if found is None and name in scope.parameters:
        return _parameter(project, module, scope, name, depth)
    if found is None and scope.name != "<module>":
        outer = _enclosing(module, scope)
        return trace(project, module, outer, name, depth + 1)
    if found is None and name in module.imports:
        return _imported(project, module, name, depth)
    return found


def _enclosing(module: Module, scope: Scope) -> Scope:
    outer = scope.name.rpartition(".<locals>.")[0]
    return module.scope(outer) or module.scopes[0]


def _assigned(
    project: Project, module: Module, scope: Scope, name: str, depth: int
) -> Origin | None:
    for statement in scope.statements:
        targets, value = assigned(statement.node)
        if name in targets and value is not None:
            index = targets.index(name) if len(targets) > 1 else 0
            found = _value(project, module, scope, value, index, depth)
            if found:
                return found
    return None


def _attribute(
    project: Project, module: Module, scope: Scope, name: str, depth: int
) -> Origin | None:
    assert scope.owner is not None
    for method in module.methods(scope.owner):
        found = _assigned(project, module, method, name, depth + 1)
        if found:
            return found
    return None


def _parameter(
    project: Project, module: Module, scope: Scope, name: str, depth: int
) -> Origin | None:
    index = scope.parameters.index(name) - (1 if scope.owner else 0)
    for caller in project.callers(module, scope):
        given = next((k.value for k in caller.call.keywords if k.arg == name), None)
        if given is None and 0 <= index < len(caller.call.args):
            given = caller.call.args[index]
        if given is not None:
            found = _value(project, caller.module, caller.scope, given, 0, depth + 1)
            if found:
                return found
    return None


def _imported(project: Project, module: Module, name: str, depth: int) -> Origin | None:
    base, _, last = module.imports[name].rpartition(".")
    path = project.resolve(module.path, base) if base.strip(".") else None
    other = project.module(path) if path and path != module.path else None
    return trace(project, other, other.scopes[0], last, depth + 1) if other else None


def _value(
    project: Project, module: Module, scope: Scope, value: ast.expr, index: int, depth: int
) -> Origin | None:
    name = dotted(value)
    if name:
        return trace(project, module, scope, name, depth + 1)
    if isinstance(value, ast.Dict):
        return Mapping()
    if not isinstance(value, ast.Call):
        return None
    called = callee(value)
    if called in ("parse_args", "parse_known_args") and isinstance(value.func, ast.Attribute):
        parser = dotted(value.func.value)
        return Namespace(module, scope, parser) if parser and index == 0 else None
    if called.startswith("parse_") and isinstance(value.func, ast.Attribute):
        return _dataclass(project, module, scope, value, index)
    if depth < _DEPTH:
        found = _returned(project, module, value, index, depth + 1)
        if found:
            return found
    return Mapping() if MAPPINGS.match(called) else None


def _dataclass(
    project: Project, module: Module, scope: Scope, value: ast.Call, index: int
) -> Origin | None:
    """`a, b = PdArgumentParser((A, B)).parse_args_into_dataclasses()`."""
    assert isinstance(value.func, ast.Attribute)
    parser = value.func.value
    name = dotted(parser)
    for statement in scope.statements:
        targets, made = assigned(statement.node)
        if name and name in targets and isinstance(made, ast.Call):
            parser = made
    if not isinstance(parser, ast.Call) or not parser.args:
        return None
    given = parser.args[0]
    kinds = given.elts if isinstance(given, (ast.Tuple, ast.List)) else [given]
    if index >= len(kinds):
        return None
    found = project.definition(module, dotted(kinds[index]) or "")
    if found and isinstance(found[1], ast.ClassDef):
        return Dataclass(found[0], found[1])
    return None


def _returned(
    project: Project, module: Module, call: ast.Call, index: int, depth: int
) -> Origin | None:
    name = dotted(call.func)
    found = project.definition(module, name) if name else None
    if found is None or not isinstance(found[1], (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    other = found[0]
    scope = project.scope_of(other, found[1])
    if scope is None:
        return None
    for statement in scope.statements:
        node = statement.node
        if isinstance(node, ast.Return) and node.value is not None:
            value = node.value
            if isinstance(value, ast.Tuple):
                if index >= len(value.elts):
                    continue
                value = value.elts[index]
            origin = _value(project, other, scope, value, 0, depth)
            if origin:
                return origin
    return None
