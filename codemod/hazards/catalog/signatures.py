"""How a forward is declared: its arguments, decorators, `super`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.hazards.finders import Match, finds
from codemod.hazards.reach.reached import Reached


@finds("D-45")
def varkwargs(reached: Reached) -> Iterator[Match]:
    """The model's forward takes `**kwargs`.

    `forward(self, x, **kw)` of a layer that a hook makes static, where it reads `kw["mask"]`.

    One that only hands them on (`self.train_forward(x, **kw)`) is seldom given any.
    """
    arg = reached.function.node.args.kwarg
    if arg is not None and reached.is_hooked:
        reads = (n.value for n in reached.each(ast.Subscript))
        if any(isinstance(value, ast.Name) and value.id == arg.arg for value in reads):
            yield reached.function.node, Reason.of("hazards.takes-options", name=arg.arg)


@finds("D-46")
def varargs(reached: Reached) -> Iterator[Match]:
    """The model's forward takes its arguments as `*args`.

    `forward(self, *xs)` of a layer that a hook makes static.

    Beside named arguments (`x, *rest`) it fails only where a call hands over more than those,
    which a trainer that knows nothing but the batch does not.
    """
    given = reached.function.node.args
    arg, named = given.vararg, [*given.posonlyargs, *given.args][1:]
    if arg is not None and not named and reached.is_hooked:
        yield reached.function.node, Reason.of("hazards.takes-rest", name=arg.arg)


@finds("D-48")
def non_self(reached: Reached) -> Iterator[Match]:
    """The first parameter of forward is not called self.

    The first parameter of the model's `forward`.
    """
    names = reached.function.parameters
    if reached.is_hooked and names and names[0] != "self":
        yield reached.function.node, Reason.of("hazards.first-parameter", name=names[0])


@finds("D-49")
def decorated_forward(reached: Reached) -> Iterator[Match]:
    """The model's forward is decorated.

    Any decorator on the `forward` of a layer that a hook makes static.
    """
    marks = reached.function.node.decorator_list
    if reached.is_hooked:
        for mark in marks:
            if "to_static" not in ast.unparse(mark):
                yield reached.function.node, Reason.of("hazards.decorated", name=ast.unparse(mark))


@finds("D-50")
def super_forward(reached: Reached) -> Iterator[Match]:
    """`super().forward(x)` without arguments of super.

    Zero-argument `super()` in a reached function.
    """
    for call, name in reached.calls:
        if name == "super" and not call.args and reached.function.node.name != "__init__":
            yield call, Reason.of("hazards.bare-super")
