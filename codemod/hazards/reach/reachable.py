"""The functions that a model's `forward` can reach, and the kinds of the values in them.

One `World` serves all models of a kit. A unit is a function seen from one concrete class (so
that `self.method` means the override); each is evaluated until nothing new is learnt about
its arguments. Which units a model reaches is then a walk over the edges. An open edge, where
the callee comes from a config, is resolved among the components that the config names.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator

from codemod.code.module import dotted, named_parameters
from codemod.hazards.reach.attributes import attribute_kind
from codemod.hazards.reach.builds import Builder, Built
from codemod.hazards.reach.index import SPREAD, AnyFunction, Class, Function, Given, Index, Unit
from codemod.hazards.reach.values import (
    BATCH,
    LAYER,
    NONE,
    PYTHON,
    TENSOR,
    UNKNOWN,
    Flag,
    ValueKind,
    join,
    parameter_kind,
)

_MOST_PASSES = 12
_CALLED = ("forward", "__call__")


class World:
    """All units of a kit that were asked for."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.builder = Builder(index)
        self._units: dict[tuple[int, int], Unit] = {}
        self._stores: dict[tuple[int, str], ValueKind] = {}
        self._of_owner: dict[int, dict[Unit, None]] = {}
        self._queue: deque[Unit] = deque()
        self._queued: set[Unit] = set()
        self._attributes: dict[tuple[int, str], ValueKind] = {}

    # --- units --------------------------------------------------------------------------

    def unit(self, function: Function, owner: Class | None) -> Unit:
        """The one unit of a function and a concrete class."""
        key = (id(function.node), id(owner.node) if owner else 0)
        if key not in self._units:
            made = Unit(function, owner)
            self._units[key] = made
            if owner:
                self._of_owner.setdefault(id(owner.node), {})[made] = None
            self._again(made)
        return self._units[key]

    def enter(self, function: Function, owner: Class | None) -> Unit:
        """The unit of a root: its parameters are a batch."""
        unit = self.unit(function, owner)
        if unit.entered:
            return unit
        for arg in named_parameters(function.node.args):
            if arg.arg in function.arguments:
                kind = parameter_kind(arg, function.defaults.get(arg.arg))
                self._give(unit, arg.arg, kind)
        unit.rest = unit.entered = True
        return unit

    def instance_units(self, owner: Class) -> list[Unit]:
        """What runs when an instance is called, entered as a root."""
        return [self.enter(function, owner) for function in self._callables(owner, "forward")]

    def run(self) -> Iterator[Unit]:
        """The units to evaluate, one after the other, until nothing changes."""
        while self._queue:
            unit = self._queue.popleft()
            self._queued.discard(unit)
            if unit.passes >= _MOST_PASSES:
                continue
            unit.passes += 1
            before = unit.result
            unit.kinds, unit.live, unit.open = {}, {}, {}
            yield unit
            if unit.result != before:
                for caller in unit.callers:
                    self._again(caller)

    def _again(self, unit: Unit) -> None:
        if unit not in self._queued:
            self._queued.add(unit)
            self._queue.append(unit)

    def _give(self, unit: Unit, name: str, kind: ValueKind) -> None:
        kind = kind.carried
        old = unit.params.get(name)
        new = kind if old is None else old | kind
        if new != old:
            unit.params[name] = new
            self._again(unit)

    # --- calls --------------------------------------------------------------------------

    def call(
        self, caller: Unit | None, function: Function, owner: Class | None, given: Given
    ) -> ValueKind:
        """A call: its arguments are handed on; gives what the function is known to return."""
        unit = self.unit(function, owner)
        if caller is not None:
            caller.edges[unit] = None
            unit.callers[caller] = None
        args, keywords = given
        names = function.arguments
        passed = dict(zip(names, args, strict=False))
        passed.update({name: kind for name, kind in keywords.items() if name in names})
        for name in names:
            if name in passed:
                self._give(unit, name, passed[name])
            elif name in function.defaults:
                default = function.defaults[name]
                none = isinstance(default, ast.Constant) and default.value is None
                # What `**` hands on may be the mask of that name, or nothing.
                absent = NONE | PYTHON if SPREAD in keywords else NONE
                self._give(unit, name, absent if none else PYTHON)
        if not unit.rest and not keywords.keys() <= set(names):
            unit.rest = True
            self._again(unit)
        return unit.result

    def named(self, unit: Unit, name: str, given: Given) -> ValueKind | None:
        """A call by name: of a function of the kit, or of a class that makes an instance."""
        head = name.split(".")[0]
        if head in unit.function.parameters or head in self.builder.bindings(unit.function):
            return None
        found = self.index.resolve(unit.function.module, name)
        if isinstance(found, Function):
            owner = unit.owner if _is_base(self.index, unit.owner, found.owner) else found.owner
            plain = found.owner and "staticmethod" not in found.marks
            args, keywords = given
            return self.call(unit, found, owner, (args[1:] if plain else args, keywords))
        if isinstance(found, Class):
            if self.index.is_layer(found):
                return LAYER
            maker = self.index.method(found, "__init__")
            if maker:
                self.call(unit, maker, found, given)
            return UNKNOWN
        return None

    def instance(self, unit: Unit, value: ast.expr, given: Given) -> ValueKind | None:
        """A call of what an expression holds: `layer(x)` in a loop, `self.blocks[i](x)`."""
        return self._held(unit, value, "forward", given)

    def method(
        self, unit: Unit, func: ast.Attribute, given: Given, base: ValueKind
    ) -> ValueKind | None:
        """A method call within the kit; None when it is none."""
        owner = unit.owner
        if owner and isinstance(func.value, ast.Name) and func.value.id == "self":
            return self._of_self(unit, owner, func.attr, given)
        if owner and _is_super(func.value):
            found = self.index.method(owner, func.attr, unit.function.owner)
            return self.call(unit, found, owner, given) if found else UNKNOWN
        if base.flags & ~(Flag.LAYER | Flag.NONE):
            return None
        return self._held(unit, func.value, func.attr, given)

    def _held(self, unit: Unit, value: ast.expr, method: str, given: Given) -> ValueKind | None:
        built = self.builder.made(value, unit.function, unit.owner)
        if not built.classes and not built.open:
            return None
        return self._built(unit, built, _name_of(value), method, given)

    def _of_self(self, unit: Unit, owner: Class, name: str, given: Given) -> ValueKind | None:
        found = self.index.method(owner, name)
        if found:
            return self.call(unit, found, owner, given)
        built = self.builder.attribute(owner, name)
        if built.classes or built.open:
            return self._built(unit, built, name, "forward", given)
        if self.attribute_kind(unit, name).has(Flag.LAYER):
            return TENSOR
        return None

    def _built(self, unit: Unit, built: Built, name: str, method: str, given: Given) -> ValueKind:
        results = []
        for owner in built.in_order:
            callables = self._callables(owner, method)
            results += [self.call(unit, function, owner, given) for function in callables]
            if method == "forward" and not self.index.method(owner, "forward"):
                self._contents(unit, owner, given)
        args, keywords = given
        data = any(k.may_be_data for k in (*args, *keywords.values()))
        if built.open:
            unit.open[name, method] = given
        result = join(results)
        return result if result.flags else BATCH if data else UNKNOWN

    def _callables(self, owner: Class, method: str) -> list[Function]:
        names = _CALLED if method == "forward" else (method,)
        return [found for name in names if (found := self.index.method(owner, name))]

    def _contents(self, unit: Unit, owner: Class, given: Given) -> None:
        """A `Sequential` of the kit's own calls whatever its constructor put into it."""
        inner = self.builder.any_attribute(owner)
        for part in inner.classes:
            for function in self._callables(part, "forward") if part is not owner else ():
                self.call(unit, function, part, given)

    def reaches(self, node: AnyFunction) -> bool:
        """Whether some model's forward reaches a function."""
        return id(node) in {function for function, _ in self._units}

    # --- attributes ---------------------------------------------------------------------

    def attribute_kind(self, unit: Unit, name: str) -> ValueKind:
        """The kind of `self.name`: by its constructor, and by what reached code stores."""
        owner = unit.owner
        if owner is None:
            return UNKNOWN
        key = (id(owner.node), name)
        if key not in self._attributes:
            self._attributes[key] = attribute_kind(self.index, self.builder, owner, name)
        return self._attributes[key] | self._stores.get(key, UNKNOWN)

    def store(self, unit: Unit, name: str, kind: ValueKind) -> None:
        """Reached code writes `self.name`."""
        if unit.owner is None:
            return
        kind = kind.carried
        key = (id(unit.owner.node), name)
        old = self._stores.get(key, UNKNOWN)
        if old | kind != old:
            self._stores[key] = old | kind
            for other in self._of_owner.get(id(unit.owner.node), ()):
                self._again(other)


def _is_base(index: Index, owner: Class | None, base: Class | None) -> bool:
    return owner is not None and base is not None and base in index.mro(owner)


def _is_super(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and dotted(value.func) == "super"


def _name_of(value: ast.expr) -> str:
    """The attribute or name under which a callee is held: `blocks` of `self.blocks[i]`."""
    while isinstance(value, (ast.Subscript, ast.Call)):
        value = value.value if isinstance(value, ast.Subscript) else value.func
    if isinstance(value, ast.Attribute):
        return value.attr
    return value.id if isinstance(value, ast.Name) else ""
