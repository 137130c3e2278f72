"""Put a derived spec into the call that hooks, through LibCST: no other byte changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import libcst as cst
from libcst.helpers import get_full_name_for_node
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from codemod.base.errors import UsageError
from codemod.code.module import quote
from codemod.experiments.spec.nodes import Node
from codemod.experiments.spec.render import SPEC, WIDTH, SpecSource

Specs = dict[str, tuple["Node", ...]]

_IMPORT = "from paddle.static import InputSpec\n"


@dataclass(frozen=True, slots=True)
class HookCall:
    """The call at a line, the line's length and indent, and how the file writes a spec.

    `places` says where each node of the file stands. `spec` is what the call hands over: where that
    is a name with one value in the function, as in `specs = None`, the value; None where it hands
    over nothing.
    """

    module: cst.Module
    places: Mapping[cst.CSTNode, CodeRange]
    call: cst.Call
    spec: cst.BaseExpression | None
    used: int
    indent: int
    style: SpecSource
    needs_import: bool

    def code(self, node: cst.CSTNode) -> str:
        """The source text of a node."""
        return self.module.code_for_node(node)


def with_spec(
    code: bytes, line: int, specs: Specs, *, replace: bool = False, shared: bool = False
) -> bytes:
    """The file with `input_spec=` in the `to_static` call at `line` (1-based).

    `specs` maps the class of a hooked net to its spec. For several classes, or where the call is
    `shared` by nets that were not seen, a table by class goes in, or more rows into the one that
    is there: the other nets get no spec, as before. `replace` overwrites a spec that the call has,
    with None where `specs` is empty; else that is refused.

    Raises:
        UsageError: there is no such call, it has a spec, or asks for SOT by name.
    """
    found = find(code, line)
    rows = {} if replace else _rows(found)
    own = found.spec is not None and found.code(found.spec) != "None" and not rows
    if not replace and found.spec is not None and (own or rows.keys() & specs.keys()):
        raise UsageError(
            f"The call at line {line} already passes a spec: {found.code(found.spec)}.",
            "Change that one; the differences above name its lines.",
        )
    graph = given_to(found.call, "full_graph", None)
    if graph is not None and found.code(graph.value) == "False":
        raise UsageError(
            f"The call at line {line} asks for full_graph=False, where a spec has no effect."
        )
    if not specs and found.spec is None:
        return code
    text = _value(found, specs, rows, shared)
    value = cst.parse_expression(text, found.module.config_for_parsing)
    old, changed = (found.call, _call(found, value)) if found.spec is None else (found.spec, value)
    new = found.module.deep_replace(old, changed)
    assert isinstance(new, cst.Module)
    return _imported(new).bytes if specs and found.needs_import else new.bytes


def find(code: bytes, line: int) -> HookCall:
    """The smallest `to_static` call that covers a line (1-based).

    Raises:
        UsageError: there is none.
    """
    wrapper = MetadataWrapper(cst.parse_module(code))
    places = wrapper.resolve(PositionProvider)
    calls = [
        (place.end.line - place.start.line, node)
        for node, place in places.items()
        if isinstance(node, cst.Call)
        and place.start.line <= line <= place.end.line
        and (get_full_name_for_node(node.func) or "").rpartition(".")[2] == "to_static"
    ]
    if not calls:
        raise UsageError(f"There is no to_static call at line {line}.")
    call = min(calls, key=lambda pair: pair[0])[1]
    given = given_to(call, "input_spec", 1)
    spec = _valued(given.value, places, line) if given is not None else None
    text = wrapper.module.code.splitlines()[places[call].start.line - 1]
    used = len(text.expandtabs(4)) + len(", input_spec=")
    indent = len(text.expandtabs(4)) - len(text.lstrip())
    module = wrapper.module
    names = _imports(module)
    name = SPEC if "paddle" in names and "InputSpec" not in names else "InputSpec"
    needs = not names & {"InputSpec", "paddle"}
    style = SpecSource(name, quote(module.code), module.default_indent)
    return HookCall(module, places, call, spec, used, indent, style, needs)


def _valued(
    value: cst.BaseExpression, places: Mapping[cst.CSTNode, CodeRange], line: int
) -> cst.BaseExpression:
    """The value of a name that the function around `line` assigns once; else `value`."""
    around = [
        (place.start.line, node)
        for node, place in places.items()
        if isinstance(node, cst.FunctionDef) and place.start.line <= line <= place.end.line
    ]
    if not isinstance(value, cst.Name) or not around:
        return value
    inside = places[max(around, key=lambda pair: pair[0])[1]]
    values = [
        (place.start.line, node)
        for node, place in places.items()
        if isinstance(node, (cst.Assign, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr))
        and inside.start.line < place.start.line <= inside.end.line
        and _binds(node, value.value)
    ]
    if len(values) != 1 or not isinstance(values[0][1], cst.Assign) or values[0][0] > line:
        return value
    return values[0][1].value


def _binds(node: cst.CSTNode, name: str) -> bool:
    """Whether an assignment or a loop binds a name."""
    targets = node.targets if isinstance(node, cst.Assign) else [node]
    return any(
        isinstance(target, cst.Name) and target.value == name
        for target in (getattr(one, "target", None) for one in targets)
    )


def _imports(module: cst.Module) -> set[str]:
    """The names that the file's own top level imports."""
    return {
        alias.evaluated_alias or alias.evaluated_name
        for part in top_level(module)
        if isinstance(part, (cst.Import, cst.ImportFrom))
        for alias in (() if isinstance(part.names, cst.ImportStar) else part.names)
    }


def top_level(module: cst.Module) -> Iterator[cst.BaseSmallStatement]:
    """The statements of a file that stand in no block and have none."""
    for statement in module.body:
        if isinstance(statement, cst.SimpleStatementLine):
            yield from statement.body


def given_to(call: cst.Call, name: str, position: int | None) -> cst.Arg | None:
    """The argument of that name, or at that position (0-based)."""
    for index, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == name:
            return arg
        if arg.keyword is None and position is not None and index == position:
            return arg
    return None


def _rows(found: HookCall) -> dict[str, str]:
    """The source of a table by class that the call has, by class; {} where it has none."""
    value = found.spec
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
        return {}
    func = value.func
    by_class = value.args and found.code(value.args[0]).startswith("type(")
    if not by_class or not isinstance(func.value, cst.Dict):
        return {}
    return {key: found.code(row) for key, row in by_key(func.value).items()}


def by_key(table: cst.Dict) -> dict[str, cst.BaseExpression]:
    """The values of a dictionary by those of its keys that are plain texts."""
    return {
        str(item.key.evaluated_value): item.value
        for item in table.elements
        if isinstance(item, cst.DictElement) and isinstance(item.key, cst.SimpleString)
    }


def _call(found: HookCall, value: cst.BaseExpression) -> cst.Call:
    """The call with one argument more."""
    space = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    new = cst.Arg(value, keyword=cst.Name("input_spec"), equal=space)
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    *first, last = found.call.args
    if isinstance(last.comma, cst.Comma):
        return found.call.with_changes(args=(*found.call.args, new.with_changes(comma=last.comma)))
    return found.call.with_changes(args=(*first, last.with_changes(comma=comma), new))


def _value(found: HookCall, specs: Specs, rows: dict[str, str], shared: bool) -> str:
    style = found.style
    if not specs:
        return "None"
    if len(specs) == 1 and not shared and not rows:
        (spec,) = specs.values()
        return style.wrapped(spec, found.used)
    target = found.code(found.call.args[0].value)
    get = f".get(type({target}).__name__)"
    if len(specs) == 1 and not rows:
        ((cls, spec),) = specs.items()
        flat = f"{{{style.quoted(cls)}: {style.line(spec)}}}{get}"
        if len(flat) + found.used <= WIDTH:
            return flat
    used = found.indent + len(style.unit.expandtabs(4)) + len(": ,")
    new = {cls: style.wrapped(spec, used + len(cls) + 2, style.unit) for cls, spec in specs.items()}
    pairs = {**rows, **new}.items()
    lines = (f"{style.unit}{style.quoted(cls)}: {text},\n" for cls, text in pairs)
    return "{\n" + "".join(lines) + "}" + get


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
