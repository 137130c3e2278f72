"""Models that are optimized beside a hooked one and that no place was found for: each is told.

A hook on one of two models that train together is right by itself; in silence the other would be
taken for hooked too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from codemod.base.changeset import Hook, Skip, Status
from codemod.base.reason import Reason
from codemod.code.module import Module, Scope
from codemod.code.project import Project
from codemod.code.sites import group, optimized_names, runs
from codemod.engine.find.target import NOT_MODELS

# The file of a model that was looked at, and the last part of one of its names.
Looked = tuple[str, str]


def names_of(module: Module, scope: Scope, name: str) -> Iterator[Looked]:
    """A model that was looked at, under each of its names."""
    for one in group(scope, name):
        yield module.path, one.rpartition(".")[2]


def untold(project: Project, hooks: Iterable[Hook], looked: Collection[Looked]) -> Iterator[Skip]:
    """The optimized models, in files with a new hook, that were never looked at."""
    for path in dict.fromkeys(hook.file for hook in hooks if hook.status is Status.INSERTED):
        module = project.module(path)
        seen: set[str] = set()
        for scope in module.scopes if module else ():
            for name in optimized_names(scope):
                last = name.rpartition(".")[2]
                if module is None or NOT_MODELS.search(name) or last in seen:
                    continue
                seen.add(last)
                known = any(one in looked for one in names_of(module, scope, name))
                if not known and any(runs(other, name) for other in module.scopes):
                    yield Skip(path, Reason.of("engine.partner", name=name, scope=scope.name))
