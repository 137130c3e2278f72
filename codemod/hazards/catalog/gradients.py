"""Gradients: hooks on tensors, PyLayers, recomputation, sparse ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from codemod.base.reason import Reason
from codemod.code.module import by_name, dotted, handed, named_parameters
from codemod.code.traversal import below, walk
from codemod.hazards.finders import Match, finds
from codemod.hazards.patterns import assigned, binds, bound_before, built, own_constructor, pylayers
from codemod.hazards.reach.apis import NAMES
from codemod.hazards.reach.index import AnyFunction
from codemod.hazards.reach.live import returns
from codemod.hazards.reach.reached import Reached


@finds("D-54")
def pylayer(reached: Reached) -> Iterator[Match]:
    """A PyLayer is applied.

    `X.apply(...)` of a PyLayer of the kit.
    """
    for call, owner in pylayers(reached):
        yield call, Reason.of("hazards.pylayer", name=owner.name)


@finds("D-55")
def pylayer_ctx(reached: Reached) -> Iterator[Match]:
    """A PyLayer keeps tensors as attributes of its context.

    `ctx.name = x` in the forward of a PyLayer that is applied to a tensor `x`; also of what is
    computed of it. Numbers, types and groups are kept as they are.
    """
    for call, owner in pylayers(reached):
        body = owner.methods.get("forward")
        if body is not None and _keeps_tensor(reached, call, body):
            yield call, Reason.of("hazards.kept-on-context", name=owner.name)


def _keeps_tensor(reached: Reached, call: ast.Call, body: AnyFunction) -> bool:
    """Whether a forward stores a tensor of this call, or what it makes of one, on its context."""
    context, *names = [parameter.arg for parameter in named_parameters(body.args)] or [""]
    given = [*zip(names, call.args, strict=False), *((k.arg, k.value) for k in call.keywords)]
    tensors = {name for name, value in given if reached.kind(value).is_data}
    for node in walk(body):
        if not isinstance(node, ast.Assign) or not _is_of(node.value, tensors):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name):
                tensors.add(target.id)
            elif isinstance(target, ast.Attribute) and dotted(target.value) == context:
                return True
    return False


def _is_of(value: ast.expr, tensors: Collection[str | None]) -> bool:
    """Whether a value is one of the tensors, or the result of an operation on one."""
    match value:
        case ast.Name(id=name):
            return name in tensors
        case ast.Call(func=func):
            method = isinstance(func, ast.Attribute) and _is_of(func.value, tensors)
            return method or any(_is_of(one, tensors) for one in handed(value))
        case ast.BinOp(left=left, right=right):
            return _is_of(left, tensors) or _is_of(right, tensors)
    return False


@finds("D-98")
def pylayer_gradients(reached: Reached) -> Iterator[Match]:
    """A PyLayer returns fewer gradients than it is given tensors.

    `X.apply(x, self.weight)` where the `backward` of X returns one value. Dynamic mode takes those
    of the tensors that are trained, AST wants one, or None, for each.
    """
    for call, owner in pylayers(reached):
        body = owner.methods.get("backward")
        counts = filter(None, map(_counted, returns(body.body) if body else ()))
        gradients = min(counts, default=0)
        tensors = sum(reached.kind(value).is_data for value in handed(call))
        if 0 < gradients < tensors:
            few = Reason.of(
                "hazards.few-gradients", name=owner.name, gradients=gradients, tensors=tensors
            )
            yield call, few


def _counted(value: ast.expr) -> int:
    """How many values a `return` gives back; 0 where it does not show."""
    if isinstance(value, ast.Tuple):
        return 0 if any(isinstance(e, ast.Starred) for e in value.elts) else len(value.elts)
    return 0 if isinstance(value, ast.Call) else 1


@finds("D-67")
def paddle_grad(reached: Reached) -> Iterator[Match]:
    """`paddle.grad` in the forward pass, whose result may not be differentiated again.

    Calls of `paddle.grad` that do not set `create_graph=True`.
    """
    for call in _gradients(reached):
        if not _differentiable(call):
            yield call, Reason.of("hazards.paddle-grad")


@finds("D-96")
def grad_graph(reached: Reached) -> Iterator[Match]:
    """`paddle.grad` in the forward pass, whose result is differentiated again in every mode.

    Calls of `paddle.grad` with `create_graph=True`.
    """
    for call in _gradients(reached):
        if _differentiable(call):
            yield call, Reason.of("hazards.paddle-grad-graph")


def _gradients(reached: Reached) -> Iterator[ast.Call]:
    for call, name in reached.calls:
        if name in ("paddle.grad", "paddle.autograd.grad"):
            yield call


def _differentiable(call: ast.Call) -> bool:
    """Whether a call of `paddle.grad` sets `create_graph`, its fifth argument, to True."""
    named = by_name(call, "create_graph")
    value = named or (call.args[4] if len(call.args) > 4 else None)
    return isinstance(value, ast.Constant) and value.value is True


_MOVED = frozenset(("transpose", "reshape", "cast", "astype", "unsqueeze", "squeeze"))


@finds("D-69")
def stop_gradient_write(reached: Reached) -> Iterator[Match]:
    """`stop_gradient` is set on an intermediate tensor.

    `t.stop_gradient = True` of a local tensor.
    """
    for node, target in assigned(reached):
        match target, node.value:
            case ast.Attribute(attr="stop_gradient", value=ast.Name(id=name)), ast.Constant(
                value=True
            ):
                if _computed(reached, node, name):
                    yield node, Reason.of("hazards.sets-true", name=ast.unparse(target))


def _computed(reached: Reached, node: ast.Assign, name: str) -> bool:
    """Whether the tensor came out of a computation: an input or a constant has no gradient."""
    values = bound_before(reached, name, node)
    if not values:
        return False
    match values[-1]:
        case ast.Call(func=ast.Attribute(attr=made, value=owner), args=args) if made in _MOVED:
            inputs = reached.function.parameters
            moved = (*args[:1], owner)
            return not any(isinstance(part, ast.Name) and part.id in inputs for part in moved)
        case ast.Call(func=ast.Attribute(attr=made)):
            return made not in NAMES["fresh"]
    return True


@finds("D-71")
def sparse_embedding(reached: Reached) -> Iterator[Match]:
    """An embedding with sparse gradients.

    `nn.Embedding(..., sparse=True)` in the constructor, and `F.embedding` in forward.
    """
    table = "paddle.nn.functional.embedding"
    made = ((own_constructor(reached), call) for call in built(reached, "paddle.nn.Embedding"))
    used = ((reached.function.node, call) for call, name in reached.calls if name == table)
    for function, call in (*made, *used):
        if _is_sparse(reached, function, call):
            yield call, Reason.of("hazards.sparse-gradient")


def _is_sparse(reached: Reached, function: AnyFunction | None, call: ast.Call) -> bool:
    """`sparse=True`, also by a name that is set to True in the function or beside its file."""
    value = by_name(call, "sparse")
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    if name and function is not None:
        value = _set_to(function, name)
        if value is None or isinstance(value, ast.Name):
            return _said_true(reached, name)
    return isinstance(value, ast.Constant) and value.value is True


def _set_to(tree: ast.AST, name: str) -> ast.expr | None:
    """The first value that a name is assigned below a node."""
    return next((node.value for node in below(tree) if binds(node, name)), None)


def _said_true(reached: Reached, name: str) -> bool:
    """Whether the folder's code or configs say `name = True`, `name: true` or `"name", True`."""
    folder = reached.function.module.path.rpartition("/")[0]
    said = re.compile(rb"%s[\"']?\s*[=:,]\s*[Tt]rue" % name.encode())
    return any(
        said.search(reached.index.tree.read(path))
        for path in reached.index.tree.paths((".py", ".yaml", ".yml"))
        if path.rpartition("/")[0] == folder
    )
