"""Methods that a decorator makes static for an export, and that training runs as well."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator

from codemod.audit.findings import Finding, Level
from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, dotted
from codemod.code.project import Project

# Read before parsing: most files that name `to_static` decorate nothing.
_DECORATES = re.compile(rb"^[ \t]*@(?:[\w.]*\.)?to_static\b", re.MULTILINE)


def decorated(project: Project) -> Iterator[Finding]:
    """Decorated methods that the `forward` of a net comes to, where that net is trained."""
    for path in project.mentioning("to_static"):
        module = project.module(path) if _DECORATES.search(project.tree.read(path)) else None
        for scope in module.scopes if module else ():
            if module and scope.owner and _is_decorated(scope.node):
                nets = [(module, scope.owner), *_heirs(project, module, scope.owner)]
                net = next((net for net in nets if _runs(project, *net, scope)), None)
                if net is not None:
                    yield _finding(module, scope, net[1].name)


def _is_decorated(node: ast.AST) -> bool:
    marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    names = (dotted(mark.func if isinstance(mark, ast.Call) else mark) or "" for mark in marks)
    return any(name.rpartition(".")[2] == "to_static" for name in names)


def _heirs(
    project: Project, module: Module, owner: ast.ClassDef
) -> Iterator[tuple[Module, ast.ClassDef]]:
    """The classes that inherit from one directly."""
    for path in project.mentioning(owner.name):
        other = project.module(path)
        for node in other.classes.values() if other else ():
            bases = (dotted(base) for base in node.bases)
            named = (b for b in bases if b and b.rpartition(".")[2] == owner.name)
            if other and any(project.definition(other, base) == (module, owner) for base in named):
                yield other, node


def _runs(project: Project, module: Module, net: ast.ClassDef, method: Scope) -> bool:
    """Whether the net's `forward` comes to the method, and a file beside the net trains."""
    folder = posixpath.dirname(module.path)
    beside = (posixpath.dirname(path) for path in project.mentioning(".backward("))
    if folder not in beside:
        return False
    methods = {scope.function: scope for scope in module.methods(net)}
    waiting, seen = ["forward"], set[str]()
    while waiting:
        name = waiting.pop()
        if name == method.function and methods.get(name, method) is method:
            return True
        if name not in seen and name in methods:
            waiting += [own[5:] for own in methods[name].called if own.startswith("self.")]
        seen.add(name)
    return False


def _finding(module: Module, scope: Scope, net: str) -> Finding:
    return Finding(
        "hook-without-gate",
        Level.WARNING,
        module.path,
        getattr(scope.node, "lineno", None),
        Reason.of("findings.decorated", scope=scope.name, net=net),
        (Reason.of("findings.take-decorator-off"),),
    )
