"""Put a derived spec into the call that hooks, through LibCST: no other byte changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from codemod.errors import UsageError
from codemod.spec.render import source, wrapped

if TYPE_CHECKING:
    from codemod.spec.nodes import Node

Specs = dict[str, tuple["Node", ...]]

_LONG = "paddle.static.InputSpec"
_IMPORT = "from paddle.static import InputSpec\n"


@dataclass(frozen=True, slots=True)
class _Found:
    """The call at a line, the line's length, and how the file names InputSpec."""

    module: cst.Module
    call: cst.Call
    used: int
    name: str
    needs_import: bool


def with_spec(code: bytes, line: int, specs: Specs, *, replace: bool = False) -> bytes:
    """The file with `input_spec=` in the `to_static` call at `line` (1-based).

    `specs` maps the class of a hooked net to its spec; for several classes a table by class goes
    in. `replace` overwrites a spec that the call has, with None where `specs` is empty; else that
    is refused.

    Raises:
        UsageError: there is no such call, it has a spec, or asks for SOT by name.
    """
    found = _find(code, line)
    given = _given(found.call, "input_spec", 1)
    if given is not None and not replace and _code(found, given.value) != "None":
        raise UsageError(
            f"The call at line {line} hands over a spec of its own: {_code(found, given.value)}.",
            "Change that one; the differences above name its lines.",
        )
    graph = _given(found.call, "full_graph", None)
    if graph is not None and _code(found, graph.value) == "False":
        raise UsageError(
            f"The call at line {line} asks for full_graph=False, where a spec has no effect."
        )
    if not specs and given is None:
        return code
    new = found.module.deep_replace(found.call, _call(found, specs, given))
    assert isinstance(new, cst.Module)
    return _imported(new).bytes if specs and found.needs_import else new.bytes


def _find(code: bytes, line: int) -> _Found:
    wrapper = MetadataWrapper(cst.parse_module(code))
    places = wrapper.resolve(PositionProvider)
    calls = [
        (place.end.line - place.start.line, node)
        for node, place in places.items()
        if isinstance(node, cst.Call)
        and place.start.line <= line <= place.end.line
        and _last_name(node.func) == "to_static"
    ]
    if not calls:
        raise UsageError(f"There is no to_static call at line {line}.")
    call = min(calls, key=lambda pair: pair[0])[1]
    text = wrapper.module.code.splitlines()[places[call].start.line - 1]
    used = len(text.expandtabs(4)) + len(", input_spec=")
    module = wrapper.module
    names = _imports(module)
    if "InputSpec" in names:
        return _Found(module, call, used, "InputSpec", False)
    if "paddle" in names:
        return _Found(module, call, used, _LONG, False)
    return _Found(module, call, used, "InputSpec", True)


def _last_name(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def _imports(module: cst.Module) -> set[str]:
    """The names that the file's own top level imports."""
    names: set[str] = set()
    for statement in module.body:
        for part in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
            if isinstance(part, (cst.Import, cst.ImportFrom)) and not isinstance(
                part.names, cst.ImportStar
            ):
                names |= {alias.evaluated_alias or alias.evaluated_name for alias in part.names}
    return names


def _given(call: cst.Call, name: str, position: int | None) -> cst.Arg | None:
    for index, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == name:
            return arg
        if arg.keyword is None and position is not None and index == position:
            return arg
    return None


def _code(found: _Found, node: cst.CSTNode) -> str:
    return found.module.code_for_node(node)


def _call(found: _Found, specs: Specs, given: cst.Arg | None) -> cst.Call:
    value = cst.parse_expression(_value(found, specs), found.module.config_for_parsing)
    if given is not None:
        changed = found.call.deep_replace(given.value, value)
        assert isinstance(changed, cst.Call)
        return changed
    space = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    new = cst.Arg(value, keyword=cst.Name("input_spec"), equal=space)
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    *first, last = found.call.args
    if isinstance(last.comma, cst.Comma):
        return found.call.with_changes(args=(*found.call.args, new.with_changes(comma=last.comma)))
    return found.call.with_changes(args=(*first, last.with_changes(comma=comma), new))


def _value(found: _Found, specs: Specs) -> str:
    quote = found.module.code.count("'") > found.module.code.count('"')
    mark = "'" if quote else '"'
    unit = found.module.default_indent
    if not specs:
        return "None"
    if len(specs) == 1:
        (spec,) = specs.values()
        return wrapped(spec, found.name, mark, found.used, unit)
    target = _code(found, found.call.args[0].value)
    rows = (
        f"{unit}{mark}{cls}{mark}: {source(spec, found.name, mark)},\n"
        for cls, spec in specs.items()
    )
    return "{\n" + "".join(rows) + f"}}.get(type({target}).__name__)"


def _imported(module: cst.Module) -> cst.Module:
    """The import behind the last of Paddle's, else behind the last one, else on top."""
    last, paddle = -1, -1
    for index, statement in enumerate(module.body):
        if not isinstance(statement, cst.SimpleStatementLine):
            continue
        if any(isinstance(part, (cst.Import, cst.ImportFrom)) for part in statement.body):
            last = index
            paddle = index if "paddle" in module.code_for_node(statement) else paddle
    at = (paddle if paddle >= 0 else last) + 1
    line = cst.parse_statement(_IMPORT, module.config_for_parsing)
    return module.with_changes(body=(*module.body[:at], line, *module.body[at:]))
