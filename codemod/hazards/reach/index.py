"""The classes and functions of a kit, and what a name in one of its files refers to."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from codemod.code.kept import kept, once_each
from codemod.code.module import Module, dotted, named_parameters
from codemod.code.project import project_of
from codemod.code.traversal import below, parents, walk
from codemod.code.tree import Tree
from codemod.hazards.reach.values import UNKNOWN, ValueKind

# One for each word: a pattern that begins with plain letters is found many times faster.
_DEFINED = [re.compile(rb"\n%s[ \t]+(\w+)" % word) for word in (b"class", b"def")]
_LAYER = re.compile(r"(^|\.)(Layer|LayerList|LayerDict|Sequential|Module|PreTrainedModel)$")
_PADDLE = ("paddle.", "paddle2onnx")
AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class Class:
    """A class of the kit."""

    module: Module
    node: ast.ClassDef

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.name

    @property
    def place(self) -> str:
        """`FILE:CLASS`."""
        return f"{self.module.path}:{self.name}"

    @cached_property
    def methods(self) -> dict[str, AnyFunction]:
        """Its own methods by name, the last definition of each."""
        return {n.name: n for n in _definitions(self.node.body)}


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the kit, or a method with the class that defines it."""

    module: Module
    node: AnyFunction
    owner: Class | None = None

    @property
    def scope(self) -> str:
        """`Class.method` or `function`."""
        return f"{self.owner.name}.{self.node.name}" if self.owner else self.node.name

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the positional and keyword parameters, `self` included."""
        return tuple(one.arg for one in named_parameters(self.node.args))

    @cached_property
    def marks(self) -> frozenset[str]:
        """The dotted names of its decorators."""
        return frozenset(dotted(mark) or "" for mark in self.node.decorator_list)

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The parameters that a call fills: of a method, those without `self`."""
        of_object = self.owner is not None and "staticmethod" not in self.marks
        return self.parameters[of_object:]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node above each of its nodes, for every class that runs it."""
        return parents(self.node)

    @cached_property
    def uses(self) -> Counter[tuple[str | None, type[ast.expr_context]]]:
        """How often it reads (`ast.Load`), binds and deletes each dotted name."""
        nodes = (node for node in below(self.node) if isinstance(node, (ast.Name, ast.Attribute)))
        return Counter((dotted(node), type(node.ctx)) for node in nodes)

    @cached_property
    def defaults(self) -> dict[str, ast.expr]:
        """The parameters' default expressions."""
        args = self.node.args
        plain = [*args.posonlyargs, *args.args]
        late = plain[len(plain) - len(args.defaults) :]
        found = {a.arg: d for a, d in zip(late, args.defaults, strict=True)}
        keyed = zip(args.kwonlyargs, args.kw_defaults, strict=True)
        return {**found, **{a.arg: d for a, d in keyed if d is not None}}


Definition = Class | Function


class Index:
    """Looks definitions up; every file is parsed at most once, and only when asked for."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.project = project_of(tree)
        self.found: dict[tuple[object, ...], Any] = {}
        self._mro: dict[int, tuple[Class, ...]] = {}

    @cached_property
    def places(self) -> dict[str, tuple[str, ...]]:
        """The files that define each top-level name, found in their text."""
        found: dict[str, list[str]] = {}
        for path in self.tree.paths(".py"):
            text = b"\n" + self.tree.read(path)
            for word in {word for pattern in _DEFINED for word in pattern.findall(text)}:
                found.setdefault(word.decode(), []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    def defined(self, path: str, name: str) -> Definition | None:
        """The class or function of that name in a file."""
        module = self.project.module(path)
        return self.resolve(module, name) if module else None

    def classes(self, path: str) -> Iterator[Class]:
        """The top-level classes of a file."""
        module = self.project.module(path)
        if module is not None:
            for node in module.classes.values():
                yield self.class_of(module, node)

    @once_each
    def resolve(self, module: Module, name: str) -> Definition | None:
        """The kit's class or function that a dotted name means in a file, imports followed."""
        if self.canonical(module, name).startswith(_PADDLE):
            return None
        found = self.project.definition(module, name)
        if found is None:
            return self._static_method(module, name)
        where, node = found
        if isinstance(node, ast.ClassDef):
            return self.class_of(where, node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return self.function_of(where, node, None)
        return None

    def _static_method(self, module: Module, name: str) -> Definition | None:
        """`Class.method` spelled out."""
        owner, _, method = name.rpartition(".")
        found = self.resolve(module, owner) if owner and owner != "self" else None
        return self.method(found, method) if isinstance(found, Class) else None

    @once_each
    def class_of(self, module: Module, node: ast.ClassDef) -> Class:
        """The one record of a class."""
        return Class(module, node)

    @once_each
    def function_of(self, module: Module, node: AnyFunction, owner: Class | None) -> Function:
        """The one record of a function."""
        return Function(module, node, owner)

    def canonical(self, module: Module, name: str) -> str:
        """A dotted name with its import spelled out: `paddle.nn.functional.relu` for `F.relu`."""
        return module.meaning(name)

    @once_each
    def calls(self, module: Module, node: ast.AST) -> tuple[tuple[ast.Call, str], ...]:
        """Every call below a node of a file with its name in full, in the order of `walk`."""
        return tuple(
            (call, self.canonical(module, dotted(call.func) or ""))
            for call in walk(node)
            if isinstance(call, ast.Call)
        )

    def mro(self, owner: Class) -> tuple[Class, ...]:
        """The class and its bases within the kit, in the order of look-up."""
        key = id(owner.node)
        if key not in self._mro:
            self._mro[key] = (owner,)  # a class that inherits itself ends here
            parents = [found for found, _ in self._bases(owner) if found]
            lines = [base for parent in parents for base in self.mro(parent)]
            kept = dict.fromkeys([owner, *reversed(dict.fromkeys(reversed(lines)))])
            self._mro[key] = tuple(kept)
        return self._mro[key]

    def _bases(self, owner: Class) -> Iterator[tuple[Class | None, str]]:
        for base in owner.node.bases:
            name = dotted(base)
            found = self.resolve(owner.module, name) if name else None
            yield (
                found if isinstance(found, Class) else None,
                self.canonical(owner.module, name or ""),
            )

    def foreign_bases(self, owner: Class) -> tuple[str, ...]:
        """Canonical names of the bases that the kit does not define."""
        return tuple(
            name for base in self.mro(owner) for found, name in self._bases(base) if not found
        )

    @once_each
    def is_layer(self, owner: Class) -> bool:
        """Whether the class is a layer: by its bases, or by having a `forward`."""
        foreign = self.foreign_bases(owner)
        known = any(_LAYER.search(name) or name.startswith("paddle.nn.") for name in foreign)
        return known or (
            self.method(owner, "forward") is not None and "PyLayer" not in str(foreign)
        )

    def method(self, owner: Class, name: str, after: Class | None = None) -> Function | None:
        """A method by look-up order; with `after`, as `super()` within that class finds it."""
        line = self.mro(owner)
        start = line.index(after) + 1 if after in line else 0
        for base in line[start:]:
            if name in base.methods:
                return self.function_of(base.module, base.methods[name], base)
        return None

    def all_methods(self, owner: Class) -> Iterator[Function]:
        """Every method of the class and of its bases."""
        for base in self.mro(owner):
            for node in base.methods.values():
                yield self.function_of(base.module, node, base)


@kept(1)
def index_of(tree: Tree) -> Index:
    """The index of a tree, the same for all who scan it one after the other."""
    return Index(tree)


def _definitions(body: list[ast.stmt]) -> Iterator[AnyFunction]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _definitions(node.body)


# What a call hands on with `**`, among what it hands on by name.
SPREAD = "**"
Given = tuple[list[ValueKind], dict[str, ValueKind]]
"""What a call hands on: its positional arguments, and those by name."""


@dataclass(eq=False, slots=True)
class Unit:
    """A function as one concrete class runs it."""

    function: Function
    owner: Class | None
    params: dict[str, ValueKind] = field(default_factory=dict)
    result: ValueKind = UNKNOWN
    kinds: dict[ast.AST, ValueKind] = field(default_factory=dict)
    live: dict[int, ast.stmt] = field(default_factory=dict)
    edges: dict[Unit, None] = field(default_factory=dict)
    open: dict[tuple[str, str], Given] = field(default_factory=dict)
    callers: dict[Unit, None] = field(default_factory=dict)
    passes: int = 0
    rest: bool = False  # a caller hands on more than the parameters that have a name
    entered: bool = False  # a batch is among what its parameters may be
    is_net: bool = False  # the forward of a layer that a hook makes static, not of a part
