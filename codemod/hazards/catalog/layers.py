"""Sub-layers and their hooks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import Module, dotted
from codemod.code.traversal import walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import constructor_calls
from codemod.hazards.reach.apis import NAMES
from codemod.hazards.reach.index import Class, Index
from codemod.hazards.reach.reached import Reached


@finds("D-51")
def layer_hook(reached: Reached) -> Iterator[Match]:
    """A sub-layer has a forward hook.

    `register_forward_pre_hook` and `register_forward_post_hook` in the constructor.
    """
    for call, _ in constructor_calls(reached):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name.startswith("register_forward_"):
            yield call, Reason.of("hazards.calls", name=name)


@finds("D-52")
def hook_capture(reached: Reached) -> Iterator[Match]:
    """A forward hook keeps features in a container.

    Hooks registered in the constructor that append or store what they see.
    """
    for call, _ in constructor_calls(reached):
        registers = ".register_forward_" in (dotted(call.func) or "")
        hooks = call.args[:1] if registers else []
        if any(_keeps(body) for hook in hooks for body in _hooked(reached, hook)):
            yield call, Reason.of("hazards.hook-keeps")


def _hooked(reached: Reached, hook: ast.expr) -> Iterator[ast.AST]:
    """The functions that a hook may be: a lambda, a method, a function in the file."""
    if isinstance(hook, ast.Lambda):
        yield hook
    wanted = (dotted(hook.func if isinstance(hook, ast.Call) else hook) or "").rpartition(".")[2]
    for node in walk(reached.function.module.tree):
        if isinstance(node, ast.FunctionDef) and node.name == wanted:
            yield node


def _keeps(body: ast.AST) -> bool:
    """Whether a function appends to something, or stores into an attribute or an entry."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr == "append")
        or (isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store))
        for node in walk(body)
    )


@finds("D-58")
def create_in_forward(reached: Reached) -> Iterator[Match]:
    """A layer with weights, or a parameter, is created in forward.

    Constructors of weighted layers, and `create_parameter`, in a reached function.
    """
    for call, name in reached.calls:
        created = _created(reached.index, reached.function.module, call, name, 4)
        if created is not None:
            yield call, created


def _created(index: Index, module: Module, call: ast.Call, name: str, depth: int) -> Reason | None:
    """What a call creates that owns parameters, its parts' included; None for anything else."""
    last = name.rpartition(".")[2]
    if last == "create_parameter":
        return Reason.of("hazards.parameter-created")
    if name.startswith("paddle.nn.") and last in NAMES["weighted"]:
        return Reason.of("hazards.created", name=name)
    found = index.resolve(module, dotted(call.func) or "")
    if not depth or not isinstance(found, Class) or not index.is_layer(found):
        return None
    maker = index.method(found, "__init__")
    if maker is None:
        return None
    calls = index.calls(maker.module, maker.node)
    owns = any(_created(index, maker.module, *one, depth - 1) for one in calls)
    return Reason.of("hazards.created", name=found.name) if owns else None
