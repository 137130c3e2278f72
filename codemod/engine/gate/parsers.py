"""Whether a parser can take one option more, and whether its users could give it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, callee, dotted
from codemod.code.project import Project
from codemod.code.sites import assigned
from codemod.engine.gate.kinds import Namespace
from codemod.engine.gate.uses import changed_by_parsed

# Libraries whose parsers read files, classes or signatures as well.
_OTHERS = frozenset({"configargparse", "jsonargparse", "simple_parsing", "tap", "absl", "click"})
_TRUTHS = re.compile(r"bool|strtobool|^int$|^eval$")
_ACTIONS = ("store_true", "BooleanOptionalAction")
# What takes all words that follow, options among them.
_REMAINDER = ("...", "A...", "REMAINDER", "PARSER")


def unusable(project: Project, space: Namespace, option: str) -> Reason | None:
    """Why the option must not be declared there, or could not be given; None where it can."""
    return (
        _made_otherwise(space)
        or _not_the_users(space)
        or taken(project, space, option)
        or changed_by_parsed(project, space.home, space.parsing, space.call, option)
    )


def _at(module: Module, node: ast.AST) -> str:
    return f"{module.path}:{getattr(node, 'lineno', 1)}"


def _maker(space: Namespace) -> ast.Call | None:
    """The call that makes the parser, where its scope or file shows it."""
    for scope in (space.scope, space.module.scopes[0]):
        for statement in scope.statements:
            targets, value = assigned(statement.node)
            if space.parser in targets and isinstance(value, ast.Call):
                return value
    return None


def _made_otherwise(space: Namespace) -> Reason | None:
    """The parser is of a kind, or has parts, that an option more cannot be trusted to."""
    made = _maker(space)
    if made is None:
        return None
    head = (dotted(made.func) or "").partition(".")[0]
    library = space.module.imports.get(head, head).lstrip(".").partition(".")[0]
    if library in _OTHERS:
        return Reason.of("engine.option-library", place=_at(space.module, made), library=library)
    for keyword in made.keywords:
        value = keyword.value
        if keyword.arg == "prefix_chars" and "-" not in str(getattr(value, "value", "")):
            return Reason.of("engine.option-prefix", place=_at(space.module, made))
        if keyword.arg == "parents":
            return Reason.of("engine.option-parents", place=_at(space.module, made))
    used = f"parents=[{space.parser}"
    if used in space.module.text.replace(" ", ""):
        return Reason.of("engine.option-parents", place=_at(space.module, made))
    return None


def _not_the_users(space: Namespace) -> Reason | None:
    """What is parsed is no command line of the user's, or one with commands in it."""
    given = next(iter(space.call.args), None)
    given = next((k.value for k in space.call.keywords if k.arg == "args"), given)
    if given is not None and _fixed(space.parsing, space.home, given):
        return Reason.of("engine.option-fixed-list", place=_at(space.home, space.call))
    for scope in {space.scope, space.parsing}:
        for call in scope.calls:
            if callee(call) == "add_subparsers" or _takes_the_rest(call):
                return Reason.of("engine.option-commands", place=_at(space.module, call))
    return None


def _takes_the_rest(call: ast.Call) -> bool:
    taken = next((k.value for k in call.keywords if k.arg == "nargs"), None)
    said = getattr(taken, "value", None)
    name = said if isinstance(said, str) else (dotted(taken) or "").rpartition(".")[2]
    return callee(call) == "add_argument" and name in _REMAINDER


def _fixed(scope: Scope, home: Module, given: ast.expr) -> bool:
    """Whether a list of arguments is written out in the code."""
    if isinstance(given, (ast.List, ast.Tuple)):
        return not any(isinstance(part, ast.Starred) for part in given.elts)
    if isinstance(given, ast.Call) and callee(given) == "split":
        return isinstance(given.func, ast.Attribute) and isinstance(given.func.value, ast.Constant)
    name = dotted(given)
    made = [
        value
        for place in (scope, home.scopes[0])
        for statement in place.statements
        for targets, value in [assigned(statement.node)]
        if name and name in targets and value is not None
    ]
    return bool(made) and all(_fixed(scope, home, v) for v in made if dotted(v) != name)


def taken(project: Project, space: Namespace, option: str) -> Reason | None:
    """The place of an option of that name that is no switch, or is on by default."""
    for module, call in declarations(project, space):
        if callee(call) == "set_defaults":
            clash = _turns_on(call, option)
        elif destination(call) == option:
            clash = not is_switch(call)
        else:
            clash = _has_its_word(module, call, option)
        if clash:
            return Reason.of("engine.option-taken", place=_at(module, call))
    return None


def _turns_on(call: ast.Call, option: str) -> bool:
    """Whether defaults that are set give the option one that counts as true."""
    for keyword in call.keywords:
        if keyword.arg == option and _counts_as_true(keyword.value):
            return True
        if keyword.arg is None and option in ast.unparse(keyword.value):
            return True
    return False


def _has_its_word(module: Module, call: ast.Call, option: str) -> bool:
    """Whether an option of another destination has the word, or may have it by a variable."""
    words = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    if f"--{option}" in words or f"++{option}" in words:
        return True
    quoted = any(f"{mark}--{option}{mark}" in module.text for mark in "'\"")
    return quoted and not all(isinstance(argument, ast.Constant) for argument in call.args)


def declarations(project: Project, space: Namespace) -> Iterator[tuple[Module, ast.Call]]:
    """The calls that declare options, here and in functions that are given the parser."""
    places = [(space.module, space.scope), (space.module, space.module.scopes[0])]
    if space.parsing is not space.scope:
        places.append((space.home, space.parsing))
    if space.parser in space.scope.parameters:
        places = [(space.module, scope) for scope in space.module.scopes]
    for module, scope in dict.fromkeys(places):
        for call in scope.calls:
            if callee(call) in ("add_argument", "set_defaults"):
                yield module, call
            elif any(dotted(argument) == space.parser for argument in call.args):
                found = project.function_named(module, call.func)
                for declared in found[1].calls if found else ():
                    if found and callee(declared) in ("add_argument", "set_defaults"):
                        yield found[0], declared


def given_as(project: Project, space: Namespace, option: str) -> str:
    """What a user adds to the command: an option of the script's own, or the one that is added."""
    for _, call in declarations(project, space):
        if callee(call) == "add_argument" and destination(call) == option:
            names = [str(a.value) for a in call.args if isinstance(a, ast.Constant)]
            long = next((name for name in names if name.startswith("--")), f"--{option}")
            valued = not any(keyword.arg == "action" for keyword in call.keywords)
            return f"{long} 1" if valued else long
    return f"--{option}"


def declares(project: Project, space: Namespace, option: str) -> bool:
    """Whether an option fills that attribute already."""
    made = (call for _, call in declarations(project, space) if callee(call) == "add_argument")
    return any(destination(call) == option for call in made)


def destination(call: ast.Call) -> str | None:
    """The attribute that an `add_argument` fills."""
    for keyword in call.keywords:
        if keyword.arg == "dest" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    names = [str(a.value) for a in call.args if isinstance(a, ast.Constant)]
    long = next((name for name in names if name[:2] in ("--", "++")), None)
    first = long or next(iter(names), None)
    return first.lstrip("-+").replace("-", "_") if first else None


def is_switch(call: ast.Call) -> bool:
    """Whether an option is true only where the user says so."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if "default" in given and _counts_as_true(given["default"]):
        return False
    action = getattr(given.get("action"), "value", None) or dotted(given.get("action"))
    if action:
        return str(action).rpartition(".")[2] in _ACTIONS
    return bool(_TRUTHS.search((dotted(given.get("type")) or "").rpartition(".")[2]))


def _counts_as_true(value: ast.expr) -> bool:
    return not isinstance(value, ast.Constant) or bool(value.value)
