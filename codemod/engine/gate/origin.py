"""Where a config object comes from: an argparse namespace, a mapping, a dataclass.

The answer decides how a switch is read (`args.to_static`, `cfg.get("to_static", False)`)
and where it must be declared.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from codemod.code.lineage import members
from codemod.code.module import Function, Module, Statement, by_name, callee, dotted, spreads
from codemod.code.project import Caller, ClassInModule
from codemod.code.traversal import names_in
from codemod.engine.assignments import assignments, values_of
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
from codemod.engine.point import Point

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


def trace(at: Point, name: str) -> Origin | None:
    """What `name` is at a point, or None when that cannot be told."""
    return _trace(replace(at, depth=0), name)


def _trace(at: Point, name: str) -> Origin | None:
    if at.depth > _DEPTH:
        return None
    head, _, attribute = name.partition(".")
    if head == "self" and attribute and at.kin:
        return _attribute(at, at.kin, name)
    if attribute:
        return None
    found, known = _assigned(at, name)
    if at.scope.name == "<module>" and found is None:
        found, known = _set_by_functions(at, name) or (found, known)
    if known:
        return found
    if name in at.scope.parameters:
        return _parameter(at, name)
    if not isinstance(at.scope.node, ast.Module):
        rest = (at.scope.node.args.vararg, at.scope.node.args.kwarg)
        if any(one is not None and one.arg == name for one in rest):
            return None
        return _trace(at.outer, name)
    if name in at.module.imports:
        return _imported(at, name)
    return None


def _set_by_functions(at: Point, name: str) -> tuple[Origin | None, bool] | None:
    """What the functions that declare a name `global` make of it."""
    for scope in at.module.scopes[1:]:
        if scope.mentions("global ") and declares_global(scope, name):
            found = _assigned(at.to(at.module, scope), name)
            if found[1]:
                return found
    return None


def _assigned(at: Point, name: str) -> tuple[Origin | None, bool]:
    """What the last assignment before the point makes of a name, and whether there is one.

    The last one counts: scripts read their command line into `args` and then put a YAML
    file's content under the same name. One that updates the name by a function of itself
    (`args = finish(args)`) leaves it what it was, where the function does not say.
    """
    for statement, targets, value in _before(at, name):
        if _makes_node(at.module, value) and "." not in name:
            return Node(at, name), True
        index = targets.index(name) if len(targets) > 1 else 0
        here = at.before(statement.node.lineno)
        if isinstance(value, ast.Name) and _unpacks(statement.node):
            return _element(here, value.id, index), True
        found = _value(here, value, index)
        if found or not _updates(at, value, name):
            return found, True
    return None, False


def _before(at: Point, name: str) -> list[tuple[Statement, tuple[str, ...], ast.expr]]:
    """The assignments to a name before a point, the last first."""
    made = [one for one in assignments(at.scope, name) if one[0].node.lineno < at.line]
    return made[::-1]


def _makes_node(module: Module, value: ast.expr) -> bool:
    """Whether a value is a new `CfgNode` of a library that refuses keys it does not know."""
    if not isinstance(value, ast.Call):
        return False
    made = module.meaning(dotted(value.func) or "")
    return bool(_NODES.match(made)) and made.endswith(".CfgNode")


def _unpacks(node: ast.stmt) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, (ast.Tuple, ast.List)) for target in targets)


def _updates(at: Point, value: ast.expr, name: str) -> bool:
    """Whether a value is made of the name's own, or by an object that was made of it.

    `vars(args)` is not: it is a dict, which has no attributes; nor is `args.epochs`, a part, nor
    an object of another class.
    """
    if isinstance(value, (ast.Attribute, ast.Subscript)):
        return False
    if isinstance(value, ast.Call) and (
        callee(value) in ("vars", "asdict") or _makes_another(at, value)
    ):
        return False
    used = names_in(value)
    for _, targets, made in assignments(at.scope):
        if used.intersection(targets) and name not in targets:
            used |= names_in(made)
    return name in used


def _makes_another(at: Point, call: ast.Call) -> bool:
    """Whether a call makes an object of a class: itself, or in the function that it calls."""
    if callee(call)[:1].isupper():
        return True
    made = (value for _, value in _returns(at.function_named(call.func)))
    return any(isinstance(value, ast.Call) and callee(value)[:1].isupper() for value in made)


def _returns(function: Point | None) -> Iterator[tuple[Point, ast.expr]]:
    """What a function gives back, each value where it is given."""
    for statement in function.scope.statements if function else ():
        node = statement.node
        if function and isinstance(node, ast.Return) and node.value is not None:
            yield function.before(node.lineno), node.value


def _attribute(at: Point, kin: ClassInModule, name: str) -> Origin | None:
    for home, method in members(at.project, kin):
        found, known = _assigned(at.to(home, method), name)
        if known:
            return found
    return None


def _parameter(at: Point, name: str) -> Origin | None:
    if not isinstance(at.scope.node, ast.Module) and _of_hydra(at.module, at.scope.node):
        return Mapping()
    index = at.scope.parameters.index(name) - (1 if at.scope.owner else 0)
    return _received(at, name, index)


def _of_hydra(module: Module, function: Function) -> bool:
    """Whether `hydra.main` calls a function, with a config that has no fixed keys."""
    made = (one.func if isinstance(one, ast.Call) else one for one in function.decorator_list)
    return any(module.meaning(dotted(one) or "") == "hydra.main" for one in made)


def _received(at: Point, name: str, index: int) -> Origin | None:
    """What all callers give: a flag that one script declares is missing in the others."""
    found: dict[One | None, None] = {}
    for caller, value in givens(at, name, index):
        here = at.to(caller.module, caller.scope, caller.call.lineno)
        found |= dict.fromkeys(alternatives(_value(here, value) if value else None))
    return Several(tuple(found)) if len(found) > 1 else next(iter(found), None)


def givens(at: Point, name: str, index: int) -> Iterator[tuple[Caller, ast.expr | None]]:
    """What each call gives a function's parameter of that name and index; None in a spread."""
    for caller in returned_to(at):
        if caller.scope is at.scope:
            continue
        given = by_name(caller.call, name)
        if given is None and 0 <= index < len(caller.call.args):
            given = caller.call.args[index]
        if given is not None or spreads(caller.call):
            yield caller, given
    for caller, listed in started(at.module, at.scope):
        if 0 <= index < len(listed.elts):
            yield caller, listed.elts[index]


def _element(at: Point, name: str, index: int) -> Origin | None:
    """One element of a tuple that a name stands for, or of what a function takes as `*name`."""
    for statement, targets, value in _before(at, name):
        listed = isinstance(value, (ast.Tuple, ast.Call)) and len(targets) == 1
        here = at.before(statement.node.lineno).deeper
        return _value(here, value, index) if listed else None
    if isinstance(at.scope.node, ast.Module) or at.depth > _DEPTH:
        return None
    given = at.scope.node.args
    rest, places = given.vararg, len(given.args) - bool(at.scope.owner)
    if rest is None or rest.arg != name or given.posonlyargs:
        return None
    return _received(at.deeper, "", places + index)


def _imported(at: Point, name: str) -> Origin | None:
    base, _, last = at.module.imports[name].rpartition(".")
    path = at.project.resolve(at.module.path, base) if base.strip(".") else None
    other = at.project.module(path) if path and path != at.module.path else None
    return _trace(at.to(other, other.scopes[0]), last) if other else None


def _value(at: Point, value: ast.expr, index: int = 0) -> Origin | None:
    """What a value is; of several that it may hold, the one at the index."""
    if name := dotted(value):
        return _trace(at.deeper, name)
    match value:
        case ast.Dict():
            return Mapping()
        case ast.Tuple(elts=parts) if index < len(parts):
            return _value(at.deeper, parts[index])
        case ast.Subscript(value=ast.Name(id=whole), slice=ast.Constant(value=place)):
            return _element(at.deeper, whole, place) if type(place) is int else None
        case ast.Call():
            return _called(at, value, index)
    return None


def _called(at: Point, call: ast.Call, index: int) -> Origin | None:
    called, method = callee(call), isinstance(call.func, ast.Attribute)
    if called in ("locals", "globals") or (called == "vars" and not call.args):
        return Own()
    if called == "vars" and len(call.args) == 1:
        origin = _value(at.deeper, call.args[0], index)
        return replace(origin, mapping=True) if isinstance(origin, Namespace) else None
    if at.depth < _DEPTH and (found := _returned(at, call, index)):
        return found
    if called in PARSES and method:
        return _namespace(at, call) if index == 0 else None
    if called.startswith("parse_") and method:
        return _dataclass(at, call, index)
    made = at.module.meaning(dotted(call.func) or "")
    if _OMEGACONF.match(made):
        return Mapping()
    if made in _SPACES:
        origin = _of_what(at.deeper, call)
        return replace(origin, mapping=False) if isinstance(origin, Namespace) else None
    if not MAPPINGS.match(called):
        return None
    origin = _of_what(at.deeper, call)
    if called in _SAME and (origin or call.args):
        return origin
    return origin if isinstance(origin, Namespace) and origin.mapping else Mapping()


def _of_what(at: Point, call: ast.Call) -> Origin | None:
    """What a call is given, or is a method of: `EasyDict(vars(args))`, `config.clone()`."""
    whole = next((k.value for k in call.keywords if k.arg is None), None)
    whole = call.args[0] if call.args else whole
    if whole is None and callee(call) in _SAME:
        whole = getattr(call.func, "value", None)
    return None if whole is None or at.depth > _DEPTH else _value(at, whole)


def _namespace(at: Point, call: ast.Call) -> Namespace | None:
    """`parser.parse_args()`, or `get_parser().parse_args()` with the parser made elsewhere."""
    assert isinstance(call.func, ast.Attribute)
    parser = call.func.value
    name = dotted(parser)
    if name:
        return None if name in at.module.imports else Namespace(at, name, at, call)
    for there, value in _returns(at.function_named(getattr(parser, "func", parser))):
        name = dotted(value)
        return Namespace(there, name, at, call) if name else None
    return None


def _dataclass(at: Point, value: ast.Call, index: int) -> Origin | None:
    """`a, b = PdArgumentParser((A, B)).parse_args_into_dataclasses()`."""
    assert isinstance(value.func, ast.Attribute)
    parser = value.func.value
    name = dotted(parser)
    for made in values_of(at.scope, name) if name else ():
        parser = made if isinstance(made, ast.Call) else parser
    if not isinstance(parser, ast.Call) or not parser.args:
        return None
    given = parser.args[0]
    kinds = given.elts if isinstance(given, (ast.Tuple, ast.List)) else [given]
    found = at.project.class_named(at.module, kinds[index]) if index < len(kinds) else None
    return Dataclass(*found) if found else None


def _returned(at: Point, call: ast.Call, index: int) -> Origin | None:
    for there, value in _returns(at.function_named(call.func)):
        if isinstance(value, ast.Tuple):
            if index >= len(value.elts):
                continue
            value = value.elts[index]
        if origin := _value(there, value):
            return origin
    return None
