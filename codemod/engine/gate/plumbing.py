"""Declares a switch where the kit's users set options, and documents it beside the others.

That is an argparse flag, a field of a dataclass, a key in the code that makes a node of `yacs`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemod.base.changeset import EditKind
from codemod.base.reason import Reason, Refusal
from codemod.code.lineage import lineage
from codemod.code.module import Module, Path, Scope, Statement, callee, dotted, is_docstring, quote
from codemod.code.project import ClassInModule, Project
from codemod.code.sites import assigned
from codemod.code.traversal import walk
from codemod.engine.assignments import assignments
from codemod.engine.gate.kinds import Namespace, Node
from codemod.engine.gate.origin import PARSES
from codemod.engine.gate.parsers import declares
from codemod.engine.gate.uses import MAPPING, changed_by_option
from codemod.engine.rewrite.ops import AddToDocstring, Insert, Op, Rename, Replace

HELP = "Train with paddle.jit.to_static."
_MOST = 0.5
CLASH = Reason.of("engine.field-clash")


def flag_ops(origin: Namespace, name: str) -> tuple[Op, ...] | None:
    """Declares `--name` after the parser's last argument, unless it is there; None if it cannot.

    The last argument counts that is declared on every way to the parsing: one inside an
    `if` that the parsing stands outside of is passed over.
    """
    if _declared(origin, name) or declares(origin, name):
        return ()
    parse = _parse_statement(origin)
    last = parse
    for statement in origin.at.scope.statements:
        if not isinstance(statement.node, ast.Expr) or not _adds_to(origin, statement):
            continue
        block = statement.path[:-1]
        if parse is None or parse.path[: len(block)] == block:
            last = statement
    if last is None:
        return None
    mark = quote(origin.at.module.text)
    says = f", help={mark}{HELP}{mark}" if _explained(origin) else ""
    code = (
        f"{origin.parser}.add_argument({mark}--{name}{mark}, action={mark}store_true{mark}{says})"
    )
    insert = Insert.beside(last.path, code, behind=last is not parse)
    return (Op(origin.at.module.path, EditKind.PLUMBING, insert),)


def _explained(origin: Namespace) -> bool:
    """Whether most of the parser's arguments have a help text; one without siblings has it."""
    siblings = [
        any(keyword.arg == "help" for keyword in call.keywords)
        for statement in origin.at.scope.statements
        if _adds_to(origin, statement)
        for call in statement.calls
        if callee(call) == "add_argument"
    ]
    return siblings.count(True) >= len(siblings) * _MOST


def _declared(origin: Namespace, name: str) -> bool:
    """Whether the parser has the flag, here or from a function that is given the parser."""
    handed = origin.parser in origin.at.scope.parameters
    if handed and any(f"{q}--{name}{q}" in origin.at.module.text for q in "'\""):
        return True
    for call in origin.at.scope.calls:
        if callee(call) == "add_argument":
            if any(isinstance(a, ast.Constant) and a.value == f"--{name}" for a in call.args):
                return True
        elif any(dotted(argument) == origin.parser for argument in call.args):
            found = origin.at.project.definition(origin.at.module, dotted(call.func) or "")
            if found and f"--{name}'" in ast.unparse(found[1]).replace('"', "'"):
                return True
    return False


def _parse_statement(origin: Namespace) -> Statement | None:
    for statement in origin.at.scope.statements:
        for call in statement.calls:
            if callee(call) in PARSES and isinstance(call.func, ast.Attribute):
                return statement
    return None


def _adds_to(origin: Namespace, statement: Statement) -> bool:
    return any(
        callee(call) == "add_argument"
        and isinstance(call.func, ast.Attribute)
        and dotted(call.func.value) == origin.parser
        for call in statement.calls
    )


def field_ops(
    project: Project, module: Module, node: ast.ClassDef, name: str
) -> tuple[Op, ...] | None:
    """Declares a field, or None where that cannot be done without breaking a script.

    A base class may have it; another dataclass that some script parses together with this
    one must not: its field goes, and what the script read from it is read from this one.
    """
    line = lineage(project, ClassInModule(module, node))
    if any(_fields(kin.node).get(name) is not None for kin in line):
        return ()
    items = _fields(node)
    if not items:
        return None
    clashes: list[Op] = []
    for path in project.mentioning(f"{name}:"):
        other = project.module(path)
        for rival in other.classes.values() if other else ():
            if other and name in _fields(rival) and rival is not node:
                ops = _merge(project, other, rival, (module, node), name)
                if ops is None:
                    return None
                clashes += ops
    mark = quote(module.text)
    code = f"{name}: bool = False"
    if "field" in module.imports:
        text = f"metadata={{{mark}help{mark}: {mark}{HELP}{mark}}}"
        code = f"{name}: bool = field(default=False, {text})"
    insert = Insert(_class_path(module, node), "body", max(items.values()) + 1, code)
    return (Op(module.path, EditKind.PLUMBING, insert), *clashes)


def _class_path(module: Module, node: ast.ClassDef) -> Path:
    return (("body", module.tree.body.index(node)),)


def _fields(node: ast.ClassDef) -> dict[str, int]:
    """The fields of a dataclass, and the place of each in its body."""
    return {
        item.target.id: index
        for index, item in enumerate(node.body)
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }


def _merge(
    project: Project,
    module: Module,
    rival: ast.ClassDef,
    owner: tuple[Module, ast.ClassDef],
    name: str,
) -> list[Op] | None:
    """Takes a rival's field out of a script that parses both; nothing where none does."""
    names = _parsed_together(project, module, rival, owner)
    if names is None:
        return []
    old, new = f"{names[0]}.{name}", f"{names[1]}.{name}"
    readers = [s for scope in module.scopes for s in scope.statements if _reads(s, old)]
    path = (*_class_path(module, rival), ("body", _fields(rival)[name]))
    gone = Op(module.path, EditKind.PLUMBING, Replace(path, ""), CLASH)
    renames = [Op(module.path, EditKind.PLUMBING, Rename(s.path, old, new), CLASH) for s in readers]
    return [gone, *renames] if len(rival.body) > 1 else None


def _reads(statement: Statement, name: str) -> bool:
    node = statement.node
    header = [node.test] if isinstance(node, (ast.If, ast.While)) else [node]
    if header == [node] and hasattr(node, "body"):
        return False
    return any(dotted(part) == name for whole in header for part in walk(whole))


def _parsed_together(
    project: Project, module: Module, rival: ast.ClassDef, owner: tuple[Module, ast.ClassDef]
) -> tuple[str, str] | None:
    """The names that a script gives to what it parses into the rival and into the owner."""
    for scope in module.scopes:
        for call in scope.calls if scope.mentions("Parser(") else ():
            if not callee(call).endswith("Parser") or not call.args:
                continue
            kinds = getattr(call.args[0], "elts", [])
            listed = [dotted(kind) for kind in kinds]
            heirs = [_derives(project, module, kind, owner[1]) for kind in kinds]
            if rival.name in listed and True in heirs:
                return _results(scope, listed.index(rival.name), heirs.index(True))
    return None


def _derives(project: Project, module: Module, kind: ast.expr, owner: ast.ClassDef) -> bool:
    found = project.class_named(module, kind)
    return found is not None and any(kin.node is owner for kin in lineage(project, found))


def _results(scope: Scope, first: int, second: int) -> tuple[str, str] | None:
    for _, targets, value in assignments(scope):
        parses = isinstance(value, ast.Call) and callee(value).startswith("parse_")
        if parses and len(targets) > max(first, second):
            return targets[first], targets[second]
    return None


def key_of(node: Node, name: str) -> str:
    """The switch's key, in capitals where all keys of the node are."""
    keys = [key for key, _ in _keys(node)]
    return name.upper() if keys and all(key.isupper() for key in keys) else name


def key_ops(node: Node, name: str) -> tuple[Op, ...] | Refusal:
    """Declares the key behind the node's last one, off; nothing where it is declared so."""
    key = key_of(node, name)
    for known, statement in _keys(node):
        if known == key:
            value = assigned(statement.node)[1]
            if isinstance(value, ast.Constant) and value.value is False:
                return ()
            place = node.at.place(statement.node)
            return Refusal(Reason.of("engine.option-taken", place=place))
    if why := changed_by_option(node.at, node.name, MAPPING, key):
        return Refusal(why)
    last = _last(node)
    if last is None:
        return Refusal(Reason.of("engine.nothing-read"))
    insert = Insert.beside(last.path, f"{node.name}.{key} = False", behind=True)
    return (Op(node.at.module.path, EditKind.PLUMBING, insert),)


def _keys(node: Node) -> Iterator[tuple[str, Statement]]:
    """The node's own keys, without those of the nodes in it, and where each is set."""
    for statement in node.at.scope.statements:
        for target in assigned(statement.node)[0]:
            owner, _, key = target.rpartition(".")
            if owner == node.name:
                yield key, statement


def _last(node: Node) -> Statement | None:
    """The last statement that makes the node or sets a key of it, in the block that makes it."""
    found: Statement | None = None
    for statement in node.at.scope.statements:
        targets = assigned(statement.node)[0]
        if node.name in targets:
            found = statement
        inside = any(target.startswith(f"{node.name}.") for target in targets)
        if found and inside and found.path[:-1] == statement.path[:-1]:
            found = statement
    return found


_SAYS = "Whether to train with paddle.jit.to_static."


def entry(module: Module, scope: Scope, name: str) -> AddToDocstring | None:
    """An entry for the switch `name` behind the last parameter's, where most have entries."""
    body = scope.node.body
    if not body or not is_docstring(body[0]):
        return None
    first, last = body[0].lineno - 1, body[0].end_lineno or 0
    lines = module.text.replace("\r\n", "\n").split("\n")[first:last]
    places = {known: _place(lines, known) for known in scope.parameters if known != "self"}
    found = sorted(place for place in places.values() if place is not None)
    if len(found) * 2 <= len(places) or not found:
        return None
    at = found[-1]
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    end = at + 1
    while end < len(lines) and re.match(rf"{indent}\s+\S", lines[end]):
        end += 1
    if end == len(lines):  # the docstring's end is on the entry's own line
        return None
    marks = [_KIND.match(lines[place].lstrip()) for place in found]
    kinds = [mark["kind"] for mark in marks if mark and mark["kind"]]
    param = ":param " if lines[at].lstrip().startswith(":param") else ""
    kind = " (bool, optional)" if "optional" in " ".join(kinds) else " (bool)" if kinds else ""
    text = f"{indent}{param}{name}{kind}: {_SAYS} Default: False."
    return AddToDocstring((*scope.path, ("body", 0)), end, text)


_KIND = re.compile(r"(?::param )?\w+\s*(?P<kind>\([^)]*\))?")


def _place(lines: list[str], name: str) -> int | None:
    pattern = re.compile(rf"(?::param )?{re.escape(name)}\s*(?:\([^)]*\)\s*)?:")
    return next((i for i, line in enumerate(lines) if pattern.match(line.lstrip())), None)
