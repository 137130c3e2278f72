"""Where a config object comes from: an argparse namespace, a mapping, a dataclass.

The answer decides how a switch is read (`args.to_static`, `cfg.get("to_static", False)`)
and where it must be declared.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from codemod.code.lineage import members
from codemod.code.module import Function, Module, Scope, callee, dotted
from codemod.code.project import Caller, ClassInModule, Project
from codemod.code.sites import assigned
from codemod.code.traversal import names_in
from codemod.engine.gate.handing import declares_global, returned_to, started
from codemod.engine.gate.kinds import (
    Dataclass,
    Mapping,
    Namespace,
    Node,
    One,
    Origin,
    Own,
    Several,
    alternatives,
)

MAPPINGS = re.compile(
    r"^(AttrDict|EasyDict|edict|Munch|munchify|CfgNode|CN|Box|dict|DotMap|safe_load|full_load|"
    r"load_yaml|parse_yaml|get_all_inters_from_yaml|parse_config|get_config|load_config|"
    r"merge_config|get_cfg_defaults|clone|deepcopy|copy)$"
)
# What gives the same again.
_SAME = ("clone", "deepcopy", "copy")
_NODES = re.compile(r"^(yacs|fvcore)\.")
_OMEGACONF = re.compile(r"^omegaconf\.OmegaConf\.(create|load|merge|from_cli)$")
# A namespace again, of the dictionary of one.
_SPACES = ("argparse.Namespace", "types.SimpleNamespace")
PARSES = ("parse_args", "parse_known_args")
_DEPTH = 14
_END = sys.maxsize


def trace(
    project: Project, module: Module, scope: Scope, name: str, line: int = _END, depth: int = 0
) -> Origin | None:
    """What `name` is at `line` of `scope` (at its end), or None when that cannot be told."""
    if depth > _DEPTH:
        return None
    head, _, attribute = name.partition(".")
    if head == "self" and attribute and scope.owner:
        return _attribute(project, module, scope, name, depth)
    if attribute:
        return None
    found, known = _assigned(project, module, scope, name, line, depth)
    if scope.name == "<module>" and found is None:
        found, known = _set_by_functions(project, module, name, depth) or (found, known)
    if known:
        return found
    if name in scope.parameters:
        return _parameter(project, module, scope, name, depth)
    if not isinstance(scope.node, ast.Module):
        rest = (scope.node.args.vararg, scope.node.args.kwarg)
        if any(one is not None and one.arg == name for one in rest):
            return None
        outer = enclosing(module, scope)
        return trace(project, module, outer, name, _END, depth + 1)
    if name in module.imports:
        return _imported(project, module, name, depth)
    return None


def _set_by_functions(
    project: Project, module: Module, name: str, depth: int
) -> tuple[Origin | None, bool] | None:
    """What the functions that declare a name `global` make of it."""
    for scope in module.scopes[1:]:
        if scope.mentions("global ") and declares_global(scope, name):
            found = _assigned(project, module, scope, name, _END, depth + 1)
            if found[1]:
                return found
    return None


def enclosing(module: Module, scope: Scope) -> Scope:
    """The scope that a function stands in."""
    outer = scope.name.rpartition(".<locals>.")[0]
    return module.scope(outer) or module.scopes[0]


def _assigned(
    project: Project, module: Module, scope: Scope, name: str, line: int, depth: int
) -> tuple[Origin | None, bool]:
    """What the last assignment before `line` makes of a name, and whether there is one.

    The last one counts: scripts read their command line into `args` and then put a YAML
    file's content under the same name. One that updates the name by a function of itself
    (`args = finish(args)`) leaves it what it was, where the function does not say.
    """
    for statement in reversed(scope.statements):
        targets, value = assigned(statement.node)
        if name not in targets or value is None or statement.node.lineno >= line:
            continue
        if _makes_node(module, value) and "." not in name:
            return Node(module, scope, name), True
        index = targets.index(name) if len(targets) > 1 else 0
        line_here = statement.node.lineno
        if isinstance(value, ast.Name) and _unpacks(statement.node):
            return _element(project, module, scope, value.id, index, line_here, depth), True
        found = _value(project, module, scope, value, index, line_here, depth)
        if found or not _updates(project, module, scope, value, name):
            return found, True
    return None, False


def _makes_node(module: Module, value: ast.expr) -> bool:
    """Whether a value is a new `CfgNode` of a library that refuses keys it does not know."""
    if not isinstance(value, ast.Call):
        return False
    made = module.meaning(dotted(value.func) or "")
    return bool(_NODES.match(made)) and made.endswith(".CfgNode")


def _unpacks(node: ast.stmt) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, (ast.Tuple, ast.List)) for target in targets)


def _updates(project: Project, module: Module, scope: Scope, value: ast.expr, name: str) -> bool:
    """Whether a value is made of the name's own, or by an object that was made of it.

    `vars(args)` is not: it is a dict, which has no attributes; nor is `args.epochs`, a part, nor
    an object of another class.
    """
    if isinstance(value, (ast.Attribute, ast.Subscript)):
        return False
    if isinstance(value, ast.Call) and (
        callee(value) in ("vars", "asdict") or _makes_another(project, module, value)
    ):
        return False
    used = names_in(value)
    for statement in scope.statements:
        targets, made = assigned(statement.node)
        if made is not None and used.intersection(targets) and name not in targets:
            used |= names_in(made)
    return name in used


def _makes_another(project: Project, module: Module, call: ast.Call) -> bool:
    """Whether a call makes an object of a class: itself, or in the function that it calls."""
    if callee(call)[:1].isupper():
        return True
    found = project.function_named(module, call.func)
    nodes = [statement.node for statement in found[1].statements] if found else []
    made = (node.value for node in nodes if isinstance(node, ast.Return))
    return any(isinstance(value, ast.Call) and callee(value)[:1].isupper() for value in made)


def _attribute(
    project: Project, module: Module, scope: Scope, name: str, depth: int
) -> Origin | None:
    assert scope.owner is not None
    for home, method in members(project, ClassInModule(module, scope.owner)):
        found, known = _assigned(project, home, method, name, _END, depth + 1)
        if known:
            return found
    return None


def _parameter(
    project: Project, module: Module, scope: Scope, name: str, depth: int
) -> Origin | None:
    if not isinstance(scope.node, ast.Module) and _of_hydra(module, scope.node):
        return Mapping()
    index = scope.parameters.index(name) - (1 if scope.owner else 0)
    return _received(project, module, scope, name, index, depth)


def _of_hydra(module: Module, function: Function) -> bool:
    """Whether `hydra.main` calls a function, with a config that has no fixed keys."""
    made = (one.func if isinstance(one, ast.Call) else one for one in function.decorator_list)
    return any(module.meaning(dotted(one) or "") == "hydra.main" for one in made)


def _received(
    project: Project, module: Module, scope: Scope, name: str, index: int, depth: int
) -> Origin | None:
    """What all callers give: a flag that one script declares is missing in the others."""
    found: dict[One | None, None] = {}
    for caller, value in givens(project, module, scope, name, index):
        line, origin = caller.call.lineno, None
        if value is not None:
            origin = _value(project, caller.module, caller.scope, value, 0, line, depth + 1)
        found |= dict.fromkeys(alternatives(origin))
    return Several(tuple(found)) if len(found) > 1 else next(iter(found), None)


def givens(
    project: Project, module: Module, scope: Scope, name: str, index: int
) -> Iterator[tuple[Caller, ast.expr | None]]:
    """What each call gives a function's parameter of that name and index; None in a spread."""
    for caller in returned_to(project, module, scope):
        if caller.scope is scope:
            continue
        given = next((k.value for k in caller.call.keywords if k.arg == name), None)
        if given is None and 0 <= index < len(caller.call.args):
            given = caller.call.args[index]
        if given is not None or _spreads(caller.call):
            yield caller, given
    for caller, listed in started(module, scope):
        if 0 <= index < len(listed.elts):
            yield caller, listed.elts[index]


def _element(
    project: Project, module: Module, scope: Scope, name: str, index: int, line: int, depth: int
) -> Origin | None:
    """One element of a tuple that a name stands for, or of what a function takes as `*name`."""
    for statement in reversed(scope.statements):
        targets, value = assigned(statement.node)
        if name in targets and value is not None and statement.node.lineno < line:
            before = statement.node.lineno
            listed = isinstance(value, (ast.Tuple, ast.Call)) and len(targets) == 1
            if not listed:
                return None
            return _value(project, module, scope, value, index, before, depth + 1)
    if isinstance(scope.node, ast.Module) or depth > _DEPTH:
        return None
    rest, places = scope.node.args.vararg, len(scope.node.args.args) - bool(scope.owner)
    if rest is None or rest.arg != name or scope.node.args.posonlyargs:
        return None
    return _received(project, module, scope, "", places + index, depth + 1)


def _spreads(call: ast.Call) -> bool:
    return any(k.arg is None for k in call.keywords) or any(
        isinstance(argument, ast.Starred) for argument in call.args
    )


def _imported(project: Project, module: Module, name: str, depth: int) -> Origin | None:
    base, _, last = module.imports[name].rpartition(".")
    path = project.resolve(module.path, base) if base.strip(".") else None
    other = project.module(path) if path and path != module.path else None
    return trace(project, other, other.scopes[0], last, _END, depth + 1) if other else None


def _value(
    project: Project,
    module: Module,
    scope: Scope,
    value: ast.expr,
    index: int,
    line: int,
    depth: int,
) -> Origin | None:
    name = dotted(value)
    if name:
        return trace(project, module, scope, name, line, depth + 1)
    if isinstance(value, ast.Dict):
        return Mapping()
    if isinstance(value, ast.Tuple) and index < len(value.elts):
        return _value(project, module, scope, value.elts[index], 0, line, depth + 1)
    if isinstance(value, ast.Subscript):
        whole, at = value.value, value.slice
        if isinstance(whole, ast.Name) and isinstance(at, ast.Constant) and type(at.value) is int:
            return _element(project, module, scope, whole.id, at.value, line, depth + 1)
    if not isinstance(value, ast.Call):
        return None
    called = callee(value)
    if called in ("locals", "globals") or (called == "vars" and not value.args):
        return Own()
    if called == "vars" and len(value.args) == 1:
        origin = _value(project, module, scope, value.args[0], index, line, depth + 1)
        return replace(origin, mapping=True) if isinstance(origin, Namespace) else None
    if depth < _DEPTH:
        found = _returned(project, module, value, index, depth + 1)
        if found:
            return found
    if called in PARSES and isinstance(value.func, ast.Attribute):
        return _namespace(project, module, scope, value) if index == 0 else None
    if called.startswith("parse_") and isinstance(value.func, ast.Attribute):
        return _dataclass(project, module, scope, value, index)
    made = module.meaning(dotted(value.func) or "")
    if _OMEGACONF.match(made):
        return Mapping()
    if made in _SPACES:
        origin = _of_what(project, module, scope, value, line, depth + 1)
        return replace(origin, mapping=False) if isinstance(origin, Namespace) else None
    if not MAPPINGS.match(called):
        return None
    origin = _of_what(project, module, scope, value, line, depth + 1)
    if called in _SAME and (origin or value.args):
        return origin
    return origin if isinstance(origin, Namespace) and origin.mapping else Mapping()


def _of_what(
    project: Project, module: Module, scope: Scope, call: ast.Call, line: int, depth: int
) -> Origin | None:
    """What a call is given, or is a method of: `EasyDict(vars(args))`, `config.clone()`."""
    whole = next((k.value for k in call.keywords if k.arg is None), None)
    whole = call.args[0] if call.args else whole
    if whole is None and callee(call) in _SAME:
        whole = getattr(call.func, "value", None)
    if whole is None or depth > _DEPTH:
        return None
    return _value(project, module, scope, whole, 0, line, depth)


def _namespace(project: Project, module: Module, scope: Scope, call: ast.Call) -> Namespace | None:
    """`parser.parse_args()`, or `get_parser().parse_args()` with the parser made elsewhere."""
    assert isinstance(call.func, ast.Attribute)
    parser = call.func.value
    name = dotted(parser)
    if name:
        known = name not in module.imports
        return Namespace(module, scope, name, module, scope, call) if known else None
    found = project.function_named(module, getattr(parser, "func", parser))
    for statement in found[1].statements if found else ():
        if found and isinstance(statement.node, ast.Return):
            name = dotted(statement.node.value)
            return Namespace(*found, name, module, scope, call) if name else None
    return None


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
    found = project.class_named(module, kinds[index])
    return Dataclass(*found) if found else None


def _returned(
    project: Project, module: Module, call: ast.Call, index: int, depth: int
) -> Origin | None:
    found = project.function_named(module, call.func)
    for node in (statement.node for statement in found[1].statements) if found else ():
        if found and isinstance(node, ast.Return) and node.value is not None:
            value = node.value
            if isinstance(value, ast.Tuple):
                if index >= len(value.elts):
                    continue
                value = value.elts[index]
            origin = _value(project, *found, value, 0, node.lineno, depth)
            if origin:
                return origin
    return None
