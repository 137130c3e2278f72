"""What may be cut from a program: single edits of its syntax tree, each leaving a smaller one.

An edit says what takes a node's place. Whether the rest still shows what is looked for, a run
tells; so no edit need be right, it must only be worth a try.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Edit = Callable[[Any], Any]
Edits = Mapping[ast.AST, Edit]
# Shape and type of the tensors that are bound behind a line, and whether they take a gradient, by
# name; what a line returns has no name.
Shapes = Mapping[int, Mapping[str, tuple[list[int], str, bool]]]
# Whole numbers above this are sizes of tables, and what is looked up in them.
_TABLE = 4096
_BLOCKS = ("body", "orelse", "finalbody")
# Names that the measurement calls.
KEPT = ("build", "step")


def applied(node: Any, edits: Edits) -> Any:
    """A copy of the tree after the edits; an emptied block holds `pass`."""
    made = ast.copy_location(type(node)(), node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            value = _parts(value, edits)
            if name == "body" and not value and not isinstance(node, ast.Module):
                value = [ast.Pass()]
        elif isinstance(value, ast.AST):
            value = applied(value, edits)
        setattr(made, name, value)
    edit = edits.get(node)
    return made if edit is None else edit(made)


def _parts(values: list[Any], edits: Edits) -> list[Any]:
    kept: list[Any] = []
    for value in values:
        part = applied(value, edits) if isinstance(value, ast.AST) else value
        if isinstance(part, list):
            kept += part
        elif part is not None or value is None:
            kept.append(part)
    return kept


def remove(_node: Any) -> Any:
    """The edit that takes a node away."""
    return None


def _instead(node: ast.AST) -> Edit:
    return lambda _node: applied(node, {})


def statements(tree: ast.Module) -> list[list[ast.AST]]:
    """All statements by how deep they are nested, the outermost first."""
    levels: dict[int, list[ast.AST]] = defaultdict(list)

    def add(node: ast.AST, depth: int) -> None:
        for name in (*_BLOCKS, "handlers"):
            block = getattr(node, name, None)
            for part in block if isinstance(block, list) else ():
                if not isinstance(part, ast.Pass):
                    levels[depth].append(part)
                add(part, depth + 1)

    add(tree, 0)
    return [levels[depth] for depth in sorted(levels)]


def made_up(tree: ast.Module, shapes: Shapes, grown: bool) -> Iterator[Edits]:
    """Each tensor that a line binds or returns, drawn in the place of computed.

    With `grown` one that takes a gradient gets it from the first that the function has; without,
    it takes none.
    """
    for node in _nodes(tree):
        if not isinstance(node, (ast.Assign, ast.Return)) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        name = target.id if isinstance(target, ast.Name) else ""
        if isinstance(node, ast.Assign) and not name:
            continue
        here = shapes.get(node.lineno, {})
        if name not in here or ast.unparse(node.value).startswith(("paddle.rand(", "paddle.ones(")):
            continue
        shape, dtype, takes = here[name]
        source = next((one for one, (_, _, grows) in here.items() if one and grows), "")
        if grown and takes and source in ("", name):
            continue
        more = f" * {source}.mean()" if grown and takes else ""
        yield {node.value: _instead(_expression(_drawn(shape, dtype) + more))}


def _drawn(shape: list[int], dtype: str) -> str:
    if dtype.startswith("float"):
        return f"paddle.rand({shape})"
    return f"paddle.ones({shape}, {dtype!r})"


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def earlier_returns(tree: ast.Module) -> Iterator[Edits]:
    """Each function giving what it bound before, in the place of what it gives; the first first."""
    for _, function in _functions(tree):
        bound: dict[str, None] = {}
        for node in _nodes(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                bound[node.targets[0].id] = None
            elif isinstance(node, ast.Return) and node.value is not None:
                now = ast.unparse(node.value)
                for name in bound:
                    if name != now:
                        yield {node.value: _instead(ast.Name(name, ast.Load()))}


def small_tables(tree: ast.Module) -> Iterator[Edits]:
    """All sizes of tables and what is looked up in them made small at once."""
    large: dict[ast.AST, int] = {
        node: node.value
        for node in _nodes(tree)
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value > _TABLE
    }
    most = max(large.values(), default=0)
    yield {
        node: _instead(ast.Constant(64 if value == most else value % 64))
        for node, value in large.items()
    }


def parts(tree: ast.Module) -> Iterator[Edits]:
    """Each keyword of a call and item of a list, taken away."""
    for node in _values(tree):
        for part in getattr(node, "elts", ()) if isinstance(node, ast.List) else ():
            yield {part: remove}
        for part in node.keywords if isinstance(node, ast.Call) else ():
            yield {part: remove}


def unwrapped(tree: ast.Module) -> Iterator[Edits]:
    """Each branch, loop and block, replaced by one of its bodies, a loop by one turn."""
    for node in _nodes(tree):
        if isinstance(node, ast.For):
            yield {node: _one_turn}
        elif isinstance(node, (ast.If, ast.While, ast.With, ast.Try)):
            yield {node: lambda made: made.body}
            if getattr(node, "orelse", None):
                yield {node: lambda made: made.orelse}


def _one_turn(made: ast.For) -> list[ast.stmt]:
    counted = isinstance(made.iter, ast.Call) and ast.unparse(made.iter.func) == "range"
    first = "0" if counted else f"next(iter({ast.unparse(made.iter)}))"
    turn = ast.parse(f"{ast.unparse(made.target)} = {first}").body
    return [*turn, *made.body]


def simplified(tree: ast.Module) -> Iterator[Edits]:
    """Each expression, replaced by one that it holds, the outermost first."""
    imported = {name for node in tree.body for name in _imports(node)}
    for node in _values(tree):
        for child in _held(node):
            name = child.id if isinstance(child, ast.Name) else ""
            if name not in imported and name != "self" and not isinstance(child, ast.Constant):
                yield {node: _instead(child)}


def _imports(node: ast.AST) -> list[str]:
    names = node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []
    return [(name.asname or name.name).partition(".")[0] for name in names]


def _held(node: Any) -> list[ast.expr]:
    """Expressions within, as long as they can stand alone; what a method is called on first."""
    if isinstance(node, ast.Call):
        on = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        parts = on + [part for part in given if not isinstance(part, ast.Starred)]
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        parts = [node.elt]
    elif isinstance(node, (ast.Tuple, ast.List)):
        parts = [part for part in node.elts if not isinstance(part, ast.Starred)]
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.BoolOp):
        parts = node.values
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, (ast.Subscript, ast.Attribute)):
        parts = [node.value]
    else:
        parts = []
    return parts


def shortened(tree: ast.Module) -> Iterator[Edits]:
    """Each call, list, tuple and dictionary without one of its items."""
    for node in _values(tree):
        for name in ("keywords", "args", "elts", "keys"):
            items = getattr(node, name, ())
            if isinstance(node, ast.Tuple) and len(items) <= 2:
                continue
            for index in reversed(range(len(items) if isinstance(items, list) else 0)):
                yield {node: _without(name, index)}


def _without(name: str, index: int) -> Edit:
    def edit(made: Any) -> Any:
        for each in (name, "values") if name == "keys" else (name,):
            items = list(getattr(made, each))
            del items[index]
            setattr(made, each, items)
        return made

    return edit


def plainer(tree: ast.Module) -> Iterator[Edits]:
    """Each `getattr(x, 'name')` as `x.name`, and each sum of two whole numbers as one."""
    for node in _nodes(tree):
        if isinstance(node, ast.Call) and _last(node) == "getattr" and len(node.args) == 2:
            name = getattr(node.args[1], "value", None)
            if isinstance(name, str) and name.isidentifier():
                yield {node: _instead(ast.Attribute(node.args[0], name, ast.Load()))}
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            one, other = (getattr(part, "value", None) for part in (node.left, node.right))
            if type(one) is int and type(other) is int:
                yield {node: _instead(ast.Constant(one + other))}


def unpaired(tree: ast.Module) -> Iterator[Edits]:
    """Each assignment of several values to as many targets, without one of them and its value."""
    for node in _nodes(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple):
            continue
        targets, values = node.targets[0].elts, getattr(node.value, "elts", [])
        starred = any(isinstance(one, ast.Starred) for one in (*targets, *values))
        if len(targets) == len(values) and not starred:
            for index in reversed(range(len(values))):
                yield {node: _without_pair(index)}


def _without_pair(index: int) -> Edit:
    def edit(made: Any) -> Any:
        for pair in (made.targets[0].elts, made.value.elts):
            del pair[index]
        if len(made.value.elts) == 1:
            made.targets, made.value = made.targets[0].elts, made.value.elts[0]
        return made

    return edit


def unused_parameters(tree: ast.Module) -> Iterator[Edits]:
    """Each parameter, taken from its function and from the calls that go by its name.

    Where it has a default value, that stands for it in the body.
    """
    calls = [node for node in _nodes(tree) if isinstance(node, ast.Call)]
    for owner, function in _functions(tree):
        given = function.args
        ahead = len(given.args) - len(given.defaults)
        method = bool(owner) and bool(given.args)
        for index, parameter in enumerate(given.args):
            if index == 0 and method:
                continue
            value = given.defaults[index - ahead] if index >= ahead else None
            edits: dict[ast.AST, Edit] = {parameter: remove}
            if value is not None:
                edits[value] = remove
                for name in _names(function.body, parameter.arg):
                    edits[name] = _instead(value)
            for group in _calls_of(owner, function, calls):
                arguments = {call: _argument(call, parameter.arg, index - method) for call in group}
                yield edits | {call: _without(*one) for call, one in arguments.items() if one}


def _calls_of(owner: str, function: ast.FunctionDef, calls: list[ast.Call]) -> list[list[ast.Call]]:
    """What may be all calls of a function, the likeliest first.

    A layer's forward calls others, not itself; one within the net is not called by `step`.
    """
    named = [call for call in calls if _may_call(call, owner, function.name)]
    if function.name != "forward":
        return [named]
    own = {id(node) for node in ast.walk(function)}
    others = [call for call in named if id(call) not in own]
    within = [call for call in others if _last(call) != "net"]
    return [others] if len(within) in (0, len(others)) else [others, within]


def _may_call(call: ast.Call, owner: str, function: str) -> bool:
    last = _last(call)
    if function == "__init__":
        return last in (owner, "__init__")
    if function == "forward":
        on = call.func.value if isinstance(call.func, ast.Attribute) else None
        return last in ("net", "forward") or getattr(on, "id", "") == "self"
    return last == function


def _last(call: ast.Call) -> str:
    name = call.func
    return name.attr if isinstance(name, ast.Attribute) else str(getattr(name, "id", ""))


def _argument(call: ast.Call, name: str, position: int) -> tuple[str, int] | None:
    for index, keyword in enumerate(call.keywords):
        if keyword.arg == name:
            return "keywords", index
    starred = any(isinstance(argument, ast.Starred) for argument in call.args[: position + 1])
    return ("args", position) if position < len(call.args) and not starred else None


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods, with the name of the class that a method is in."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    yield node.name, part


def settled_names(tree: ast.Module) -> Iterator[Edits]:
    """Each name or attribute that one assignment binds, replaced by what is assigned to it."""
    for _, function in _functions(tree):
        for line in _nodes(function):
            if isinstance(line, ast.Assign):
                yield from _settled(line, function, tree)


def _settled(line: ast.Assign, function: ast.FunctionDef, tree: ast.Module) -> Iterator[Edits]:
    target = line.targets[0]
    if isinstance(target, ast.Name):
        uses: list[Any] = _names(function.body, target.id)
    elif isinstance(target, ast.Attribute):
        attributes = (node for node in _nodes(tree) if isinstance(node, ast.Attribute))
        uses = [node for node in attributes if node.attr == target.attr]
    else:
        return
    yield {use: _instead(line.value) for use in uses if use is not target} | {line: remove}


def other_roots(tree: ast.Module) -> Iterator[Edits]:
    """`build()` giving one of the layers that the program makes by a call, in the place of all."""
    for _, function in _functions(tree):
        if function.name != "build":
            continue
        for built in _nodes(function):
            if isinstance(built, ast.Return) and built.value is not None:
                for node in _values(tree):
                    made = isinstance(node, ast.Call) and _last(node)[:1].isupper()
                    if made and node is not built.value:
                        yield {built.value: _instead(node)}


def smaller_numbers(tree: ast.Module) -> Iterator[Edits]:
    """Each whole number above 1 made smaller, wherever it stands at once, then by itself."""
    numbers: dict[int, list[ast.AST]] = defaultdict(list)
    for node in _nodes(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value > 1:
            numbers[node.value].append(node)
    for value in sorted(numbers, reverse=True):
        places = numbers[value]
        for small in dict.fromkeys((1, 2, value // 2)):
            if 0 < small < value:
                edit = _instead(ast.Constant(small))
                yield dict.fromkeys(places, edit)
                if len(places) > 1:
                    yield from ({place: edit} for place in places)


def _nodes(top: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one, each before what it holds."""
    for child in ast.iter_child_nodes(top):
        yield child
        yield from _nodes(child)


def _values(top: ast.AST) -> Iterator[ast.AST]:
    """All nodes but imports, what is assigned to, and what is called."""
    for child in ast.iter_child_nodes(top):
        bound = not isinstance(getattr(child, "ctx", ast.Load()), ast.Load)
        if bound or isinstance(child, (ast.Import, ast.ImportFrom, ast.arguments)):
            continue
        if not (isinstance(top, ast.Call) and child is top.func):
            yield child
        yield from _values(child)


def _names(body: list[ast.stmt], name: str) -> list[ast.Name]:
    """The uses of a name."""
    found = (node for part in body for node in ast.walk(part) if isinstance(node, ast.Name))
    return [node for node in found if node.id == name]
