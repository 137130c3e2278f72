"""Walks the live statements of one function and finds the kind of every expression."""

from __future__ import annotations

import ast

from codemod.code.module import named_parameters
from codemod.code.traversal import next_level
from codemod.hazards.reach.expressions import Env, Expressions, handlers
from codemod.hazards.reach.live import truth
from codemod.hazards.reach.values import NONE, PYTHON, UNKNOWN, operated


class Evaluator(Expressions):
    """One pass over a function; `unit.kinds` and `unit.live` hold what it saw."""

    def run(self) -> None:
        """Evaluate the function's body with the kinds of its parameters as known so far."""
        env = dict(self.unit.params)
        self.block(self.unit.function.node.body, env)

    def block(self, body: list[ast.stmt], env: Env) -> bool:
        """Whether the block's end is reached."""
        return all(self.statement(node, env) for node in body)

    def statement(self, node: ast.stmt, env: Env) -> bool:
        """Whether the statement falls through."""
        self.unit.live[id(node)] = node
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            return bool(handler(self, node, env))
        for child in next_level([node]):
            if isinstance(child, ast.expr):
                self.ev(child, env)
        return not isinstance(node, (ast.Raise, ast.Continue, ast.Break))

    def _if(self, node: ast.If, env: Env) -> bool:
        known = truth(node.test, self.absent(env))
        self.ev(node.test, env)
        if known is not None:
            return self.block(node.body if known else node.orelse, env)
        first, second = dict(env), dict(env)
        falls = self.block(node.body, first), self.block(node.orelse, second)
        ways = [e for e, falls_through in zip((first, second), falls, strict=True) if falls_through]
        _merge(env, ways or [first, second])
        return bool(ways)

    def _for(self, node: ast.For, env: Env) -> bool:
        for _ in range(2):  # the second time with what the first left behind
            inner = dict(env)
            self.bind(node.target, self.ev(node.iter, env).element, inner)
            self.block(node.body, inner)
            _merge(env, [env, inner])
        self.block(node.orelse, env)
        return True

    def _while(self, node: ast.While, env: Env) -> bool:
        for _ in range(2):
            self.ev(node.test, env)
            inner = dict(env)
            self.block(node.body, inner)
            _merge(env, [env, inner])
        self.block(node.orelse, env)
        return True

    def _with(self, node: ast.With, env: Env) -> bool:
        for item in node.items:
            kind = self.ev(item.context_expr, env)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, kind, env)
        return self.block(node.body, env)

    def _try(self, node: ast.Try, env: Env) -> bool:
        ways = [dict(env)]
        falls = [self.block([*node.body, *node.orelse], ways[0])]
        for handler in node.handlers:
            ways.append({**env, **({handler.name: PYTHON} if handler.name else {})})
            falls.append(self.block(handler.body, ways[-1]))
        _merge(env, [w for w, f in zip(ways, falls, strict=True) if f] or ways)
        return self.block(node.finalbody, env) and any(falls)

    def _return(self, node: ast.Return, env: Env) -> bool:
        kind = self.ev(node.value, env) if node.value is not None else NONE
        if not self.depth:
            self.unit.result = self.unit.result | kind.carried
        return False

    def _functiondef(self, node: ast.FunctionDef, env: Env) -> bool:
        inner = env | {one.arg: UNKNOWN for one in named_parameters(node.args)}
        env[node.name] = PYTHON
        self.depth += 1
        self.block(node.body, inner)
        self.depth -= 1
        return True

    def _classdef(self, node: ast.ClassDef, env: Env) -> bool:
        return True

    def _assign(self, node: ast.Assign, env: Env) -> bool:
        kind = self.ev(node.value, env)
        for target in node.targets:
            self.bind(target, kind, env)
        return True

    def _annassign(self, node: ast.AnnAssign, env: Env) -> bool:
        if node.value is not None:
            self.bind(node.target, self.ev(node.value, env), env)
        return True

    def _augassign(self, node: ast.AugAssign, env: Env) -> bool:
        kind = operated([self.ev(node.target, env), self.ev(node.value, env)], node.op)
        self.bind(node.target, kind, env)
        return True


_HANDLERS = handlers(Evaluator, ast.stmt, "_")


def _merge(env: Env, ways: list[Env]) -> None:
    """What holds after several ways have met."""
    merged = dict(ways[0])
    for way in ways[1:]:
        for name, kind in way.items():
            known = merged.get(name, kind)
            merged[name] = kind if known is kind else known | kind
    env.update(merged)
