"""Which functions of the repository a call may run, and under which names they get a model."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from codemod.code.kept import once_each
from codemod.code.lineage import above, methods_named
from codemod.code.module import Module, Scope, dotted
from codemod.code.project import ClassInModule, Project, of_super
from codemod.code.sites import assigned, group, passes
from codemod.code.traversal import names_in


class Called(NamedTuple):
    """A function of the repository, in its module; a method may be run for a class derived from it.

    `heir` is the class of the object then: what the method calls of `self` is looked for there.
    """

    module: Module
    scope: Scope
    heir: ClassInModule | None = None


def meant(
    project: Project, caller: Called, call: ast.Call, *, guess: bool = False
) -> Iterator[Called]:
    """The functions that a call may run; with `guess` all methods of that name where unsure."""
    module, scope, heir = caller
    if of_super(call) or (heir and _of_self(call)):
        yield from _inherited(project, caller, call)
        return
    name = dotted(call.func)
    owner, _, method = (name or "").rpartition(".")
    local = module.scope(f"{scope.name}.<locals>.{name}")
    found = project.definition(module, name) if name else None
    if local is not None:
        yield Called(module, local)
    elif found is not None and isinstance(found[1], ast.ClassDef):
        yield from _method(project, ClassInModule(found[0], found[1]), "__init__")
    elif found is not None:
        inner = project.scope_of(*found)
        if inner is not None:
            yield Called(found[0], inner)
    elif owner:
        classes = list(_classes_of(project, caller, owner))
        for kin in classes:
            yield from _method(project, kin, method)
        if guess and not classes and owner.partition(".")[0] not in module.imports:
            yield from _named(project, method)


def _method(project: Project, kin: ClassInModule, name: str) -> Iterator[Called]:
    """The method of that name, of the class or of one that it is derived from."""
    return (Called(*found) for found in islice(methods_named(project, kin, name), 1))


def _of_self(call: ast.Call) -> str:
    """The method of its own that an object calls, "" for any other call."""
    owner, _, method = (dotted(call.func) or "").rpartition(".")
    return method if owner == "self" else ""


def of_object(call: ast.Call) -> bool:
    """Whether an object calls a method of itself, of a class above, or of one of its parts."""
    return bool(of_super(call)) or (dotted(call.func) or "").startswith("self.")


def _inherited(project: Project, caller: Called, call: ast.Call) -> Iterator[Called]:
    """The method that an object of a class calls of itself or of a class above."""
    scope = caller.scope
    if scope.owner is None:
        return
    kin = caller.heir or ClassInModule(caller.module, scope.owner)
    if of_super(call):
        found = above(project, kin, scope) if of_super(call) == scope.function else None
    else:
        found = next(methods_named(project, kin, _of_self(call)), None)
    if found:
        yield Called(*found, kin)


def _classes_of(project: Project, caller: Called, owner: str) -> Iterator[ClassInModule]:
    """The classes of the repository that an object is made of where the caller can see it."""
    module, scope, _ = caller
    if owner == "self":
        if scope.owner is not None:
            yield ClassInModule(module, scope.owner)
        return
    shared = owner.startswith("self.") and scope.owner is not None
    places = module.methods(scope.owner) if shared and scope.owner else (scope, module.scopes[0])
    for place in places:
        for statement in place.statements:
            targets, value = assigned(statement.node)
            if owner in targets and isinstance(value, ast.Call):
                found = project.class_named(module, value.func)
                yield from [found] if found else ()


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
    spec, places = inner.node.args, inner.places
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
        if isinstance(node, (ast.For, ast.comprehension)) and names_in(node.iter) & names:
            yield from names_in(node.target)


def taken(caller: Called, inner: Called, call: ast.Call, names: frozenset[str]) -> frozenset[str]:
    """The names under which a function has the model: handed by the call, or seen around it.

    A method has the attributes of its class, a nested function the names of those around it, and
    every function those of its module.
    """
    known = received(inner.scope, call, names)
    owner = inner.scope.owner
    if owner is not None and (owner is caller.scope.owner or of_super(call) or _of_self(call)):
        known |= {name for name in names if name.startswith("self.")}
    if encloses(caller, inner):
        known |= frozenset(name for name in names if not hides(inner.scope, name.split(".")[0]))
    return frozenset(alias for name in known for alias in group(inner.scope, name))


def encloses(outer: Called, inner: Called) -> bool:
    """Whether a function stands in another one, or in the module of a script's own lines."""
    if outer.module is not inner.module or outer.scope is inner.scope:
        return False
    if isinstance(outer.scope.node, ast.Module):
        return inner.scope.owner is None
    return inner.scope.name.startswith(f"{outer.scope.name}.<locals>.")


def sees(caller: Called, call: ast.Call, names: frozenset[str]) -> bool:
    """Whether a call runs a function of the same scope that mentions one of the names."""
    if not isinstance(call.func, ast.Name):
        return False
    name = call.func.id
    at_top = isinstance(caller.scope.node, ast.Module)
    inner = caller.module.scope(name if at_top else f"{caller.scope.name}.<locals>.{name}")
    return inner is not None and inner.mentions(*names)


def reaches(caller: Called, call: ast.Call, names: frozenset[str]) -> bool:
    """Whether a call may run a function that has the model: handed over, held, or seen."""
    own = of_object(call) and any(n[:5] == "self." for n in names)
    return own or passes(call, names) or sees(caller, call, names)


@once_each
def hides(scope: Scope, name: str) -> bool:
    """Whether a function has a name of its own that hides the one around it."""
    if isinstance(scope.node, ast.Module):
        return False
    spec = scope.node.args
    if name in scope.parameters or name in (a.arg for a in (spec.vararg, spec.kwarg) if a):
        return True
    for statement in scope.statements:
        node = statement.node
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return False
        if isinstance(node, (ast.For, ast.AsyncFor)) and name in names_in(node.target):
            return True
    return any(name in assigned(statement.node)[0] for statement in scope.statements)
