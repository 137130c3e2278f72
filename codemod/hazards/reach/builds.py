"""Which classes of the kit an expression can make an instance of: sub-layers, factories.

An answer is `open` where something decides at run time (a config's name, an argument): who
asks must then look among the names that the config gives.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from codemod.base.grouping import grouped
from codemod.code.module import Module, dotted, handed
from codemod.code.traversal import below
from codemod.hazards.reach.bindings import ANY, Bindings, bindings
from codemod.hazards.reach.index import Class, Function, Index
from codemod.hazards.reach.live import returns

_CONTAINERS = frozenset(
    (
        *("list", "tuple", "dict", "set", "zip", "enumerate", "reversed", "sorted"),
        *("copy.deepcopy", "copy.copy", "collections.OrderedDict", "OrderedDict", "filter"),
        *("map", "partial", "functools.partial"),
    )
)
_CHOOSING = ("getattr", "eval", "get", "globals", "import_module", "")
_PADDLE_CONTAINERS = ("LayerList", "Sequential", "LayerDict")


@dataclass(frozen=True, slots=True)
class Built:
    """Classes of which there may be instances; `open`: others may come at run time."""

    classes: frozenset[Class] = frozenset()
    open: bool = False

    @property
    def in_order(self) -> list[Class]:
        """The classes by file and line."""
        return sorted(self.classes, key=lambda c: (c.module.path, c.node.lineno))


NONE = Built()
OPEN = Built(open=True)


def _joined(parts: Iterable[Built]) -> Built:
    parts = tuple(parts)
    if len(parts) < 2:
        return parts[0] if parts else NONE
    classes = parts[0].classes.union(*(p.classes for p in parts[1:]))
    return Built(classes, any(p.open for p in parts))


class Builder:
    """Answers are kept: a kit asks for the same attribute from many methods."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._bound: dict[int, dict[str, list[tuple[Function, ast.expr]]]] = {}
        self._attributes: dict[tuple[int, str], Built] = {}
        self._returned: dict[tuple[int, int], Built] = {}
        self._handed = cache(self._layers_handed)
        self._active: set[tuple[int, str]] = set()

    def bindings(self, function: Function) -> Bindings:
        """What the function binds to its names."""
        return bindings(function.node)

    def bound(self, owner: Class, name: str) -> list[tuple[Function, ast.expr]]:
        """What methods of the class and of its bases bind to `self.name`, each with its method."""
        return self._bound_on(owner).get(f"self.{name}", [])

    def _bound_on(self, owner: Class) -> dict[str, list[tuple[Function, ast.expr]]]:
        """The same by `self.name`, for all names."""
        key = id(owner.node)
        if key not in self._bound:
            self._bound[key] = grouped(
                (name, (method, value))
                for method in self.index.all_methods(owner)
                for name, values in self.bindings(method).items()
                if name.startswith("self.")
                for value in values
            )
        return self._bound[key]

    def attribute(self, owner: Class, name: str) -> Built:
        """The sub-layers (or helpers) that `self.name` may hold; `*` is any unnamed one."""
        key = (id(owner.node), name)
        if key not in self._attributes:
            self._attributes[key] = NONE  # an attribute bound to itself adds nothing
            self._attributes[key] = _joined(
                self.made(value, method, owner) for method, value in self.bound(owner, name)
            )
        return self._attributes[key]

    def any_attribute(self, owner: Class) -> Built:
        """Every sub-layer: what a loop over `self.sublayers()` can meet."""
        names = {name.split(".")[1] for name in self._bound_on(owner)}
        return _joined(self.attribute(owner, name) for name in names)

    def returned(self, function: Function, owner: Class | None) -> Built:
        """What a factory may return."""
        key = (id(function.node), id(owner.node) if owner else 0)
        if key not in self._returned:
            self._returned[key] = NONE
            self._returned[key] = _joined(
                self.made(value, function, owner) for value in returns(function.node.body)
            )
        return self._returned[key]

    def made(self, value: ast.expr, function: Function, owner: Class | None) -> Built:
        """The classes whose instances the expression holds, itself or in a container."""
        if isinstance(value, ast.Call):
            return self._called(value, function, owner)
        if isinstance(value, ast.Name):
            return self._local(value.id, function, owner)
        if isinstance(value, ast.Attribute):
            name = dotted(value)
            own = owner and name and name.count(".") == 1 and name.startswith("self.")
            return self.attribute(owner, value.attr) if owner and own else NONE
        return _joined(self.made(part, function, owner) for part in _parts(value))

    def _local(self, name: str, function: Function, owner: Class | None) -> Built:
        bound = self.bindings(function).get(name)
        key = (id(function.node), name)
        if bound and key not in self._active:
            self._active.add(key)
            found = _joined(self.made(value, function, owner) for value in bound)
            self._active.discard(key)
            return found
        return OPEN if name in function.parameters and name != "self" else NONE

    def _called(self, call: ast.Call, function: Function, owner: Class | None) -> Built:
        name = dotted(call.func) or ""
        canonical = self.index.canonical(function.module, name)
        last = name.rpartition(".")[2]
        if last in ("add_sublayer", "add_module") and call.args:
            return self.made(call.args[-1], function, owner)
        if last in ("get", "pop") or canonical in _CONTAINERS:
            return _joined(self.made(value, function, owner) for value in handed(call))
        if canonical.startswith("paddle."):
            within = last in _PADDLE_CONTAINERS
            return _joined(self.made(v, function, owner) for v in handed(call)) if within else NONE
        if owner and name.startswith("self.") and name.count(".") == 1:
            method = self.index.method(owner, last)
            if method:
                return self.returned(method, owner)
        found = self._classes(call.func, function, owner)
        if found.classes:
            return found
        factory = self.index.resolve(function.module, name) if name else None
        if isinstance(factory, Function):
            return self.returned(factory, factory.owner)
        if name.startswith("self."):
            return NONE  # a layer was called: its result is not a layer
        # eval(name)(...), TABLE[name](...)
        chosen = isinstance(call.func, (ast.Call, ast.Subscript))
        return OPEN if found.open or chosen or last[:1].isupper() else NONE

    def _classes(self, value: ast.expr, function: Function, owner: Class | None) -> Built:
        """The classes that the expression itself may be."""
        name = dotted(value)
        if name:
            found = self.index.resolve(function.module, name)
            if isinstance(found, Class):
                return Built(frozenset({found}))
            if isinstance(found, Function):
                return NONE
            return self._class_named(name, function, owner)
        if isinstance(value, ast.Call):
            head = dotted(value.func) or ""
            if head.rpartition(".")[2] == "partial" and value.args:
                return self._classes(value.args[0], function, owner)
            return OPEN if head.rpartition(".")[2] in _CHOOSING else NONE
        if isinstance(value, ast.Attribute):
            return NONE
        parts = _joined(self._classes(part, function, owner) for part in _parts(value))
        return parts if parts.classes else OPEN

    def _class_named(self, name: str, function: Function, owner: Class | None) -> Built:
        key = (id(function.node), f"class {name}")
        bound = self.bindings(function).get(name, [])
        if owner and name.startswith("self."):
            bound = [value for _, value in self.bound(owner, name.removeprefix("self."))]
            maker = self.index.method(owner, "__init__") or function
        else:
            maker = function
        if key in self._active:
            return NONE
        self._active.add(key)
        classes = _joined(self._classes(v, maker, owner) for v in bound if not _is_plain(v)).classes
        self._active.discard(key)
        if name in function.parameters:
            default = function.defaults.get(name)
            more = self._classes(default, function, owner).classes if default is not None else ()
            classes = classes.union(more, self.passed(function))
        return Built(classes, not classes and (bool(bound) or name in function.parameters))

    def passed(self, function: Function) -> frozenset[Class]:
        """Layer classes that calls in the function's own file hand to it (or to anything)."""
        table = self._handed(function.module)
        own = function.owner if function.node.name == "__init__" else None
        return table.get(own.name if own else function.node.name) or table.get("", frozenset())

    def _layers_handed(self, module: Module) -> dict[str, frozenset[Class]]:
        """The layer classes that calls in a file hand over, by the last name of what is called."""
        table: dict[str, set[Class]] = {"": set()}
        nodes = tuple(below(module.tree))
        renamed: dict[str, set[Class]] = {}  # block = Bottleneck
        for node in nodes:
            found = self._layer_named(module, node.value) if isinstance(node, ast.Assign) else None
            if found and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                renamed.setdefault(node.targets[0].id, set()).add(found)
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            last = (dotted(node.func) or "").rpartition(".")[2]
            for value in handed(node):
                found = self._layer_named(module, value)
                named = renamed.get(value.id, set()) if isinstance(value, ast.Name) else set()
                if classes := {found} if found else named:
                    table.setdefault(last, set()).update(classes)
                    if last not in ("super", "isinstance", "issubclass"):
                        table[""].update(classes)
        return {name: frozenset(classes) for name, classes in table.items()}

    def _layer_named(self, module: Module, value: ast.expr) -> Class | None:
        """The layer class that an expression names."""
        name = dotted(value) or ""
        if not name.rpartition(".")[2][:1].isupper():
            return None
        found = self.index.resolve(module, name)
        return found if isinstance(found, Class) and self.index.is_layer(found) else None


def _is_plain(value: ast.expr) -> bool:
    return isinstance(value, (ast.Constant, ast.Compare, ast.JoinedStr))


def _parts(value: ast.expr) -> list[ast.expr]:
    """The expressions of which a container, a choice or a subscript hands one on."""
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return value.elts
    if isinstance(value, ast.Dict):
        return value.values
    if isinstance(value, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return [value.elt]
    if isinstance(value, ast.DictComp):
        return [value.value]
    if isinstance(value, ast.IfExp):
        return [value.body, value.orelse]
    if isinstance(value, ast.BoolOp):
        return value.values
    if isinstance(value, ast.BinOp):
        return [value.left, value.right]
    if isinstance(value, (ast.Subscript, ast.Starred, ast.NamedExpr)):
        return [value.value]
    return []


__all__ = ["ANY", "NONE", "OPEN", "Builder", "Built"]
