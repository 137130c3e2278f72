"""A point of the code: a scope in its file and repository, from which names are looked up."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field, replace

from codemod.code.module import Module, Scope
from codemod.code.project import Caller, ClassInModule, Project

END = sys.maxsize


@dataclass(frozen=True)
class Point:
    """A scope that has run up to a line, by default to its end.

    `depth` counts the steps from one point to the next by which a search has come here.
    """

    project: Project
    module: Module
    scope: Scope
    line: int = field(default=END, compare=False)
    depth: int = field(default=0, compare=False)

    def to(self, module: Module, scope: Scope, line: int = END) -> Point:
        """Another point, one step further."""
        return Point(self.project, module, scope, line, self.depth + 1)

    def before(self, line: int) -> Point:
        """The same scope up to another line."""
        return replace(self, line=line)

    @property
    def deeper(self) -> Point:
        """The same point, one step further."""
        return replace(self, depth=self.depth + 1)

    @property
    def top(self) -> Point:
        """The file's own scope."""
        return replace(self, scope=self.module.scopes[0])

    @property
    def outer(self) -> Point:
        """The scope that a function stands in."""
        name = self.scope.name.rpartition(".<locals>.")[0]
        return self.to(self.module, self.module.scope(name) or self.module.scopes[0])

    @property
    def kin(self) -> ClassInModule | None:
        """The class of a method."""
        return ClassInModule(self.module, self.scope.owner) if self.scope.owner else None

    @property
    def callers(self) -> tuple[Caller, ...]:
        """The calls of the function."""
        return self.project.callers(self.module, self.scope)

    def place(self, node: ast.AST) -> str:
        """A node of the file as FILE:LINE."""
        return f"{self.module.path}:{getattr(node, 'lineno', 1)}"

    def function_named(self, name: ast.expr) -> Point | None:
        """The function of the repository that an expression names here."""
        found = self.project.function_named(self.module, name)
        return self.to(*found) if found else None
