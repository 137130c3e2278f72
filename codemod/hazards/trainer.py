"""Hazards near a hook: what its own trainer does that a static graph may freeze or split.

Only the code that trains is looked at, in the files of a change set; what a model's `forward`
does is another question. Each hazard names its number in the catalogue of code patterns.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.code.module import Module, Scope, callee, dotted, parse
from codemod.code.sites import COPIES, first_argument, group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.base.changeset import ChangeSet

_COUNTERS = re.compile(r"^(\w*_)?(epoch|step|iter|iters|iteration|batch)(_id|_idx|_num|_no)?$")
_LOOPS = (ast.For, ast.While)


@dataclass(frozen=True, slots=True)
class TrainerHazard:
    """One hazard; `line` is 1-based, in the file as it will be."""

    file: str
    line: int
    name: str
    message: str


def near(change_set: ChangeSet) -> tuple[TrainerHazard, ...]:
    """The hazards in the scopes of the hooks that a change set inserts, by file and line."""
    found: set[TrainerHazard] = set()
    for change in change_set.changes:
        module = parse(change.path, change.new) if change.path.endswith(".py") else None
        if not isinstance(module, Module):
            continue
        for hook in change_set.hooks:
            scope = module.scope(hook.scope) if hook.file == change.path else None
            if scope is not None and hook.line is not None:
                found |= set(_in_trainer(module, scope, hook.target, hook.line))
    return tuple(sorted(found, key=lambda hazard: (hazard.file, hazard.line, hazard.name)))


def _in_trainer(module: Module, scope: Scope, target: str, hook: int) -> Iterator[TrainerHazard]:
    for place, names in _places(module, scope, target):
        after = hook if place is scope else 0
        for name, line, message in (
            *_schedules(place, names, after),
            *_counters(place, names),
            *_modes(place, names, after),
            *_copies(place, names, after),
            *_backwards(place),
        ):
            yield TrainerHazard(module.path, line, name, message)


def _places(module: Module, scope: Scope, target: str) -> Iterator[tuple[Scope, frozenset[str]]]:
    """The hook's scope, and the methods of its class where the model goes by `self.`."""
    names = group(scope, target)
    yield scope, names
    attributes = frozenset(name for name in names if name.startswith("self."))
    for method in module.methods(scope.owner) if scope.owner and attributes else ():
        if method is not scope:
            yield method, attributes


def _schedules(scope: Scope, names: frozenset[str], after: int) -> Iterator[tuple[str, int, str]]:
    for statement in scope.statements:
        node = statement.node
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            owner = target.value if isinstance(target, ast.Attribute) else None
            written = dotted(owner)
            inside = written is not None and any(
                written == name or written.startswith(f"{name}.") for name in names
            )
            if inside and dotted(target) not in names and node.lineno > after and written != "self":
                yield (
                    "D-26 attribute set from outside",
                    node.lineno,
                    (
                        f"{dotted(target)} is set from outside: AST keeps what it traced, "
                        "SOT follows. Hand it over as a tensor."
                    ),
                )


def _counters(scope: Scope, names: frozenset[str]) -> Iterator[tuple[str, int, str]]:
    for call in scope.calls:
        if dotted(call.func) not in names:
            continue
        for value in (*call.args, *(keyword.value for keyword in call.keywords)):
            name = dotted(value) or ""
            if _COUNTERS.match(name.rpartition(".")[2]):
                yield (
                    "D-47 counter as an argument",
                    call.lineno,
                    (
                        f"the model is given {name}: each new number is one more program. "
                        "Hand it over as a tensor."
                    ),
                )


def _modes(scope: Scope, names: frozenset[str], after: int) -> Iterator[tuple[str, int, str]]:
    for call in scope.calls:
        owner, _, method = (dotted(call.func) or "").rpartition(".")
        part = any(owner.startswith(f"{name}.") for name in names)
        if part and owner not in names and method in ("train", "eval") and call.lineno > after:
            yield (
                "D-33 mode of a part",
                call.lineno,
                (
                    f"{owner}.{method}() after the first step is ignored by AST, which traced the "
                    "other mode; SOT follows. Switch before the first step."
                ),
            )


def _copies(scope: Scope, names: frozenset[str], after: int) -> Iterator[tuple[str, int, str]]:
    for call in scope.calls:
        copied = COPIES.match(callee(call)) and dotted(first_argument(call)) in names
        if copied and after and call.lineno > after:
            yield (
                "copy after the hook",
                call.lineno,
                "a deepcopy here turns the model and its copy back to dynamic on Paddle 2.6.",
            )


def _backwards(scope: Scope) -> Iterator[tuple[str, int, str]]:
    """Several backward passes before one step: programs that differ keep the last one's alone."""
    for statement in scope.statements:
        if not isinstance(statement.node, _LOOPS):
            continue
        body = [s for s in scope.statements if s.path[:-1] == statement.path]
        lines = [c.lineno for s in body for c in s.calls if callee(c) == "backward"]
        if len(lines) > 1:
            yield (
                "several backward passes",
                lines[1],
                (
                    "a second backward pass in one step: where its program differs from the first "
                    "one's (other shapes, other structure) only the last one's gradients survive."
                ),
            )
