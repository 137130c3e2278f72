"""The kind of every expression of a function, given the kinds of the names in it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from codemod.code.module import dotted
from codemod.code.traversal import next_level
from codemod.hazards.reach import apis
from codemod.hazards.reach.index import SPREAD, Given, Unit
from codemod.hazards.reach.live import truth
from codemod.hazards.reach.reachable import World
from codemod.hazards.reach.values import (
    BATCH,
    HOLDER,
    NONE,
    PLAIN_NAMES,
    PYTHON,
    UNKNOWN,
    Flag,
    ValueKind,
    collected,
    join,
    operated,
)

Env = dict[str, ValueKind]
_PLAIN_COMPARES = (ast.Is, ast.IsNot, ast.In, ast.NotIn)


class Expressions:
    """Evaluates the expressions of one function; `unit.kinds` holds what it saw."""

    def __init__(self, world: World, unit: Unit) -> None:
        self.world = world
        self.unit = unit
        self.module = unit.function.module
        self.depth = 0  # of the functions within the function

    # --- targets ------------------------------------------------------------------------

    def bind(self, target: ast.expr, kind: ValueKind, env: Env) -> None:
        """Give a target the kind of the value that it is assigned."""
        self.unit.kinds[target] = kind
        if isinstance(target, ast.Name):
            env[target.id] = kind
        elif isinstance(target, (ast.Tuple, ast.List)):
            known = len(kind.items) == len(target.elts)
            for index, part in enumerate(target.elts):
                self.bind(part, kind.items[index] if known else kind.element, env)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, kind, env)
        elif isinstance(target, ast.Attribute):
            self.ev(target.value, env)
            if isinstance(target.value, ast.Name) and target.value.id == "self":
                self.world.store(self.unit, target.attr, kind)
        elif isinstance(target, ast.Subscript):
            self.ev(target.slice, env)
            self.hold(target.value, kind, env)

    def hold(self, holder: ast.expr, kind: ValueKind, env: Env) -> None:
        """A value goes into a container."""
        base = self.ev(holder, env)
        if isinstance(holder, ast.Name) and not base.is_tensor and kind.may_be_data:
            env[holder.id] = ValueKind(base.flags | Flag.HOLDER)

    def absent(self, env: Env) -> frozenset[str]:
        """The names that hold None; a function within the function may run when they do not."""
        if self.depth:
            return frozenset()
        return frozenset(name for name, kind in env.items() if kind.flags == Flag.NONE)

    # --- expressions --------------------------------------------------------------------

    def ev(self, node: ast.expr, env: Env) -> ValueKind:
        """The kind of an expression; its parts are evaluated too."""
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            kind: ValueKind = handler(self, node, env)
        else:
            for child in next_level([node]):
                if isinstance(child, ast.expr):
                    self.ev(child, env)
            kind = PYTHON
        self.unit.kinds[node] = kind
        return kind

    def _x_constant(self, node: ast.Constant, env: Env) -> ValueKind:
        return NONE if node.value is None else PYTHON

    def _x_name(self, node: ast.Name, env: Env) -> ValueKind:
        return env.get(node.id, UNKNOWN)

    def _x_attribute(self, node: ast.Attribute, env: Env) -> ValueKind:
        if isinstance(node.value, ast.Name) and node.value.id == "self" and self.unit.owner:
            self.unit.kinds[node.value] = UNKNOWN
            return self.world.attribute_kind(self.unit, node.attr)
        return apis.attribute(self.ev(node.value, env), node.attr)

    def _x_subscript(self, node: ast.Subscript, env: Env) -> ValueKind:
        base = self.ev(node.value, env)
        index = self.ev(node.slice, env)
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(key, int) and -len(base.items) <= key < len(base.items):
            return base.items[key]
        if isinstance(key, str) and base.may_be_data and PLAIN_NAMES.match(key):
            return PYTHON
        if isinstance(node.slice, ast.Slice):
            return ValueKind(base.flags)
        if base.is_tensor and index.is_tensor and isinstance(node.slice, ast.Compare):
            return ValueKind(Flag.TENSOR | Flag.EFFECTIVE)
        return base.element

    def _x_binop(self, node: ast.BinOp, env: Env) -> ValueKind:
        parts = [self.ev(node.left, env), self.ev(node.right, env)]
        text = isinstance(node.left, (ast.Constant, ast.JoinedStr)) and isinstance(node.op, ast.Mod)
        if text and isinstance(getattr(node.left, "value", ""), str):
            return PYTHON
        return operated(parts, node.op)

    def _x_unaryop(self, node: ast.UnaryOp, env: Env) -> ValueKind:
        kind = self.ev(node.operand, env)
        return operated([kind]) if kind.flags else UNKNOWN

    def _x_boolop(self, node: ast.BoolOp, env: Env) -> ValueKind:
        return join([self.ev(value, env) for value in node.values])

    def _x_compare(self, node: ast.Compare, env: Env) -> ValueKind:
        parts = [self.ev(node.left, env), *(self.ev(c, env) for c in node.comparators)]
        if any(isinstance(op, _PLAIN_COMPARES) for op in node.ops):
            return PYTHON
        if any(isinstance(c, ast.Constant) and isinstance(c.value, str) for c in node.comparators):
            return PYTHON
        return operated(parts) if all(p.flags for p in parts) else UNKNOWN

    def _x_ifexp(self, node: ast.IfExp, env: Env) -> ValueKind:
        known = truth(node.test, self.absent(env))
        self.ev(node.test, env)
        if known is not None:
            return self.ev(node.body if known else node.orelse, env)
        return self.ev(node.body, env) | self.ev(node.orelse, env)

    def _x_list(self, node: ast.List, env: Env) -> ValueKind:
        return collected([self.ev(part, env) for part in node.elts], keep=False)

    def _x_tuple(self, node: ast.Tuple, env: Env) -> ValueKind:
        return collected([self.ev(part, env) for part in node.elts], keep=True)

    def _x_dict(self, node: ast.Dict, env: Env) -> ValueKind:
        for key in node.keys:
            if key is not None:
                self.ev(key, env)
        held = [self.ev(value, env) for value in node.values]
        return HOLDER if any(k.may_be_data for k in held) else PYTHON

    def _x_starred(self, node: ast.Starred, env: Env) -> ValueKind:
        return self.ev(node.value, env).element

    def _x_namedexpr(self, node: ast.NamedExpr, env: Env) -> ValueKind:
        kind = self.ev(node.value, env)
        self.bind(node.target, kind, env)
        return kind

    def _x_lambda(self, node: ast.Lambda, env: Env) -> ValueKind:
        inner = {**env, **{arg.arg: UNKNOWN for arg in node.args.args}}
        self.ev(node.body, inner)
        return PYTHON

    def _comprehended(self, node: ast.expr, env: Env, parts: list[ast.expr]) -> ValueKind:
        inner = dict(env)
        for generator in node.generators:  # type: ignore[attr-defined]
            self.bind(generator.target, self.ev(generator.iter, inner).element, inner)
            for test in generator.ifs:
                self.ev(test, inner)
        return collected([self.ev(part, inner) for part in parts], keep=False)

    def _x_listcomp(self, node: ast.ListComp, env: Env) -> ValueKind:
        return self._comprehended(node, env, [node.elt])

    _x_setcomp = _x_listcomp
    _x_generatorexp = _x_listcomp

    def _x_dictcomp(self, node: ast.DictComp, env: Env) -> ValueKind:
        return self._comprehended(node, env, [node.key, node.value])

    def _x_yield(self, node: ast.Yield, env: Env) -> ValueKind:
        if node.value is not None and self.ev(node.value, env).may_be_data and not self.depth:
            self.unit.result = self.unit.result | HOLDER
        return UNKNOWN

    def _x_call(self, node: ast.Call, env: Env) -> ValueKind:
        args = [self.ev(value, env) for value in node.args]
        keywords = {
            k.arg or SPREAD: self.ev(k.value, env)
            for k in node.keywords
            if k.arg or not self._empty(k.value)
        }
        func, given, values = node.func, (args, keywords), [*args, *keywords.values()]
        if isinstance(func, ast.Attribute):
            return self._method(func, given, env)
        if isinstance(func, ast.Name):
            found = self.world.named(self.unit, func.id, given)
            if found is None and func.id not in env:
                found = apis.builtin(func.id, args)
            if found is not None:
                return found
            return self.world.instance(self.unit, func, given) or (
                self._foreign(func.id, values) if func.id not in env else apis.guess(values)
            )
        self.ev(func, env)
        return self.world.instance(self.unit, func, given) or apis.guess(values)

    def _empty(self, value: ast.expr) -> bool:
        """Whether a value is the function's own `**rest`, which no caller puts anything into."""
        rest = self.unit.function.node.args.kwarg
        own = rest is not None and isinstance(value, ast.Name) and value.id == rest.arg
        return own and not self.unit.rest

    def _foreign(self, name: str, args: list[ValueKind]) -> ValueKind:
        return apis.foreign(self.world.index.canonical(self.module, name), args)

    def _method(self, func: ast.Attribute, given: Given, env: Env) -> ValueKind:
        args, keywords = given
        values = [*args, *keywords.values()]
        name = dotted(func)
        if name and name.split(".")[0] not in env and not name.startswith("self."):
            found = self.world.named(self.unit, name, given)
            if found is not None:
                return found
            if name.split(".")[0] in self.module.imports:
                return self._foreign(name, values)
        base = self.ev(func.value, env)
        found = self.world.method(self.unit, func, given, base)
        if found is not None:
            return found
        if func.attr in ("append", "extend", "insert", "update") and args:
            self.hold(func.value, args[-1], env)
        if base.has(Flag.LAYER) and not base.may_be_data:
            return BATCH if any(k.may_be_data for k in values) else UNKNOWN
        return apis.method(base, func.attr, args)


def handlers(owner: type, of: type[ast.AST], prefix: str) -> dict[type, Callable[..., Any]]:
    """The methods of a class by the class of node that they are named after."""
    known = ((cls, vars(owner).get(prefix + cls.__name__.lower())) for cls in of.__subclasses__())
    return {cls: method for cls, method in known if method is not None}


_HANDLERS = handlers(Expressions, ast.expr, "_x_")
