"""What may be cut from a program: single edits of its syntax tree, each leaving a smaller one.

An edit says what takes a node's place. Whether the rest still shows what is looked for, a run
tells; so no edit need be right, it must only be worth a try.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

Edit = Callable[[Any], Any]
Edits = Mapping[cst.CSTNode, Edit]
# Shape and type of the tensors that a line binds by name; what it returns has no name.
Shapes = Mapping[int, Mapping[str, tuple[list[int], str]]]
_OPERATIONS = (
    cst.Call,
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.Comparison,
    cst.BooleanOperation,
    cst.Subscript,
    cst.IfExp,
    cst.Attribute,
    cst.ListComp,
    cst.Tuple,
    cst.List,
)
_COMPOUND = (cst.If, cst.For, cst.While, cst.With, cst.Try)
# Names that the measurement calls.
KEPT = ("build", "step")


def applied(module: cst.Module, edits: Edits) -> str:
    """The program's text after the edits; an emptied block holds `pass`."""
    return module.visit(_Editor(edits)).code


class _Editor(cst.CSTTransformer):
    def __init__(self, edits: Edits) -> None:
        super().__init__()
        self._edits = edits

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        edit = self._edits.get(original_node)
        if edit is not None:
            return edit(updated_node)
        if isinstance(updated_node, cst.IndentedBlock) and not updated_node.body:
            return updated_node.with_changes(body=[_PASS])
        return updated_node


_PASS = cst.SimpleStatementLine([cst.Pass()])


def remove(_node: Any) -> Any:
    """The edit that takes a node away."""
    return cst.RemoveFromParent()


def statements(module: cst.Module) -> list[list[cst.CSTNode]]:
    """All statements by how deep they are nested, the outermost first; `else:` parts are some."""
    levels: dict[int, list[cst.CSTNode]] = defaultdict(list)

    def add(node: cst.CSTNode, depth: int) -> None:
        for child in node.children:
            unit = isinstance(child, (cst.BaseStatement, cst.Else, cst.ExceptHandler))
            if unit and not _is_pass(child):
                levels[depth].append(child)
            if not isinstance(child, cst.BaseExpression):
                add(child, depth + unit)

    add(module, 0)
    return [levels[depth] for depth in sorted(levels)]


def _is_pass(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[0], cst.Pass)


def made_up(module: cst.Module, shapes: Shapes) -> Iterator[Edits]:
    """Each tensor that a line binds or returns, drawn in the place of computed; the last first."""
    lines = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    found = [node for node in _nodes(module) if isinstance(node, (cst.Assign, cst.Return))]
    for node in reversed(found):
        target = node.targets[0].target if isinstance(node, cst.Assign) else None
        name = target.value if isinstance(target, cst.Name) else ""
        if node.value is None or (isinstance(node, cst.Assign) and not name):
            continue
        known = shapes.get(lines[node].start.line, {}).get(name)
        if known is not None:
            yield {node.value: _instead(cst.parse_expression(_drawn(*known)))}


def _drawn(shape: list[int], dtype: str) -> str:
    if dtype.startswith("float"):
        return f"paddle.rand({shape}, {dtype!r})"
    return f"paddle.ones({shape}, {dtype!r})"


def unwrapped(module: cst.Module) -> Iterator[Edits]:
    """Each branch, loop and block, replaced by one of its bodies."""
    for node in _nodes(module):
        if isinstance(node, _COMPOUND):
            for part in (node, getattr(node, "orelse", None)):
                if part is not None and isinstance(part.body, cst.IndentedBlock):
                    yield {node: _body_of(part)}


def _body_of(part: Any) -> Edit:
    return lambda _node: cst.FlattenSentinel(part.body.body)


def simplified(module: cst.Module) -> Iterator[Edits]:
    """Each expression, replaced by one that it holds, the outermost first."""
    for node in _values(module):
        if isinstance(node, _OPERATIONS):
            for child in _held(node):
                yield {node: _instead(child)}


def _instead(child: cst.CSTNode) -> Edit:
    return lambda _node: child


def _held(node: Any) -> Iterator[cst.BaseExpression]:
    """Expressions within, as long as they can stand alone; what a method is called on first."""
    if isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute):
            yield node.func.value
        yield from (argument.value for argument in node.args)
    elif isinstance(node, cst.ListComp):
        yield node.elt
    elif isinstance(node, (cst.Tuple, cst.List)):
        # A number in the place of `[4]` is a size to some releases, and none to others.
        parts = (element.value for element in node.elements)
        yield from (part for part in parts if not isinstance(part, cst.Integer))
    else:
        parts = (child for child in node.children if isinstance(child, cst.BaseExpression))
        yield from (part for part in parts if not _is_attribute_name(node, part))
        if isinstance(node, cst.Comparison):
            yield from (target.comparator for target in node.comparisons)


def _is_attribute_name(node: Any, part: cst.CSTNode) -> bool:
    return isinstance(node, cst.Attribute) and part is node.attr


def shortened(module: cst.Module) -> Iterator[Edits]:
    """Each call, list, tuple and dictionary without one of its items."""
    for node in _values(module):
        name = "args" if isinstance(node, cst.Call) else "elements"
        items = getattr(node, name, ())
        for index in reversed(range(len(items))):
            if not (isinstance(node, cst.Tuple) and len(items) <= 2):
                yield {node: _without(name, index)}


def _without(name: str, index: int) -> Edit:
    def edit(node: Any) -> Any:
        items = list(getattr(node, name))
        del items[index]
        if items:
            items[-1] = items[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return node.with_changes(**{name: items})

    return edit


def unused_parameters(module: cst.Module) -> Iterator[Edits]:
    """Each parameter, taken from its function and from the calls that go by its name.

    Where it has a default value, that stands for it in the body.
    """
    calls = [node for node in _nodes(module) if isinstance(node, cst.Call)]
    for owner, function in _functions(module):
        listed = [*function.params.params, *function.params.kwonly_params]
        method = bool(owner) and bool(listed)
        for index, parameter in enumerate(listed):
            if index == 0 and method:
                continue
            edits: dict[cst.CSTNode, Edit] = {parameter: remove}
            for call in calls:
                if _may_call(call, owner, function.name.value):
                    found = _argument(call, parameter.name.value, index - method)
                    if found is not None:
                        edits[call] = _without("args", found)
            value = parameter.default
            if value is not None:
                for name in _names(function.body, parameter.name.value):
                    edits[name] = _instead(value)
            yield edits


def _may_call(call: cst.Call, owner: str, function: str) -> bool:
    name = call.func
    last = name.attr.value if isinstance(name, cst.Attribute) else getattr(name, "value", "")
    if function == "__init__":
        return last == owner or last == "__init__"
    if function == "forward":
        on_self = isinstance(name, cst.Attribute) and getattr(name.value, "value", "") == "self"
        return last in ("net", "forward") or on_self
    return bool(last == function)


def _argument(call: cst.Call, name: str, position: int) -> int | None:
    for index, argument in enumerate(call.args):
        keyword = argument.keyword.value if argument.keyword else None
        if keyword == name or (keyword is None and not argument.star and index == position):
            return index
    return None


def _functions(module: cst.Module) -> Iterator[tuple[str, cst.FunctionDef]]:
    """Functions and methods, with the name of the class that a method is in."""
    for node in module.body:
        if isinstance(node, cst.FunctionDef):
            yield "", node
        elif isinstance(node, cst.ClassDef):
            for part in node.body.body:
                if isinstance(part, cst.FunctionDef):
                    yield node.name.value, part


def settled_names(module: cst.Module) -> Iterator[Edits]:
    """Each name or attribute that one assignment binds, replaced by what is assigned to it."""
    for _, function in _functions(module):
        for line in _nodes(function.body):
            if isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Assign):
                yield from _settled(line, line.body[0], function, module)


def _settled(
    line: cst.CSTNode, assign: cst.Assign, function: cst.FunctionDef, module: cst.Module
) -> Iterator[Edits]:
    target = assign.targets[0].target
    if isinstance(target, cst.Name):
        uses = [name for name in _names(function.body, target.value) if name is not target]
    elif isinstance(target, cst.Attribute):
        uses = [
            node
            for node in _nodes(module)
            if isinstance(node, cst.Attribute) and node is not target and node.deep_equals(target)
        ]
    else:
        return
    yield {line: remove, **{use: _instead(assign.value) for use in uses}}


def other_roots(module: cst.Module) -> Iterator[Edits]:
    """`build()` giving one of the layers that the program's classes make, in the place of all."""
    for _, function in _functions(module):
        if function.name.value != "build":
            continue
        for built in _nodes(function.body):
            if isinstance(built, cst.Return) and built.value is not None:
                for node in _values(module):
                    if isinstance(node, cst.Call) and node is not built.value and _makes(node):
                        yield {built.value: _instead(node)}


def _makes(call: cst.Call) -> bool:
    name = call.func
    last = name.attr.value if isinstance(name, cst.Attribute) else getattr(name, "value", "")
    return str(last)[:1].isupper()


def smaller_numbers(module: cst.Module) -> Iterator[Edits]:
    """Each whole number above 1 made smaller, wherever it stands at once, then by itself."""
    numbers: dict[int, list[cst.CSTNode]] = defaultdict(list)
    for node in _nodes(module):
        if isinstance(node, cst.Integer) and node.value.isdecimal() and int(node.value) > 1:
            numbers[int(node.value)].append(node)
    for value in sorted(numbers, reverse=True):
        places = numbers[value]
        for small in dict.fromkeys((1, 2, 4, value // 2)):
            if 0 < small < value:
                edit = _instead(cst.Integer(str(small)))
                yield dict.fromkeys(places, edit)
                if len(places) > 1:
                    yield from ({place: edit} for place in places)


def _nodes(top: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """All nodes below one, each before what it holds."""
    for child in top.children:
        yield child
        yield from _nodes(child)


def _values(top: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """All nodes but names of modules, targets of assignments, annotations, and what is called."""
    for child in top.children:
        skipped = (cst.AssignTarget, cst.Annotation, cst.Import, cst.ImportFrom, cst.Decorator)
        if isinstance(child, skipped):
            continue
        if not (isinstance(top, cst.Call) and child is top.func):
            yield child
        yield from _values(child)


def _names(top: cst.CSTNode, name: str) -> Iterable[cst.CSTNode]:
    """The uses of a name, not those of attributes or keywords that are called so."""
    for node in _nodes(top):
        if isinstance(node, cst.Name) and node.value == name and not _is_label(top, node):
            yield node


def _is_label(top: cst.CSTNode, name: cst.Name) -> bool:
    for node in _nodes(top):
        if isinstance(node, cst.Attribute) and node.attr is name:
            return True
        if isinstance(node, cst.Arg) and node.keyword is name:
            return True
    return False
