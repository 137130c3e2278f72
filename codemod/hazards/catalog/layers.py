"""Sub-layers and their hooks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.module import dotted
from codemod.code.traversal import walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import built, constructor_calls
from codemod.hazards.reach.apis import NAMES
from codemod.hazards.reach.index import Class
from codemod.hazards.reach.reached import Reached

_HOOKS = tuple(
    f"{place}.{name}"
    for place in ("paddle.nn.utils", "paddle.nn.utils.spectral_norm_hook")
    for name in ("spectral_norm", "weight_norm")
)


@finds("D-36")
def weight_hook(reached: Reached) -> Iterator[Match]:
    """`spectral_norm` or `weight_norm` hooks a layer.

    Calls of `paddle.nn.utils.spectral_norm` and `weight_norm` in the layer's constructor.
    """
    for call in built(reached, *_HOOKS):
        yield call, f"{ast.unparse(call.func)}() hooks a layer of this class"


@finds("D-51")
def layer_hook(reached: Reached) -> Iterator[Match]:
    """A sub-layer has a forward hook.

    `register_forward_pre_hook` and `register_forward_post_hook` in the constructor.
    """
    for call, _ in constructor_calls(reached):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name.startswith("register_forward_"):
            yield call, f"{name}()"


@finds("D-52")
def hook_capture(reached: Reached) -> Iterator[Match]:
    """A forward hook keeps features in a container.

    Hooks registered in the constructor that append or store what they see.
    """
    for call, _ in constructor_calls(reached):
        registers = ".register_forward_" in (dotted(call.func) or "")
        hooks = call.args[:1] if registers else []
        if any(_keeps(body) for hook in hooks for body in _hooked(reached, hook)):
            yield call, "the hook keeps what it sees"


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
    module = reached.function.module
    for call, name in reached.calls:
        if name.rpartition(".")[2] == "create_parameter":
            yield call, "a parameter is created in the forward pass"
        elif name.startswith("paddle.nn.") and name.rpartition(".")[2] in NAMES["weighted"]:
            yield call, f"{name} is created in the forward pass"
        else:
            found = reached.index.resolve(module, dotted(call.func) or "")
            if isinstance(found, Class) and _has_weights(reached, found, 4):
                yield call, f"{found.name} is created in the forward pass"


def _has_weights(reached: Reached, owner: Class, depth: int) -> bool:
    """Whether instances of a class own parameters, their parts' included."""
    index = reached.index
    maker = index.method(owner, "__init__")
    if maker is None or not depth or not index.is_layer(owner):
        return False
    for node in walk(maker.node):
        if isinstance(node, ast.Call):
            name = index.canonical(maker.module, dotted(node.func) or "")
            last = name.rpartition(".")[2]
            if last == "create_parameter" or (
                name.startswith("paddle.nn.") and last in NAMES["weighted"]
            ):
                return True
            part = index.resolve(maker.module, dotted(node.func) or "")
            if isinstance(part, Class) and _has_weights(reached, part, depth - 1):
                return True
    return False


_RECURRENT = tuple(f"paddle.nn.{name}" for name in ("LSTM", "GRU", "SimpleRNN"))


@finds("D-76")
def rnn_layer(reached: Reached) -> Iterator[Match]:
    """One of Paddle's recurrent layers is called.

    Calls of an attribute that a constructor fills with `nn.LSTM`, `GRU` or `SimpleRNN`.
    """
    for call in built(reached, *_RECURRENT):
        yield call, f"{ast.unparse(call.func)} asks for the build of Paddle within its forward"
