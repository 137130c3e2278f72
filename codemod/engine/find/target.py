"""What is to be hooked: a model in a scope, and how to tell that a name is not one."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from codemod.base.reason import Reason
from codemod.code.calls import Called
from codemod.code.happenings import every_site
from codemod.code.module import Module, Scope, dotted
from codemod.code.project import ClassInModule, Project
from codemod.code.sites import Kind, group

# Losses, and models that are not trained: teachers, averages and copies for the loss.
NOT_MODELS = re.compile(
    r"loss|criteri|metric|optim|teacher|(^|[._])ema($|[._])|_ema($|_)", re.IGNORECASE
)
NOT_TRAINING = re.compile(
    r"(^|[_.])(eval|evaluate|test|infer|inference|predict|export|validate|val|slim|demo)($|[_.])",
    re.IGNORECASE,
)

# What is done to a built model before it trains.
HANDLES = frozenset({Kind.WRAP, Kind.CONVERT, Kind.COPY, Kind.CHANGE, Kind.PEEK})


@dataclass(frozen=True)
class Target:
    """A model to be hooked in a scope; `name` is what it is called there.

    It is `settled` where the scope is the method of a class in which the hook comes at its time,
    which need not be the one that builds the model; `heirs` are the classes whose objects train
    then, where methods of several classes have to do with the model. `doubt` says why it must be
    left alone, where it must.
    """

    module: Module
    scope: Scope
    name: str
    doubt: Reason | None = None
    settled: bool = False
    heirs: tuple[ClassInModule, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """All names of the model in the scope."""
        return group(self.scope, self.name)


def handled(
    project: Project, module: Module, scope: Scope, name: str, kinds: frozenset[Kind] = HANDLES
) -> str | None:
    """The first line, as FILE:LINE, of what a scope does of these kinds to a model."""
    sites = every_site(project, Called(module, scope), group(scope, name))
    lines = (site.line for site in sites if site.kind in kinds and site.statement)
    return next((f"{module.path}:{line}" for line in lines), None)


def loops_around(scope: Scope, call: ast.Call) -> tuple[ast.For | ast.While, ...]:
    """The loops of a scope that a call stands in, the outermost first."""
    nodes = (statement.node for statement in scope.statements)
    loops = (node for node in nodes if isinstance(node, (ast.For, ast.While)))
    return tuple(one for one in loops if one.lineno < call.lineno <= (one.end_lineno or 0))


def is_fluid(scope: Scope) -> bool:
    """Whether the scope trains with `paddle.fluid`, which had no `paddle.jit.to_static`.

    `paddle.fluid.dygraph.no_grad()` alone says nothing: Paddle 2.0 trainers evaluate with it.
    """
    if not scope.mentions("fluid"):
        return False
    nodes = [node for node in scope.nodes if isinstance(node, ast.Attribute)]
    spared = {id(node.value) for node in nodes if node.attr == "no_grad"}
    return any(
        node.attr in ("dygraph", "optimizer")
        and id(node) not in spared
        and dotted(node.value) in ("fluid", "paddle.fluid")
        for node in nodes
    )
