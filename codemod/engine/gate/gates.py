"""The gate: the condition on the kit's own config, and the plumbing that makes it reachable."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from codemod.base.changeset import EditKind
from codemod.base.reason import Reason, Refusal
from codemod.code.module import Function, Module, Scope, Statement, dotted, handed, quote, spreads
from codemod.code.pattern import compile_pattern, fill, match
from codemod.code.project import Caller, Project
from codemod.code.traversal import walk
from codemod.engine.assignments import assignments
from codemod.engine.gate.kinds import Dataclass, Mapping, Namespace, Node, One, Own, alternatives
from codemod.engine.gate.names import config_names, not_the_users, read_as_mapping
from codemod.engine.gate.origin import trace
from codemod.engine.gate.parsers import given_as, unusable
from codemod.engine.gate.plumbing import entry, field_ops, flag_ops, key_of, key_ops
from codemod.engine.gate.sources import home, sources
from codemod.engine.gate.uses import MAPPING, OBJECT, changed_by_option
from codemod.engine.gate.variable import SWITCH, VARIABLE, import_ops, variable_test
from codemod.engine.point import Point
from codemod.engine.rewrite.ops import AddArgument, AddParameter, Insert, Op
from codemod.kits.rule import GateRule

# A flag first: that a name with `.get` is what users write their settings in is less sure.
DEFAULT_GATES = (GateRule("flag"), GateRule("field"), GateRule("mapping"))
LAST_RESORT = GateRule("variable")
ASKED_FOR = "asked-for"


@dataclass(frozen=True)
class Gate:
    """`test` is the condition's code, `root` the name it reads from, `switch` what turns it on.

    Of a `last_resort` the hook's reason says why it was taken.
    """

    test: str
    root: str
    switch: str
    ops: tuple[Op, ...] = ()
    last_resort: bool = False

    def bound(self, scope: Scope) -> tuple[Statement, ...]:
        """The first assignment of the root in the scope, which the hook must follow."""
        if self.root in scope.parameters:
            return ()
        return tuple(statement for statement, _, _ in assignments(scope, self.root))[:1]


def fitting_gates(at: Point, rules: tuple[GateRule, ...]) -> Iterator[Gate | Refusal]:
    """The gates that fit the scope, in the order of the rules, and why others do not."""
    for rule in rules:
        unless = rule.unless
        if unless and (unless in at.module.text or _holds(at, rule, unless)):
            continue
        if rule.requires and not _holds(at, rule, rule.requires):
            continue
        gate = _STRATEGIES[rule.kind](at, rule)
        if isinstance(gate, Refusal):
            yield gate
        elif gate:
            yield replace(gate, switch=rule.switch or gate.switch)


def gate_reason(gate: Gate, placed: Reason, why: Reason | None) -> Reason:
    """Why a hook stands where it does, and why a variable turns it on where nothing better can."""
    if not gate.last_resort:
        return placed
    said = why or Reason.of("engine.nothing-read")
    return Reason.of("engine.with-variable", placed=placed, variable=VARIABLE, why=said)


def resolve(at: Point, rules: tuple[GateRule, ...]) -> Gate | None:
    """The first gate that fits the scope, or None."""
    found = fitting_gates(at, rules)
    return next((gate for gate in found if isinstance(gate, Gate)), None)


def _holds(at: Point, rule: GateRule, text: str) -> bool:
    """Whether the text occurs in one of the rule's `files`, or without any in the scope's file."""
    if not rule.files:
        return text in at.module.text
    paths = at.project.mentioning(text)
    return any(fnmatchcase(path, glob) for path in paths for glob in rule.files)


def _expression(at: Point, rule: GateRule) -> Gate | None:
    if not rule.seen:
        return _gate(in_quotes(at.module, rule.test))
    pattern = compile_pattern(rule.seen)
    found = _search(pattern, at.scope.node, rule.test)
    if found is None and at.scope.owner is not None:
        # Another method's local names mean nothing here, what it reads from `self` does.
        found = _search(pattern, at.scope.owner, rule.test, "self.")
    return _gate(in_quotes(at.module, found)) if found else None


def _search(pattern: ast.AST, place: ast.AST, test: str, prefix: str = "") -> str | None:
    """The test filled from the first match whose bindings are plain names with the prefix."""
    for node in walk(place):
        found = match(pattern, node)
        names = [dotted(value) for value in found.values()] if found is not None else [None]
        if found is not None and all(name and name.startswith(prefix) for name in names):
            return fill(test, found)
    return None


def _configs(at: Point) -> Iterator[tuple[str, tuple[One | None, ...]]]:
    """The names that look like a config, and what each may be."""
    for name in config_names(at.scope):
        yield name, alternatives(trace(at, name))


def _mapping(at: Point, rule: GateRule) -> Gate | Refusal | None:
    refused: Refusal | None = None
    for name in config_names(at.scope):
        if not_the_users(home(at, name).scope, name):
            continue
        origins = alternatives(trace(at, name))
        if any(isinstance(origin, (Namespace, Own)) for origin in origins):
            continue  # `vars()` of what a parser gave: a flag, or nothing
        if nodes := [origin for origin in origins if isinstance(origin, Node)]:
            made = _declared(name, nodes, rule)
            if isinstance(made, Gate) and len(nodes) == len(origins):
                return made
            refused = refused or (made if isinstance(made, Refusal) else None)
            continue
        if read_as_mapping(at.scope, name) or origins == (Mapping(),):
            if why := _spread(at, name, rule.name):
                refused = refused or why
                continue
            test = _read_as_key(at.module, name, rule.name)
            return Gate(test, name, f"{rule.name}: True in the config")
    return refused


def _declared(name: str, nodes: list[Node], rule: GateRule) -> Gate | Refusal:
    """A key that each of the nodes declares, for they refuse what a config file alone has."""
    keys = {key_of(node, rule.name) for node in nodes}
    ops: list[Op] = []
    for node in nodes:
        made = key_ops(node, rule.name)
        if isinstance(made, Refusal):
            return made
        ops += made
    if len(keys) > 1:
        return Refusal(Reason.of("engine.nothing-read"))
    key = keys.pop()
    return Gate(f"{name}.{key}", name, f"{key}: True in the config", tuple(ops))


def _spread(at: Point, name: str, key: str) -> Refusal | None:
    """Why a key more in a config would be refused: each is a keyword, or the keys are compared."""
    for held in ((at, name), *sources(at, name)):
        why = changed_by_option(*held, MAPPING, key)
        if why and why.code == "engine.option-spread":
            return Refusal(Reason.of("engine.config-spread", place=why["place"]))
        if why and why.code == "engine.option-compared":
            return Refusal(Reason.of("engine.config-compared", place=why["place"]))
    return None


def _flag(at: Point, rule: GateRule) -> Gate | Refusal | None:
    refused: Refusal | None = None
    for name, origins in _configs(at):
        spaces = [origin for origin in origins if isinstance(origin, Namespace)]
        if not spaces:
            continue
        faults = [why for space in spaces if (why := unusable(space, rule.name))]
        if faults:
            refused = refused or Refusal(faults[0])
            continue
        found = [flag_ops(space, rule.name) for space in spaces]
        sure = len(spaces) == len(origins) and None not in found
        ops = tuple(op for each in found for op in each or ())
        mappings = {space.mapping for space in spaces}
        if len(mappings) > 1:
            continue
        test = _read(at.module, name, rule.name, sure)
        if True in mappings:
            test = _read_as_key(at.module, name, rule.name)
        return Gate(test, name, given_as(spaces[0], rule.name), ops)
    return refused


def _read_as_key(module: Module, name: str, key: str) -> str:
    """How a switch is read from a mapping that may lack it."""
    return in_quotes(module, f'{name}.get("{key}", False)')


def _read(module: Module, name: str, attribute: str, sure: bool) -> str:
    """How a switch is read from an object that has it for sure, or only from some callers."""
    if sure:
        return f"{name}.{attribute}"
    return in_quotes(module, f'getattr({name}, "{attribute}", False)')


def _field(at: Point, rule: GateRule) -> Gate | Refusal | None:
    """A dataclass field: `owner` names the class; without one, the traced dataclass."""
    if rule.owner:
        owner = _owner(at.project, rule.owner)
        test = _search(compile_pattern(rule.seen), at.scope.node, rule.test)
        ops = field_ops(at.project, *owner, rule.name) if owner and test else None
        return None if ops is None else replace(_gate(test or ""), ops=ops)
    for name, origins in _configs(at):
        classes = [origin for origin in origins if isinstance(origin, Dataclass)]
        if classes and (why := changed_by_option(at, name, OBJECT, rule.name)):
            return Refusal(why)
        found = [field_ops(at.project, one.module, one.node, rule.name) for one in classes]
        if any(ops is not None for ops in found):
            sure = len(classes) == len(origins) and None not in found
            ops = tuple(op for each in found for op in each or ())
            return Gate(_read(at.module, name, rule.name, sure), name, f"--{rule.name}", ops)
    return None


def _owner(project: Project, name: str) -> tuple[Module, ast.ClassDef] | None:
    """The class of that name; scripts derive others of the same name from it."""
    for path in project.mentioning(f"class {name}"):
        module = project.module(path)
        node = module.classes.get(name) if module else None
        if module and node and name not in [dotted(base) for base in node.bases]:
            return module, node
    return None


def _parameter(at: Point, rule: GateRule) -> Gate | None:
    """Handed through: the scope takes a parameter, and each caller that can tell passes it."""
    scope = at.scope
    if isinstance(scope.node, ast.Module) or at.depth > 3:
        return None
    ops: list[Op] = []
    switches: list[str] = []
    for caller in at.callers:
        if _passes(caller.call, scope, rule.name):
            continue
        gate = resolve(at.to(caller.module, caller.scope), rule.callers)
        statement = _statement(caller)
        if gate and statement:
            ops += [*gate.ops, _handed(caller, statement, rule.name, gate.test)]
            switches.append(gate.switch)
    known = rule.name in scope.parameters
    if not ops and not known:
        return None
    if not known:
        added = AddParameter(scope.path, rule.name, "False", _annotation(scope.node))
        why = Reason.of("engine.parameter-last")
        ops.append(Op(at.module.path, EditKind.PLUMBING, added, why))
        documented = entry(at.module, scope, rule.name)
        ops += [Op(at.module.path, EditKind.PLUMBING, documented)] if documented else []
    switch = rule.switch or next(iter(switches), "")
    return Gate(rule.name, rule.name, switch, tuple(ops))


def _annotation(function: Function) -> str:
    """The annotation of a switch, where the parameter that it follows has one."""
    args = function.args
    last = next(iter([*args.args, *args.kwonlyargs][-1:]), None)
    return "bool" if last is not None and last.annotation is not None else ""


def _passes(call: ast.Call, scope: Scope, name: str) -> bool:
    """Whether a call hands the parameter over, by keyword, by place, or in a spread."""
    if any(keyword.arg == name for keyword in call.keywords):
        return True
    if name not in scope.parameters:
        return False
    place = scope.parameters.index(name) - (1 if scope.owner else 0)
    return len(call.args) > place or spreads(call)


def left_out(at: Point, test: str | None, rules: tuple[GateRule, ...]) -> tuple[Op, ...]:
    """Passes an existing hook's own parameter on from the callers that leave it out."""
    for rule in rules:
        if rule.kind == "parameter" and rule.name == test and test in at.scope.parameters:
            gate = _parameter(at, rule)
            return gate.ops if gate else ()
    return ()


def _has_own_line(call: ast.Call) -> bool:
    """Whether the last argument is a keyword that begins a line: ours can go above it."""
    given = sorted(handed(call), key=lambda v: v.lineno)
    last = max(call.keywords, key=lambda k: (k.lineno, k.col_offset), default=None)
    if last is None or len(given) < 2:
        return False
    return last.value is given[-1] and (given[-2].end_lineno or 0) < last.lineno


def _handed(caller: Caller, statement: Statement, name: str, test: str) -> Op:
    """The switch as an argument, or as a key of the one dictionary that the call spreads.

    `Trainer(**dic)` is handed `dic["to_static"] = ...`: no line of the kit's is touched.
    """
    call, path = caller.call, caller.module.path
    spread = call.keywords[0] if len(call.keywords) == 1 and not call.args else None
    if spread is None or spread.arg is not None or not isinstance(spread.value, ast.Name):
        argument = AddArgument(statement.path, ast.unparse(call.func), name, test)
        why = None if _has_own_line(call) else Reason.of("engine.argument-on-line")
        return Op(path, EditKind.PLUMBING, argument, why)
    mark = quote(caller.module.text)
    code = f"{spread.value.id}[{mark}{name}{mark}] = {test}"
    return Op(path, EditKind.PLUMBING, Insert.beside(statement.path, code))


def _statement(caller: Caller) -> Statement | None:
    return next((s for s in caller.scope.statements if caller.call in s.calls), None)


def _gate(test: str) -> Gate:
    root = re.match(r"(?:str\()?\s*((?:self\.)?\w+)", test)
    return Gate(test, root[1] if root else "", "")


def in_quotes(module: Module, code: str) -> str:
    """The code in the file's own kind of quotes."""
    mark = quote(module.text)
    return re.sub(r"""(["'])([^"'\\\n]*)\1""", rf"{mark}\2{mark}", code)


def _variable(at: Point, rule: GateRule) -> Gate | Refusal | None:
    ops = import_ops(at.module)
    if ops is None:
        return Refusal(Reason.of("engine.variable-name-taken", place=at.module.path))
    return Gate(variable_test(at.module), "", SWITCH, ops, last_resort=rule.test != ASKED_FOR)


_STRATEGIES = {
    "expression": _expression,
    "mapping": _mapping,
    "flag": _flag,
    "field": _field,
    "parameter": _parameter,
    "variable": _variable,
}
