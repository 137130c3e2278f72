"""State that outlives a call: on the layer, in its buffers and weights, in globals."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import dotted
from codemod.code.traversal import walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import assigned, is_self_attribute, over_parameters, reads_itself
from codemod.hazards.reach.reached import Reached


@finds("D-25")
def self_counter(reached: Reached) -> Iterator[Match]:
    """Python state on the layer is counted up in forward.

    `self.n += 1` and `self.n = self.n ...` where the attribute is a Python value.
    """
    sums = ((node, node.target) for node in reached.each(ast.AugAssign))
    alone = ((n, t) for n, t in assigned(reached) if len(n.targets) == 1 and is_self_attribute(t))
    renewed = ((node, target) for node, target in alone if reads_itself(target, node.value))
    for node, target in (*sums, *renewed):
        plain = is_self_attribute(target) and reached.kind(target).is_python
        if plain and reached.owner is not None:
            yield node, Reason.of("hazards.counted", name=ast.unparse(target))


@finds("D-28")
def global_state(reached: Reached) -> Iterator[Match]:
    """A global is counted up, or given a tensor, in the forward pass.

    `global n` in a reached function with `n += 1`, `n = n ...` or `n = tensor`. One that is read,
    or given the same in each call, does no harm.
    """
    changed: list[ast.expr] = [node.target for node in reached.each(ast.AugAssign)]
    changed += [
        target
        for node, target in assigned(reached)
        if reads_itself(target, node.value) or reached.kind(node.value).is_data
    ]
    written = {target.id for target in changed if isinstance(target, ast.Name)}
    for node in reached.each(ast.Global):
        if names := tuple(name for name in node.names if name in written):
            yield node, Reason.of("hazards.writes-global", names=names)


_MOST_FILES = 12  # a name in more files says nothing of this attribute


@finds("D-29")
def feature_cache(reached: Reached) -> Iterator[Match]:
    """A tensor is kept on the layer for others to read after forward.

    `self.feat = tensor` where no method of the class reads `self.feat`, and other code does.
    """
    for node, target in assigned(reached):
        if not is_self_attribute(target) or not reached.kind(target).is_data:
            continue
        if not _reads(reached, target.attr) and _read_after(reached, target.attr):
            yield node, Reason.of("hazards.kept-for-others", name=ast.unparse(target))


@finds("D-92")
def kept_tensor(reached: Reached) -> Iterator[Match]:
    """A tensor that forward makes is kept on the layer for later calls.

    `self.index = tensor` within an `if` that asks for `self.index`, also by `hasattr` or `getattr`:
    the next program is traced with a variable of the first (kept_tensor.py).
    """
    for node, target in assigned(reached):
        if not is_self_attribute(target) or not reached.kind(node.value).is_tensor:
            continue
        tests = (above.test for above in reached.above(node) if isinstance(above, ast.If))
        if any(_asks(test, target.attr) for test in tests):
            yield node, Reason.of("hazards.kept-for-later", name=ast.unparse(target))


def _asks(test: ast.expr, name: str) -> bool:
    """Whether a condition reads the layer's attribute, or asks for it by its name."""
    return any(
        (is_self_attribute(node) and node.attr == name)
        or (
            isinstance(node, ast.Call)
            and dotted(node.func) in ("hasattr", "getattr")
            and isinstance(node.args[1], ast.Constant)
            and node.args[1].value == name
        )
        for node in walk(test)
    )


def _reads(reached: Reached, name: str) -> bool:
    """Whether a method of the class, or of its bases, reads the attribute."""
    return reached.owner is not None and any(
        isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
        for method in reached.index.all_methods(reached.owner)
        for node in walk(method.node)
    )


def _read_after(reached: Reached, name: str) -> bool:
    """Whether a function that no forward reaches, and is none, reads an attribute of that name.

    A forward that reads it does so within its own net's, whether or not that net is looked at.
    """
    project = reached.index.project
    package = reached.function.module.path.split("/")[0]
    paths = [
        p for p in project.mentioning(f".{name}") if p.startswith(f"{package}/") or "/" not in p
    ]
    for path in paths if len(paths) <= _MOST_FILES else ():
        module = project.module(path)
        for scope in module.scopes[1:] if module is not None else ():
            is_forward = scope.name.rpartition(".")[2] == "forward"
            if is_forward or not scope.mentions(f".{name}"):
                continue
            if not reached.world.reaches(scope.node) and any(  # type: ignore[arg-type]
                isinstance(node, ast.Attribute)
                and node.attr == name
                and dotted(node.value) != "self"
                for node in scope.nodes
            ):
                return True
    return False


@finds("D-30")
def buffer_set_value(reached: Reached) -> Iterator[Match]:
    """A buffer is written with `set_value` in forward.

    `self.buf.set_value(...)` and `paddle.assign(x, self.buf)`.
    """
    for call, base, _ in reached.methods("set_value", "copy_"):
        if is_self_attribute(base) and not reached.kind(base).is_python:
            yield call, Reason.of("hazards.written-in-place", name=ast.unparse(base))
    for call, name in reached.calls:
        if name == "paddle.assign" and len(call.args) == 2 and is_self_attribute(call.args[1]):
            yield call, Reason.of("hazards.written-in-place", name=ast.unparse(call.args[1]))


@finds("D-31")
def ema_in_forward(reached: Reached) -> Iterator[Match]:
    """Parameters of a teacher are updated in forward.

    `.set_value` (or `.copy_`) of parameters met in a loop over them.
    """
    for call, base, _ in reached.methods("set_value", "copy_"):
        if isinstance(base, ast.Name) and any(over_parameters(n) for n in reached.above(call)):
            yield call, Reason.of("hazards.updated-in-forward", name=base.id)


@finds("D-37")
def assign_weight(reached: Reached) -> Iterator[Match]:
    """A layer's weight is replaced by a computed tensor in forward.

    `self.layer.weight = tensor`, also by `setattr`.
    """
    for node, target in assigned(reached):
        weight = isinstance(target, ast.Attribute) and target.attr in ("weight", "bias")
        own = (dotted(target) or "").count(".") == 1
        # A layer's other weight is no tensor that was computed.
        computed = reached.kind(node.value).is_data or isinstance(node.value, (ast.Call, ast.BinOp))
        if weight and not own and computed:
            yield node, Reason.of("hazards.replaced", name=ast.unparse(target))
    for call, name in reached.calls:
        if name == "setattr" and len(call.args) == 3 and reached.kind(call.args[2]).is_tensor:
            yield call, Reason.of("hazards.setattr", call=ast.unparse(call))


@finds("D-70")
def private_name(reached: Reached) -> Iterator[Match]:
    """A name-mangled attribute is read in the forward pass.

    `self.__name` (two underscores in front, none behind).
    """
    for node in reached.each(ast.Attribute):
        name = node.attr if is_self_attribute(node) else ""
        if name.startswith("__") and not name.endswith("__"):
            yield node, Reason.of("hazards.mangled", name=f"self.{name}")
