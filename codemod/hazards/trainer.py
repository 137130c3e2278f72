"""Hazards near a hook: what its own trainer does that a static graph may freeze or split.

Only the code that trains is looked at, in the files of a change set; what a model's `forward`
does is another question. Each hazard names its number in the catalogue of code patterns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.base.changeset import ChangeSet, Hook
from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, callee, dotted, handed, parse
from codemod.code.sites import COPIES, first_argument, group
from codemod.code.traversal import walk

# What a name tells of a value whose origin is not seen; `batch` alone is data.
_COUNTERS = re.compile(
    r"^(\w*_)?((epoch|step|iter|iters|iteration)(_id|_idx|_num|_no)?|batch(_id|_idx|_num|_no))$"
)
# Methods of these names do not train.
_AFTERWARDS = re.compile(r"export|deploy|infer|predict|onnx|save|quant|prune", re.IGNORECASE)
_LOOPS = (ast.For, ast.While)


_Sign = tuple[int, Reason, Reason]  # line, name, reason


@dataclass(frozen=True, slots=True)
class TrainerHazard:
    """One hazard; `line` is 1-based, in the file as it will be."""

    file: str
    line: int
    name: Reason
    reason: Reason

    @property
    def id(self) -> str:
        """Its number in the catalogue; of one without, the first word of its name."""
        return self.name.text().partition(" ")[0]


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
                found |= set(_in_trainer(module, scope, hook, change_set.hooks))
    return tuple(sorted(found, key=lambda hazard: (hazard.file, hazard.line, hazard.id)))


def _in_trainer(
    module: Module, scope: Scope, hook: Hook, hooks: tuple[Hook, ...]
) -> Iterator[TrainerHazard]:
    for place, names in _places(module, scope, hook.target):
        after = (hook.line or 0) if place is scope else 0
        for sign in (
            *_schedules(place, names, after),
            *_counters(place, names),
            *_modes(place, names, after),
            *_copies(place, names, after, _last(hook, hooks, names)),
            *_backwards(place),
        ):
            yield TrainerHazard(module.path, *sign)


def _places(module: Module, scope: Scope, target: str) -> Iterator[tuple[Scope, frozenset[str]]]:
    """The hook's scope, and the methods of its class that train the model as an attribute.

    A constructor has run before another method's hook, and an export does not train.
    """
    names = group(scope, target)
    yield scope, names
    attributes = frozenset(name for name in names if name.startswith("self."))
    for method in module.methods(scope.owner) if scope.owner and attributes else ():
        trains = method.function != "__init__" and not _AFTERWARDS.search(method.function)
        if method is not scope and trains:
            yield method, attributes


def _last(hook: Hook, hooks: tuple[Hook, ...], names: frozenset[str]) -> int:
    """The line of the last hook of the same model in the scope."""
    same = (h for h in hooks if (h.file, h.scope) == (hook.file, hook.scope) and h.target in names)
    return max((h.line or 0 for h in same), default=0)


def _schedules(scope: Scope, names: frozenset[str], after: int) -> Iterator[_Sign]:
    for statement in scope.statements:
        node = statement.node
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            owner = target.value if isinstance(target, ast.Attribute) else None
            written = dotted(owner)
            inside = written is not None and any(
                written == name or written.startswith(f"{name}.") for name in names
            )
            # A part's own switch is set once, by the kit's own hook.
            switch = isinstance(target, ast.Attribute) and target.attr.startswith("to_static")
            new = dotted(target) not in names and node.lineno > after
            if inside and new and written != "self" and not switch:
                yield (
                    node.lineno,
                    Reason.of("hazards.name-set-from-outside"),
                    Reason.of("hazards.set-from-outside", name=dotted(target) or ""),
                )


def _counters(scope: Scope, names: frozenset[str]) -> Iterator[_Sign]:
    counted, given = _bound(scope)
    for call in scope.calls:
        if dotted(call.func) not in names:
            continue
        for value in handed(call):
            name = dotted(value) or ""
            counts = name not in given and _COUNTERS.match(name.rpartition(".")[2])
            if name in counted or counts:
                yield (
                    call.lineno,
                    Reason.of("hazards.name-counter"),
                    Reason.of("hazards.counter", name=name),
                )


def _bound(scope: Scope) -> tuple[set[str], set[str]]:
    """Names that count (`range`, `enumerate`, `+= 1`), and names that loops take from elsewhere."""
    counted: set[str] = set()
    given: set[str] = set()
    for node in (statement.node for statement in scope.statements):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            step = node.value.value if isinstance(node.value, ast.Constant) else None
            counted.update(_names(node.target) if isinstance(step, int) else ())
        elif isinstance(node, ast.For):
            parts = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
            call = callee(node.iter) if isinstance(node.iter, ast.Call) else ""
            number = call == "range" or (call == "enumerate" and len(parts) > 1)
            counted.update(_names(parts[0]) if number else ())
            given.update(*map(_names, parts[number:]))
    return counted, given


def _names(target: ast.expr) -> set[str]:
    return {name for node in walk(target) if (name := dotted(node))}


def _modes(scope: Scope, names: frozenset[str], after: int) -> Iterator[_Sign]:
    for call in scope.calls:
        owner, _, method = (dotted(call.func) or "").rpartition(".")
        part = any(owner.startswith(f"{name}.") for name in names)
        if part and owner not in names and method in ("train", "eval") and call.lineno > after:
            yield (
                call.lineno,
                Reason.of("hazards.name-mode-of-part"),
                Reason.of("hazards.mode-of-part", call=f"{owner}.{method}"),
            )


def _copies(scope: Scope, names: frozenset[str], after: int, last: int) -> Iterator[_Sign]:
    """Copies below a hook, but those after which the model is hooked again."""
    for call in scope.calls:
        copied = COPIES.match(callee(call)) and dotted(first_argument(call)) in names
        if copied and after and call.lineno > max(after, last):
            yield call.lineno, Reason.of("hazards.name-copy"), Reason.of("hazards.copy")


def _backwards(scope: Scope) -> Iterator[_Sign]:
    """Several backward passes before one step: programs that differ keep the last one's alone."""
    for statement in scope.statements:
        if not isinstance(statement.node, _LOOPS):
            continue
        body = [s for s in scope.statements if s.path[:-1] == statement.path]
        lines = [c.lineno for s in body for c in s.calls if callee(c) == "backward"]
        if len(lines) > 1:
            yield lines[1], Reason.of("hazards.name-backwards"), Reason.of("hazards.backwards")
