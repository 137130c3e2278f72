"""How a forward is declared, and how it calls the class above its own."""

from __future__ import annotations

import ast
import textwrap

from codemod.audit.fixes.remedy import mends, reread
from codemod.base.reason import Reason, Refusal
from codemod.code.module import dotted
from codemod.engine.rewrite.ops import Action, Insert
from codemod.hazards.reach.index import Class, Function
from codemod.hazards.reach.reached import Reached


@mends("D-50")
def named_super(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`super()` becomes `super(Class, self)`, which needs no class around the function."""
    owner, parameters = reached.function.owner, reached.function.parameters
    if owner is None or owner.node not in owner.module.tree.body:
        return Refusal(Reason.of("audit.no-class-name"))
    if not parameters:
        return Refusal(Reason.of("audit.no-layer-parameter"))
    return reread(reached, node, f"super({owner.name}, {parameters[0]})")


# What the first forward is called beside the one with names.
_UNNAMED = "forward_unnamed"
_WIDTH = 60


@mends("D-46")
def named_arguments(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """A forward with names stands behind `forward(self, *args, **kwargs)` and calls that one.

    The names are those that the first forward takes out of `kwargs`, and those of the forward
    above, which it calls with the rest.
    """
    function, given = reached.function, reached.function.node.args
    if node is not function.node or given.vararg is None or given.kwarg is None:
        return Refusal(Reason.of("audit.not-both-spreads"))
    call = _handing_on(reached, given.vararg.arg, given.kwarg.arg)
    above = _above(reached, call) if call is not None else None
    popped = _popped(reached, given.kwarg.arg)
    if above is None or popped is None or function.parameters != ("self",):
        return Refusal(Reason.of("audit.names-unseen"))
    if above.node.args.vararg or above.node.args.kwarg or above.node.args.kwonlyargs:
        return Refusal(Reason.of("audit.forward-unnamed"))
    if not all(_is_literal(value) for value in above.defaults.values()):
        return Refusal(Reason.of("audit.default-not-literal"))
    names = above.parameters[1:]
    options = {name: f"={ast.unparse(value)}" for name, value in above.defaults.items()} | popped
    taken = [f"{name}{options.get(name, '')}" for name in (*names, *popped)]
    handed = [*names, *(f"{name}={name}" for name in popped)]
    path = next(s.path for s in function.module.scopes if s.node is node)
    code = (
        f"\n{_UNNAMED} = forward\n\n"
        f"def forward({_listed(['self', *taken], 0)}):\n"
        f"    return self.{_UNNAMED}({_listed(handed, 1)})\n"
    )
    return (Insert.beside(path, code, behind=True),)


def _is_literal(value: ast.expr) -> bool:
    """Whether it means the same in every module."""
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True


def _listed(names: list[str], level: int) -> str:
    """Names between brackets, on lines of their own where one line is too short."""
    line = ", ".join(names)
    if len(line) <= _WIDTH:
        return line
    inner, outer = "    " * (level + 1), "    " * level
    lines = textwrap.wrap(line, _WIDTH, break_long_words=False)
    return "\n" + "".join(f"{inner}{part}\n" for part in lines) + outer


def _handing_on(reached: Reached, rest: str, options: str) -> ast.Call | None:
    """The call of a forward that is handed `*rest` and `**options`, if nothing else reads rest."""
    reads = [n for n in reached.nodes if isinstance(n, ast.Name) and n.id == rest]
    for call, _ in reached.calls:
        starred = [part.value for part in call.args if isinstance(part, ast.Starred)]
        spread = [k.value for k in call.keywords if k.arg is None]
        forward = isinstance(call.func, ast.Attribute) and call.func.attr == "forward"
        alone = len(call.keywords) == 1 and [ast.unparse(part) for part in spread] == [options]
        if forward and alone and starred == reads:
            return call
    return None


def _above(reached: Reached, call: ast.Call) -> Function | None:
    """The forward that `Base.forward(self, ...)` or `super().forward(...)` calls."""
    assert isinstance(call.func, ast.Attribute)
    plain = call.args[:-1]
    if isinstance(call.func.value, ast.Call):
        owner = reached.function.owner
        if ast.unparse(call.func.value.func) != "super" or plain or owner is None:
            return None
        return reached.index.method(owner, "forward", after=owner)
    found = reached.index.resolve(reached.function.module, dotted(call.func.value) or "")
    if not isinstance(found, Class) or [ast.unparse(part) for part in plain] != ["self"]:
        return None
    return reached.index.method(found, "forward")


def _popped(reached: Reached, options: str) -> dict[str, str] | None:
    """The names with their defaults that `options.pop("name", default)` takes; None if unclear."""
    found, spread = {}, 0
    for call, _ in reached.calls:
        spread += sum(k.arg is None and ast.unparse(k.value) == options for k in call.keywords)
        if ast.unparse(call.func) == f"{options}.pop":
            parts = [part.value for part in call.args if isinstance(part, ast.Constant)]
            if len(parts) != 2 or not isinstance(parts[0], str) or call.keywords:
                return None
            found[parts[0]] = f"={parts[1]!r}"
    reads = sum(isinstance(n, ast.Name) and n.id == options for n in reached.nodes)
    return found if reads == len(found) + spread and spread == 1 else None
