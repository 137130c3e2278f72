"""Classes with what they inherit: which method an object's call means, base classes included."""

from __future__ import annotations

from collections.abc import Iterator

from codemod.code.module import Module, Scope
from codemod.code.project import ClassInModule, Project, of_super

Method = tuple["Module", "Scope"]
_LEVELS = 6


def lineage(project: Project, kin: ClassInModule) -> tuple[ClassInModule, ...]:
    """The class and those that it is derived from, in the order in which a method is looked for.

    Of a class that is come to by two ways the last place counts, as Python has it.
    """
    found: list[ClassInModule] = []
    _climb(project, kin, found, _LEVELS)
    return tuple(found)


def _climb(project: Project, kin: ClassInModule, found: list[ClassInModule], levels: int) -> None:
    found[:] = [one for one in found if one.node is not kin.node] + [kin]
    for base in project.bases(kin) if levels else ():
        _climb(project, base, found, levels - 1)


def methods_named(project: Project, kin: ClassInModule, name: str) -> Iterator[Method]:
    """The methods of that name, the one that an object of the class has first."""
    for one in lineage(project, kin):
        for method in one.module.methods(one.node):
            if method.function == name:
                yield one.module, method


def above(project: Project, kin: ClassInModule, scope: Scope) -> Method | None:
    """What `super()` means in a method of that name, for an object of the class."""
    line = list(methods_named(project, kin, scope.function))
    here = next((i for i, (_, method) in enumerate(line) if method is scope), len(line))
    return line[here + 1] if here + 1 < len(line) else None


def members(project: Project, kin: ClassInModule) -> tuple[Method, ...]:
    """The methods that an object of the class runs: its own, inherited, and those by `super()`."""
    found: list[Method] = []
    told: set[str] = set()
    for one in lineage(project, kin):
        own = one.module.methods(one.node)
        found += [(one.module, method) for method in own if method.function not in told]
        told |= {method.function for method in own if not _asks_above(method)}
    return tuple(found)


def heirs(project: Project, kin: ClassInModule) -> tuple[ClassInModule, ...]:
    """The classes that are derived from a class, by however many steps."""
    found: dict[object, ClassInModule] = {}
    waiting = [kin]
    while waiting:
        for heir in project.heirs(waiting.pop()):
            if heir.node not in found and heir.node is not kin.node:
                found[heir.node] = heir
                waiting.append(heir)
    return tuple(found.values())


def _asks_above(method: Scope) -> bool:
    return method.mentions("super(") and any(
        of_super(call) == method.function for call in method.calls
    )
