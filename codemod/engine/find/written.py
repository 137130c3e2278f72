"""Parameters and buffers that a forward writes: in static mode they stand still.

A teacher that `forward` moves by `scale_` and `add_`, or by `set_value`, moves in dynamic training
alone (`D-90`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.module import Module, Scope, callee, dotted
from codemod.code.traversal import walk

_WRITES = frozenset(
    {"scale_", "add_", "subtract_", "multiply_", "lerp_", "copy_", "set_value", "set_state_dict"}
)
_WEIGHTS = frozenset({"parameters", "named_parameters", "buffers", "named_buffers"})
_LEVELS = 3


def written_by_forward(module: Module, class_: ast.ClassDef) -> int | None:
    """The line in `forward`, or in a method that it calls, that writes weights; None without."""
    methods = {method.function: method for method in module.methods(class_)}
    waiting = [methods["forward"]] if "forward" in methods else []
    for _ in range(_LEVELS):
        for method in waiting:
            if line := next(_written(method), None):
                return line
        called = {name[5:] for method in waiting for name in method.called if name[:5] == "self."}
        waiting = [methods[name] for name in sorted(called) if name in methods]
    return None


def _written(scope: Scope) -> Iterator[int]:
    weights = _weights(scope)
    for call in scope.calls:
        func = call.func
        written: ast.expr | None = None
        if isinstance(func, ast.Attribute) and func.attr in _WRITES:
            written = func.value
        elif dotted(func) == "paddle.assign":
            given = [word.value for word in call.keywords if word.arg == "output"]
            written = next(iter((*given, *call.args[1:2])), None)
        name = dotted(written) or ""
        if name.split(".")[0] in weights or name.startswith("self."):
            yield call.lineno


def _weights(scope: Scope) -> frozenset[str]:
    """What loops over weights call them."""
    return frozenset(
        part.id
        for node in scope.nodes
        if isinstance(node, (ast.For, ast.comprehension))
        and any(isinstance(one, ast.Call) and callee(one) in _WEIGHTS for one in walk(node.iter))
        for part in walk(node.target)
        if isinstance(part, ast.Name)
    )
