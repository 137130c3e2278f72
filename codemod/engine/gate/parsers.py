"""Whether a parser can take one option more, and whether its users could give it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import Module, by_name, callee, dotted
from codemod.engine.assignments import values_of
from codemod.engine.gate.kinds import Namespace
from codemod.engine.gate.uses import changed_by_parsed
from codemod.engine.point import Point

# Libraries whose parsers read files, classes or signatures as well.
_OTHERS = frozenset({"configargparse", "jsonargparse", "simple_parsing", "tap", "absl", "click"})
_TRUTHS = re.compile(r"bool|strtobool|^int$|^eval$")
_ACTIONS = ("store_true", "BooleanOptionalAction")
# What takes all words that follow, options among them.
_REMAINDER = ("...", "A...", "REMAINDER", "PARSER")


def unusable(space: Namespace, option: str) -> Reason | None:
    """Why the option must not be declared there, or could not be given; None where it can."""
    return (
        _made_otherwise(space)
        or _not_the_users(space)
        or taken(space, option)
        or changed_by_parsed(space.parsing, space.call, option)
    )


def _maker(space: Namespace) -> ast.Call | None:
    """The call that makes the parser, where its scope or file shows it."""
    scopes = (space.at.scope, space.at.top.scope)
    made = (value for scope in scopes for value in values_of(scope, space.parser))
    return next((value for value in made if isinstance(value, ast.Call)), None)


def _made_otherwise(space: Namespace) -> Reason | None:
    """The parser is of a kind, or has parts, that an option more cannot be trusted to."""
    made = _maker(space)
    if made is None:
        return None
    head = (dotted(made.func) or "").partition(".")[0]
    library = space.at.module.imports.get(head, head).lstrip(".").partition(".")[0]
    if library in _OTHERS:
        return Reason.of("engine.option-library", place=space.at.place(made), library=library)
    for keyword in made.keywords:
        value = keyword.value
        if keyword.arg == "prefix_chars" and "-" not in str(getattr(value, "value", "")):
            return Reason.of("engine.option-prefix", place=space.at.place(made))
        if keyword.arg == "parents":
            return Reason.of("engine.option-parents", place=space.at.place(made))
    used = f"parents=[{space.parser}"
    if used in space.at.module.text.replace(" ", ""):
        return Reason.of("engine.option-parents", place=space.at.place(made))
    return None


def _not_the_users(space: Namespace) -> Reason | None:
    """What is parsed is no command line of the user's, or one with commands in it."""
    given = next(iter(space.call.args), None)
    given = next((k.value for k in space.call.keywords if k.arg == "args"), given)
    if given is not None and _fixed(space.parsing, given):
        return Reason.of("engine.option-fixed-list", place=space.parsing.place(space.call))
    for scope in {space.at.scope, space.parsing.scope}:
        for call in scope.calls:
            if callee(call) == "add_subparsers" or _takes_the_rest(call):
                return Reason.of("engine.option-commands", place=space.at.place(call))
    return None


def _takes_the_rest(call: ast.Call) -> bool:
    taken = by_name(call, "nargs")
    said = getattr(taken, "value", None)
    name = said if isinstance(said, str) else (dotted(taken) or "").rpartition(".")[2]
    return callee(call) == "add_argument" and name in _REMAINDER


def _fixed(at: Point, given: ast.expr) -> bool:
    """Whether a list of arguments is written out in the code."""
    if isinstance(given, (ast.List, ast.Tuple)):
        return not any(isinstance(part, ast.Starred) for part in given.elts)
    if isinstance(given, ast.Call) and callee(given) == "split":
        return isinstance(given.func, ast.Attribute) and isinstance(given.func.value, ast.Constant)
    name = dotted(given)
    places = (at.scope, at.top.scope) if name else ()
    made = [value for place in places for value in values_of(place, name or "")]
    return bool(made) and all(_fixed(at, v) for v in made if dotted(v) != name)


def taken(space: Namespace, option: str) -> Reason | None:
    """The place of an option of that name that is no switch, or is on by default."""
    for at, call in declarations(space):
        if callee(call) == "set_defaults":
            clash = _turns_on(call, option)
        elif destination(call) == option:
            clash = not is_switch(call)
        else:
            clash = _has_its_word(at.module, call, option)
        if clash:
            return Reason.of("engine.option-taken", place=at.place(call))
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


def declarations(space: Namespace) -> Iterator[tuple[Point, ast.Call]]:
    """The calls that declare options, here and in functions that are given the parser."""
    places = [space.at, space.at.top]
    if space.parsing.scope is not space.at.scope:
        places.append(space.parsing)
    if space.parser in space.at.scope.parameters:
        places = [space.at.to(space.at.module, scope) for scope in space.at.module.scopes]
    for at in dict.fromkeys(places):
        for call in at.scope.calls:
            if _declares(call):
                yield at, call
            elif any(dotted(argument) == space.parser for argument in call.args):
                found = at.function_named(call.func)
                calls = found.scope.calls if found else ()
                yield from ((found, one) for one in calls if found and _declares(one))


def _declares(call: ast.Call) -> bool:
    return callee(call) in ("add_argument", "set_defaults")


def given_as(space: Namespace, option: str) -> str:
    """What a user adds to the command: an option of the script's own, or the one that is added."""
    for _, call in declarations(space):
        if callee(call) == "add_argument" and destination(call) == option:
            names = [str(a.value) for a in call.args if isinstance(a, ast.Constant)]
            long = next((name for name in names if name.startswith("--")), f"--{option}")
            valued = not any(keyword.arg == "action" for keyword in call.keywords)
            return f"{long} 1" if valued else long
    return f"--{option}"


def declares(space: Namespace, option: str) -> bool:
    """Whether an option fills that attribute already."""
    made = (call for _, call in declarations(space) if callee(call) == "add_argument")
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
