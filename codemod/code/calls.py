"""Which functions of the repository a call may run, and under which names they get a model."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from codemod.code.module import Module, Scope, dotted
from codemod.code.sites import assigned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.code.project import Project

_LEVELS = 4


class Called(NamedTuple):
    """A function of the repository, in its module."""

    module: Module
    scope: Scope


def meant(
    project: Project, caller: Called, call: ast.Call, *, guess: bool = False
) -> Iterator[Called]:
    """The functions that a call may run; with `guess` all methods of that name where unsure."""
    module, scope = caller
    name = dotted(call.func)
    owner, _, method = (name or "").rpartition(".")
    local = module.scope(f"{scope.name}.<locals>.{name}")
    found = project.definition(module, name) if name else None
    if local is not None:
        yield Called(module, local)
    elif found is not None and isinstance(found[1], ast.ClassDef):
        yield from _methods(project, found[0], found[1], "__init__")
    elif found is not None:
        inner = project.scope_of(*found)
        if inner is not None:
            yield Called(found[0], inner)
    elif owner:
        classes = list(_classes_of(project, caller, owner))
        for home, class_ in classes:
            yield from _methods(project, home, class_, method)
        if guess and not classes and owner.partition(".")[0] not in module.imports:
            yield from _named(project, method)


def _classes_of(
    project: Project, caller: Called, owner: str
) -> Iterator[tuple[Module, ast.ClassDef]]:
    """The classes of the repository that an object is made of where the caller can see it."""
    module, scope = caller
    if owner == "self":
        if scope.owner is not None:
            yield module, scope.owner
        return
    shared = owner.startswith("self.") and scope.owner is not None
    places = module.methods(scope.owner) if shared and scope.owner else (scope, module.scopes[0])
    for place in places:
        for statement in place.statements:
            targets, value = assigned(statement.node)
            if owner in targets and isinstance(value, ast.Call):
                found = project.definition(module, dotted(value.func) or "")
                if found and isinstance(found[1], ast.ClassDef):
                    yield found[0], found[1]


def _methods(
    project: Project, module: Module, class_: ast.ClassDef, name: str, levels: int = _LEVELS
) -> Iterator[Called]:
    """The method of that name, of the class or the nearest class that it is derived from."""
    own = next((m for m in module.methods(class_) if m.function == name), None)
    if own is not None:
        yield Called(module, own)
        return
    for base in class_.bases if levels else ():
        found = project.definition(module, dotted(base) or "")
        if found and isinstance(found[1], ast.ClassDef):
            yield from _methods(project, found[0], found[1], name, levels - 1)


def _named(project: Project, name: str) -> Iterator[Called]:
    """Every method of that name: what an object is that a function was given, nobody says."""
    for path in project.mentioning(f"def {name}(self"):
        module = project.module(path)
        for scope in module.scopes if module else ():
            if module and scope.owner is not None and scope.function == name:
                yield Called(module, scope)


def received(inner: Scope, call: ast.Call, names: frozenset[str]) -> frozenset[str]:
    """The names under which a function has what a call hands it, elements of `*args` included."""
    if isinstance(inner.node, ast.Module):
        return frozenset()
    spec = inner.node.args
    places = [a.arg for a in (*spec.posonlyargs, *spec.args)][1 if inner.owner else 0 :]
    more = spec.vararg.arg if spec.vararg else None
    found: set[str] = set()
    for index, value in enumerate(call.args):
        spread = isinstance(value, ast.Starred)
        if not _hands(value, names):
            continue
        at = places[index:] if spread else places[index : index + 1]
        found.update(at)
        if more and (spread or not at):
            found.add(more)
    for keyword in call.keywords:
        if _hands(keyword.value, names):
            found.add(keyword.arg or (spec.kwarg.arg if spec.kwarg else ""))
    return frozenset(found | set(_elements(inner, found)))


def _hands(value: ast.expr, names: frozenset[str]) -> bool:
    inner = value.value if isinstance(value, ast.Starred) else value
    values = inner.elts if isinstance(inner, (ast.List, ast.Tuple)) else [inner]
    return any(dotted(each) in names for each in values)


def _elements(scope: Scope, names: set[str]) -> Iterator[str]:
    """What loops and comprehensions over one of the names call its elements."""
    for node in scope.nodes if names else ():
        if isinstance(node, (ast.For, ast.comprehension)):
            over = {part.id for part in ast.walk(node.iter) if isinstance(part, ast.Name)}
            if over & names:
                yield from (p.id for p in ast.walk(node.target) if isinstance(p, ast.Name))
