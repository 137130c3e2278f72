"""The kit's Python files, parsed on demand, and how their names refer to each other."""

from __future__ import annotations

import ast
import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from codemod.base.reason import Reason, Refusal
from codemod.code.import_text import DOTS, callees, imported_words, sources
from codemod.code.kept import kept, once_each
from codemod.code.module import Module, Scope, callee, dotted, parse
from codemod.code.tree import Tree

_STAR = re.compile(rb"import\s*\*")
# Folders that a script puts on the path of its imports, written out.
_ON_PATH = re.compile(rb"sys\.path\.(?:insert\(\s*\d+\s*,|append\()\s*[\"']([^\"'\n]+)[\"']\s*\)")
# The head of a class that is derived from others, as text; not all of them begin a line.
_DERIVED = re.compile(rb"class[ \t]+(\w+)[ \t]*\(([^()]*)\)[ \t]*:")


class ClassInModule(NamedTuple):
    """A class of the repository, in its module."""

    module: Module
    node: ast.ClassDef


@dataclass(frozen=True)
class Caller:
    """A call of a function, with the scope and module in which it stands."""

    module: Module
    scope: Scope
    call: ast.Call


class Project:
    """Parses each file at most once; faults are kept, never raised."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.faults: dict[str, Reason] = {}
        self.found: dict[tuple[object, ...], Any] = {}
        self._modules: dict[str, Module | None] = {}

    @cached_property
    def files(self) -> frozenset[str]:
        """Paths of all Python files of the kit."""
        return frozenset(self.tree.paths(".py"))

    def module(self, path: str) -> Module | None:
        """The parsed file, or None (then `faults[path]` says why)."""
        if path not in self._modules:
            try:
                found = parse(path, self.tree.read(path))
            except FileNotFoundError:
                found = Refusal(Reason.of("code.gone"))
            if isinstance(found, Refusal):
                self.faults[path] = found.reason
            self._modules[path] = found if isinstance(found, Module) else None
        return self._modules[path]

    def resolve(self, importer: str, name: str) -> str | None:
        """The file that a dotted module name means when `importer` imports it.

        Scripts put their own folder (or one above) on `sys.path`, so the nearest folder
        upwards in which the path exists wins; after them those that its text puts there.
        """
        level = len(name) - len(name.lstrip("."))
        tail = name.lstrip(".").replace(".", "/")
        folder = posixpath.dirname(importer)
        if level:
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            return self._file(posixpath.join(folder, tail))
        tails = (tail, *(f"{one}/{tail}" for one in self._on_path(importer)))
        found = (self._upwards(folder, one) for one in tails)
        return next((path for path in found if path), None)

    def _upwards(self, folder: str, tail: str) -> str | None:
        while True:
            found = self._file(posixpath.join(folder, tail))
            if found or not folder:
                return found
            folder = posixpath.dirname(folder)

    @once_each
    def _on_path(self, importer: str) -> tuple[str, ...]:
        """The folders that a file puts on `sys.path` itself, relative to it or to one above."""
        given = _ON_PATH.findall(self.tree.read(importer)) if importer in self.files else ()
        folders = (os.fsdecode(one) for one in given)
        return tuple(one for one in folders if not one.startswith("/"))

    @once_each
    def definition(self, module: Module, name: str) -> tuple[Module, ast.AST] | None:
        """Where a function or class that `module` names is defined, imports followed."""
        return self._definition(module, name, 0)

    def _definition(self, module: Module, name: str, depth: int) -> tuple[Module, ast.AST] | None:
        head, _, rest = name.partition(".")
        if not rest and head in module.definitions:
            return module, module.definitions[head]
        target = module.imports.get(head)
        if depth > 4:
            return None
        if target is not None:
            return self._imported(module, f"{target}.{rest}" if rest else target, depth)
        for star in module.stars:
            path = self.resolve(module.path, star)
            if path and self._may_define(path, head):
                found = self._imported(module, f"{star}.{name}", depth)
                if found:
                    return found
        return None

    @once_each
    def _may_define(self, path: str, name: str) -> bool:
        """Whether a file's text seems to define a name, or imports everything."""
        text, word = self.tree.read(path), name.encode()
        return any(one in text for one in (b"def " + word, b"class " + word, b"import *"))

    def _imported(self, module: Module, target: str, depth: int) -> tuple[Module, ast.AST] | None:
        base, _, last = target.rpartition(".")
        if not base.strip("."):
            base = target[: len(target) - len(target.lstrip("."))] or base
        path = self.resolve(module.path, base) if base else None
        other = self.module(path) if path and path != module.path else None
        return self._definition(other, last, depth + 1) if other else None

    def scope_of(self, module: Module, node: ast.AST) -> Scope | None:
        """The scope that a function definition makes."""
        return next((scope for scope in module.scopes if scope.node is node), None)

    def class_named(self, module: Module, name: ast.expr) -> ClassInModule | None:
        """The class of the repository that an expression names."""
        found = self.definition(module, text) if (text := dotted(name)) else None
        if found and isinstance(found[1], ast.ClassDef):
            return ClassInModule(found[0], found[1])
        return None

    def function_named(self, module: Module, name: ast.expr) -> tuple[Module, Scope] | None:
        """The function of the repository that an expression names."""
        found = self.definition(module, text) if (text := dotted(name)) else None
        scope = self.scope_of(*found) if found else None
        return (found[0], scope) if found and scope else None

    @once_each
    def callers(self, module: Module, scope: Scope) -> tuple[Caller, ...]:
        """Calls of a function (of its class, for a constructor): in its own file, else elsewhere.

        A file that never names the module cannot import the function from it, so only files
        that hold both words are parsed.
        """
        name = _called_by(scope)
        calls = _calls(module, name) if name else ()
        here = tuple(c for c in calls if isinstance(c.call.func, ast.Name))
        return here or self.callers_elsewhere(module, scope)

    @once_each
    def callers_elsewhere(self, module: Module, scope: Scope) -> tuple[Caller, ...]:
        """Calls of a function (of its class, for a constructor) in other files than its own.

        A constructor is called for each class that inherits it, and by `super().__init__(...)`.
        """
        name = _called_by(scope)
        wanted = scope.owner or scope.node
        named = self._named_elsewhere(module, name, wanted) if name else ()
        return (*named, *self._by_heirs(module, scope))

    def made(self, kin: ClassInModule) -> tuple[Caller, ...]:
        """The calls that make an object of just this class."""
        own = (c for c in _calls(kin.module, kin.node.name) if isinstance(c.call.func, ast.Name))
        return (*own, *self._named_elsewhere(kin.module, kin.node.name, kin.node))

    def bases(self, kin: ClassInModule) -> Iterator[ClassInModule]:
        """The classes of the repository that a class is derived from, in its order."""
        for base in kin.node.bases:
            found = self.class_named(kin.module, base)
            if found and found.node is not kin.node:
                yield found

    def heirs(self, kin: ClassInModule) -> Iterator[ClassInModule]:
        """The classes of the repository that are derived from a class, without steps between."""
        for path, name in self._derived.get(kin.node.name, ()):
            module = self.module(path)
            node = module.classes.get(name) if module else None
            heir = ClassInModule(module, node) if module and node else None
            if heir and any(base.node is kin.node for base in self.bases(heir)):
                yield heir

    @cached_property
    def _derived(self) -> dict[str, list[tuple[str, str]]]:
        """The files and names of classes by the last name of each class that they derive from."""
        found: dict[str, list[tuple[str, str]]] = {}
        for path in self.tree.grep(rb"class ", ".py"):
            text = self.tree.read(path)
            for head in _DERIVED.finditer(text):
                if head.start() and text[head.start() - 1] not in b"\r\n":
                    continue
                derived = (path, head[1].decode("latin-1"))
                for base in head[2].split(b","):
                    last = base.strip().rpartition(b".")[2].decode("latin-1")
                    found.setdefault(last, []).append(derived)
        return found

    def _by_heirs(self, module: Module, scope: Scope) -> Iterator[Caller]:
        """What calls a constructor for the classes that are derived from its own."""
        if scope.owner is None or scope.function != "__init__":
            return
        waiting, seen = [ClassInModule(module, scope.owner)], {scope.owner}
        while waiting:
            for heir in self.heirs(waiting.pop()):
                inits = (m for m in heir.module.methods(heir.node) if m.function == "__init__")
                init = next(inits, None)
                if init is not None:
                    calls = (c for c in init.calls if of_super(c) == "__init__")
                    yield from (Caller(heir.module, init, call) for call in calls)
                elif heir.node not in seen:
                    seen.add(heir.node)
                    waiting.append(heir)
                    yield from self.made(heir)

    def _named_elsewhere(self, module: Module, name: str, wanted: ast.AST) -> Iterator[Caller]:
        called = os.fsencode(f"{name}(")
        for path in self._naming(module.path):
            if path == module.path or called not in self.tree.read(path):
                continue
            other = self.module(path) if self._may_call(path, name, module.path) else None
            for caller in _calls(other, name) if other else ():
                if self._means(caller, module, wanted):
                    yield caller

    def _may_call(self, path: str, name: str, home: str) -> bool:
        """Whether a file may call what another one defines, as far as its text shows.

        What it calls begins with a word that it imports: the name itself, from there or from a file
        that may hand it on, or a module.
        """
        text = self.tree.read(path)
        word = os.fsencode(name)
        called = callees(text, word)
        if called and _STAR.search(text):
            return True
        if any(one in self._words(path) for one in called if one != word):
            return True
        for source in sources(text, word) if word in called else ():
            found = self.resolve(path, os.fsdecode(source)) if source else home
            if found == home or (found and self._may_hand_on(found, name)):
                return True
        return False

    @once_each
    def _words(self, path: str) -> frozenset[bytes]:
        """What the imports of a file list, whence they take it, and other words around that."""
        return frozenset(imported_words(self.tree.read(path)))

    def _may_hand_on(self, path: str, name: str) -> bool:
        """Whether the imports of a file may list a name, or import everything."""
        text = self.tree.read(path)
        return os.fsencode(name) in self._words(path) or bool(_STAR.search(text))

    def mentioning(self, word: str) -> list[str]:
        """Paths of the Python files that hold a word."""
        return self.matching(re.escape(word).encode())

    @once_each
    def matching(self, pattern: bytes) -> list[str]:
        """Paths of the Python files that match a regular expression: each is looked for once."""
        return self.tree.grep(pattern)

    def importing(self, stem: str, name: str) -> Iterator[str]:
        """Paths of the files that hold a word, and whose imports may list a name."""
        wanted = os.fsencode(stem)
        for path in self._listing.get(os.fsencode(name), ()):
            if wanted in self.tree.read(path):
                yield path

    @cached_property
    def _listing(self) -> dict[bytes, list[str]]:
        """The files by each word of their imports: to search all of them for each takes longer."""
        found: dict[bytes, list[str]] = {}
        for path in self.tree.grep(b"import"):
            for word in self._words(path):
                found.setdefault(word, []).append(path)
        return found

    @once_each
    def _naming(self, imported: str) -> list[str]:
        """The files of which an import names the module, its package, or dots alone."""
        stem, _ = posixpath.splitext(imported)
        parts = [os.fsencode(part) for part in stem.split("/") if part != "__init__"]
        words = (DOTS, *parts[-2:])
        return sorted({path for word in words for path in self._listing.get(word, ())})

    def _means(self, caller: Caller, module: Module, wanted: ast.AST) -> bool:
        found = self.definition(caller.module, dotted(caller.call.func) or "")
        return found is not None and found[0].path == module.path and found[1] is wanted

    def _file(self, stem: str) -> str | None:
        stem = posixpath.normpath(stem)
        for path in (f"{stem}.py", f"{stem}/__init__.py"):
            if path in self.files:
                return path
        return None


@kept(1)
def project_of(tree: Tree) -> Project:
    """The project of a tree, the same for all who read it one after the other."""
    return Project(tree)


def of_super(call: ast.Call) -> str:
    """The method of a base class that `super().method(...)` calls, "" for any other call."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return callee(call) if isinstance(owner, ast.Call) and callee(owner) == "super" else ""


def _called_by(scope: Scope) -> str:
    """The name by which a function (or the class of a constructor) is called, "" if unknown."""
    constructor = scope.owner is not None and scope.function == "__init__"
    if (scope.owner is not None and not constructor) or "<" in scope.name:
        return ""  # a method, a function within one, or the file itself
    return scope.owner.name if scope.owner else scope.function


def _calls(module: Module, name: str) -> Iterator[Caller]:
    for scope in module.scopes:
        for call in scope.calls if scope.mentions(name) else ():
            if callee(call) == name:
                yield Caller(module, scope, call)
