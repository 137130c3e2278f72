"""Which lines that come into a file run with the switch off: conditions and callers decide it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from codemod.base.changeset import ChangeSet, FileChange, Status
from codemod.base.files.line_diff import added_lines
from codemod.code.module import Module, Scope, dotted, parse
from codemod.code.tree import Tree
from codemod.reports.pullrequest.claims.under_gate import Decides, deciding, names_switch

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)


class Fate(Enum):
    """Whether a line runs with the switch off, where the code around it runs."""

    NEVER = "an `if` on the switch decides over the line, or over every call of its function"
    RUNS = "no `if` on the switch decides over it"
    BESIDE = "a condition names the switch and something else that may open it"
    CALLED = "its function is called under the switch, and it is not known from where else"


_STRENGTH = (Fate.RUNS, Fate.BESIDE, Fate.CALLED, Fate.NEVER)


def fates_of(change_set: ChangeSet, paths: Iterable[str]) -> dict[str, frozenset[Fate]]:
    """By path, what becomes of the lines that come into a file or go, without inserted hooks.

    All of a file that is no Python act with the switch off, too.
    """
    names = _FilesWithName(Tree(change_set.source.root))
    wanted = set(paths)
    return {c.path: _fates(c, change_set, names) for c in change_set.changes if c.path in wanted}


def _fates(change: FileChange, change_set: ChangeSet, names: _FilesWithName) -> frozenset[Fate]:
    old, new = parse(change.path, change.old), parse(change.path, change.new)
    if not isinstance(old, Module) or not isinstance(new, Module):
        return frozenset({Fate.RUNS})
    hooks = _of_hooks(new, change_set)
    came = _of_lines(new, change.new, added_lines(change.old, change.new) - hooks, names)
    return came | _of_lines(old, change.old, added_lines(change.new, change.old), names)


def _of_lines(
    module: Module, text: bytes, numbers: frozenset[int], names: _FilesWithName
) -> frozenset[Fate]:
    """What becomes of some lines of a file, of those that are code."""
    lines = text.splitlines()
    code = [n for n in numbers if (line := lines[n - 1].strip()) and not line.startswith(b"#")]
    found = _Fates(module, names).lines() if code else {}
    return frozenset(found.get(n, Fate.RUNS) for n in code)


def _of_hooks(module: Module, change_set: ChangeSet) -> frozenset[int]:
    """The lines of the inserted hooks, with the `if` on the switch around each."""
    found: set[int] = set()
    for hook in change_set.hooks:
        scope = module.scope(hook.scope) if hook.file == module.path else None
        if scope is None or hook.line is None or hook.status is not Status.INSERTED:
            continue
        for node in (statement.node for statement in scope.statements):
            last = node.end_lineno or node.lineno
            own = isinstance(node, ast.If) and names_switch(node.test) and not node.orelse
            if node.lineno <= hook.line <= last and (own or isinstance(node, _SIMPLE)):
                found |= set(range(node.lineno, last + 1))
    return frozenset(found)


class _FilesWithName:
    """Which files of a tree hold a name; all files are read once, each name is looked for once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._found: dict[str, list[str]] = {}

    def beside(self, path: str, name: str) -> list[str]:
        """The files other than `path` that have the name."""
        if name not in self._found:
            self._found[name] = self._tree.grep(re.escape(name.encode()))
        return [other for other in self._found[name] if other != path]

    def modules_beside(self, path: str, name: str) -> Iterator[Module | None]:
        """Those of them that are Python, None for one that cannot be read as such."""
        for other in self.beside(path, name):
            if other.endswith(".py"):
                read = parse(other, self._tree.read(other))
                yield read if isinstance(read, Module) else None


class _Fates:
    """What becomes of each line of a module; callers are followed in it.

    Of a function that its own file does not call, those in others are followed, too, if `far`.
    """

    def __init__(self, module: Module, names: _FilesWithName, *, far: bool = True) -> None:
        self._module = module
        self._far = far
        self._names = names
        self._uses = _uses(module)
        self._found: dict[int, Fate] = {}

    def lines(self) -> dict[int, Fate]:
        """The fate of each line by its number, from 1; a line that stands nowhere runs."""
        for scope in self._module.scopes:
            for node in (statement.node for statement in scope.statements):
                self._set(node.lineno, _end(node), _by_conditions(scope, node.lineno))
                if isinstance(node, ast.If) and names_switch(node.test):
                    # The `if` itself does no more than read the switch.
                    below = node.body[0].lineno
                    self._set(node.lineno, below - 1, _by_conditions(scope, below))
        functions = [scope for scope in self._module.scopes if isinstance(scope.node, _FUNCTIONS)]
        before: dict[int, Fate] = {}
        while before != self._found:  # a function that never runs calls others in vain
            before = dict(self._found)
            for scope in functions:
                self._set(scope.node.body[0].lineno, _end(scope.node), self._by_callers(scope))
        return self._found

    def _set(self, first: int, last: int, fate: Fate) -> None:
        """A fate of lines, but of those that have a stronger one."""
        for line in range(first, last + 1):
            known = self._found.get(line, Fate.RUNS)
            self._found[line] = max(known, fate, key=_STRENGTH.index)

    def _by_callers(self, scope: Scope) -> Fate:
        """What the calls of a function say, where one of them stands under the switch."""
        uses = [one for one in self._uses.get(scope.function, ()) if scope.node not in one.within]
        if self._far and scope.owner is None and not uses:
            return Fate.NEVER if self._called_under_switch(scope) else Fate.RUNS
        kinds = [self._found.get(one.line, Fate.RUNS) for one in uses if one.called]
        others = not all(one.called for one in uses)
        if Fate.NEVER not in kinds or (scope.owner is None and Fate.RUNS in kinds):
            return Fate.RUNS
        elsewhere = self._names.beside(self._module.path, scope.function)
        if set(kinds) == {Fate.NEVER} and not others and not elsewhere:
            return Fate.NEVER
        return Fate.CALLED

    def _called_under_switch(self, scope: Scope) -> bool:
        """Whether other files call a function of this one, each time under the switch."""
        kinds: set[Fate] = set()
        for module in self._names.modules_beside(self._module.path, scope.function):
            uses = _uses(module).get(scope.function, []) if module else []
            if module is None or not all(one.called for one in uses):
                return False
            found = _Fates(module, self._names, far=False).lines() if uses else {}
            kinds |= {found.get(one.line, Fate.RUNS) for one in uses}
        return kinds == {Fate.NEVER}


def _by_conditions(scope: Scope, line: int) -> Fate:
    over = {what for what, test in deciding(scope, line) if names_switch(test)}
    if Decides.ALONE in over:
        return Fate.NEVER
    return Fate.BESIDE if Decides.WITH_OTHERS in over else Fate.RUNS


@dataclass(frozen=True, slots=True)
class _Use:
    """A place that names something: its line, whether it is called, the functions around it."""

    line: int
    called: bool
    within: tuple[ast.AST, ...]


def _uses(module: Module) -> dict[str, list[_Use]]:
    """Where the code of a module names what, found in one walk; in no particular order.

    A text that is the name counts as another use: `getattr` may take it. An import by that name is
    none, nor is a place in `__all__`.
    """
    found: dict[str, list[_Use]] = {}
    called: set[int] = set()
    left: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(module.tree, ())]
    while left:
        node, within = left.pop()
        if isinstance(node, ast.Assign) and "__all__" in map(dotted, node.targets):
            continue
        if isinstance(node, ast.Call):
            called.add(id(node.func))
        for name in _named(node):
            line = getattr(node, "lineno", 0)
            found.setdefault(name, []).append(_Use(line, id(node) in called, within))
        inner = (*within, node) if isinstance(node, _FUNCTIONS) else within
        left += ((child, inner) for child in ast.iter_child_nodes(node))
    return found


def _end(node: ast.stmt | ast.Module) -> int:
    return 1 if isinstance(node, ast.Module) else node.end_lineno or node.lineno


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.alias) and node.asname:
        yield node.name
